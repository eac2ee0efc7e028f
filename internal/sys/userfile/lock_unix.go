//go:build unix

package userfile

import (
	"errors"
	"os"
	"syscall"
)

// TryLock takes the lock on a file, and makes the file if there is none. Closing it gives the
// lock back, and so does the end of the process. It returns nil and no error while another process
// holds the lock.
func TryLock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return f, nil
	}
	_ = f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, nil
	}
	return nil, err
}
