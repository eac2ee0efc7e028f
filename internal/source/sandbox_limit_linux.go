//go:build linux && !race

package source

import "syscall"

// limitDataSegment limits the writable memory of this process. Memory that the Go
// runtime only reserves does not count.
func limitDataSegment(bytes uint64) {
	_ = syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: bytes, Max: bytes}) // without it the checks of limitMemory remain
}
