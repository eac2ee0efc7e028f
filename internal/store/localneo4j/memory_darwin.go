package localneo4j

import (
	"encoding/binary"
	"syscall"
)

// memory returns the memory of this machine in MB, 0 if it is unknown.
func memory() int {
	text, err := syscall.Sysctl("hw.memsize")
	if err != nil {
		return 0
	}
	b := make([]byte, 8) // Sysctl cuts the last byte off if it is 0
	copy(b, text)
	return int(binary.LittleEndian.Uint64(b) >> 20)
}
