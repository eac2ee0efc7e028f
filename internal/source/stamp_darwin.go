package source

import (
	"fmt"
	"io/fs"
	"syscall"
	"time"
)

// inodeOf returns the device and inode of a file, and when its properties changed.
func inodeOf(info fs.FileInfo) (string, time.Time) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "", time.Time{}
	}
	changed := time.Unix(s.Ctimespec.Unix())
	return fmt.Sprintf("%d %d %d", s.Dev, s.Ino, changed.UnixNano()), changed
}
