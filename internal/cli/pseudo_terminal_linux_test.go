package cli_test

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"unsafe"

	"github.com/neorag/neorag/internal/testkit/testcorpora"
)

// openTerminal returns both sides of a pseudo-terminal with that many columns: the
// side that a person sees and types on, and the side that a program has. The caller
// closes them.
func openTerminal(t *testing.T, width int) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		testcorpora.Missing(t, "pty", "this machine has no pseudo-terminals: "+err.Error())
	}
	var number, unlocked int32
	size := [4]uint16{24, uint16(width)}
	for request, argument := range map[uintptr]unsafe.Pointer{
		syscall.TIOCGPTN: unsafe.Pointer(&number), syscall.TIOCSPTLCK: unsafe.Pointer(&unlocked), syscall.TIOCSWINSZ: unsafe.Pointer(&size),
	} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, person.Fd(), request, uintptr(argument)); errno != 0 {
			t.Fatal(errno)
		}
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return person, program
}
