package userfile

import (
	"errors"
	"os"
	"syscall"
)

const sharingViolation = syscall.Errno(32)

// TryLock takes the lock on a file, and makes the file if there is none: it is opened so that no
// other process can open it. Closing it gives the lock back, and so does the end of the process. It
// returns nil and no error while another process holds the lock.
func TryLock(path string) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, sharingViolation) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(h), path), nil
}
