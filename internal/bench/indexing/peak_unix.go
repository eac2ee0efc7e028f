//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMB returns the peak of the resident memory of a finished process.
func peakMB(s *os.ProcessState) float64 {
	usage, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	unit := 1024. // kilobytes, except on macOS
	if runtime.GOOS == "darwin" {
		unit = 1
	}
	return float64(usage.Maxrss) * unit / 1e6
}
