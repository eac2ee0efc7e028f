// Package userfile reads and writes files in folders that other people may have
// prepared: a file is read without waiting for a pipe or a device and up to a limit,
// what a program acts on must belong to its user, and a file is replaced as a whole.
package userfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrUnsafe is returned for a file or folder that another user could have written.
var ErrUnsafe = errors.New("other users may have written it")

// Read reads a regular file of at most limit bytes, also through symbolic links.
func Read(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path) // opening a device may already have effects
	if err != nil {
		return nil, err
	}
	b, _, err := read(path, info, limit, 0)
	return b, err
}

// ReadPrivate reads a regular file of at most limit bytes. It returns an ErrUnsafe
// unless the file belongs to the user of this process, or to root, and nobody else may
// write to it. A symbolic link is an error.
func ReadPrivate(path string, limit int64) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	b, info, err := read(path, info, limit, noFollow)
	if err != nil {
		return nil, err
	}
	if err := check(path, info); err != nil {
		return nil, err
	}
	return b, nil
}

// read reads an open file, so that everything that is checked is about one file.
func read(path string, before fs.FileInfo, limit int64, flags int) ([]byte, fs.FileInfo, error) {
	f, info, err := open(path, before, flags)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = fmt.Errorf("%s is larger than %d bytes", path, limit)
	}
	return b, info, err
}

// open opens a regular file, also if it became another one since before.
func open(path string, before fs.FileInfo, flags int) (*os.File, fs.FileInfo, error) {
	if err := regular(path, before); err != nil {
		return nil, nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|noWait|flags, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = regular(path, info)
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

// EndsMidLine reports whether the last line of a regular file has no line break, so that a line
// that is appended has to begin with one.
func EndsMidLine(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	f, info, err := open(path, info, 0)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	last := make([]byte, 1)
	_, err = f.ReadAt(last, info.Size()-1)
	return err == nil && last[0] != '\n'
}

func regular(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return fmt.Errorf("%s is not a regular file", path)
}

// CheckFolder returns an ErrUnsafe unless a folder belongs to the user of this process,
// or to root, and nobody else may write to it.
func CheckFolder(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a folder", path)
	}
	return check(path, info)
}
