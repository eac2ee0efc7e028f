//go:build unix

package userfile

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

const (
	noWait   = syscall.O_NONBLOCK // opening a pipe waits for a writer otherwise
	noFollow = syscall.O_NOFOLLOW

	writableByOthers = 0o022
)

func check(path string, info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !ok:
		return fmt.Errorf("%s: its owner is unknown", path)
	case stat.Uid != 0 && int(stat.Uid) != os.Geteuid():
		return fmt.Errorf("%s belongs to another user (id %d): %w: check its content, then make it yours with: chown %d %s", path, stat.Uid, ErrUnsafe, os.Geteuid(), path)
	case info.Mode().Perm()&writableByOthers != 0:
		return fmt.Errorf("%s has the mode %04o: %w: check its content, then remove their permission with: chmod go-w %s", path, info.Mode().Perm(), ErrUnsafe, path)
	}
	return nil
}
