package localneo4j

import (
	"syscall"
	"unsafe"
)

// memory returns the memory of this machine in MB, 0 if it is unknown.
func memory() int {
	var status struct {
		length, load               uint32
		total, free, _, _, _, _, _ uint64
	}
	status.length = uint32(unsafe.Sizeof(status))
	call := syscall.NewLazyDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")
	if ok, _, _ := call.Call(uintptr(unsafe.Pointer(&status))); ok == 0 {
		return 0
	}
	return int(status.total >> 20)
}
