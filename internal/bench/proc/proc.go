// Package proc reads what processes use. It returns 0 where /proc does not tell.
package proc

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// CPUSeconds returns the time that a process used the processors since it started. Linux counts
// it in hundredths of a second.
func CPUSeconds(pid int) float64 {
	const user, system = 11, 12
	return float64(stat(pid, user)+stat(pid, system)) / 100
}

// BusySeconds returns the time that all processes used the processors since the machine started.
func BusySeconds() float64 {
	b, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	line, _, _ := bytes.Cut(b, []byte("\n"))
	const user, nice, system, interrupts, softInterrupts = 1, 2, 3, 6, 7
	ticks := 0
	for _, at := range []int{user, nice, system, interrupts, softInterrupts} {
		ticks += number(bytes.Fields(line), at)
	}
	return float64(ticks) / 100
}

// Threads returns the number of threads of a process.
func Threads(pid int) int {
	const threads = 17
	return stat(pid, threads)
}

// stat returns a number that follows the name of the program in the state of a process.
func stat(pid, at int) int {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// The name of the program, in parentheses, may hold spaces.
	return number(bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:]), at)
}

// ResidentMB returns the resident memory of a process.
func ResidentMB(pid int) float64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	return float64(number(bytes.Fields(b), 1)*os.Getpagesize()) / 1e6
}

// PeakMB returns the peak of the resident memory that a running process had so far. The peak that
// the system reports when a process has ended is at least the memory that its parent had when it
// started it.
func PeakMB(pid int) float64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, after, _ := bytes.Cut(b, []byte("VmHWM:"))
	return float64(number(bytes.Fields(after), 0)*1024) / 1e6
}

// number returns a field as a number.
func number(fields [][]byte, at int) int {
	if at >= len(fields) {
		return 0
	}
	n, err := strconv.Atoi(string(fields[at]))
	if err != nil {
		return 0
	}
	return n
}
