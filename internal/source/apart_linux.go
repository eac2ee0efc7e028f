//go:build linux && !race

package source

import "syscall"

// hardLimit bounds the memory that this process can write to. What the Go
// runtime only reserves does not count.
func hardLimit(bytes uint64) {
	_ = syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: bytes, Max: bytes}) // else the looks at the memory remain
}
