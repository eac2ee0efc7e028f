//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMB is the largest resident memory that a finished process had.
func peakMB(s *os.ProcessState) float64 {
	usage, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	unit := 1024. // kilobytes, but on macOS
	if runtime.GOOS == "darwin" {
		unit = 1
	}
	return float64(usage.Maxrss) * unit / 1e6
}
