package userfile

import (
	"cmp"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// A Replacement is the new content of a file, which becomes visible as a whole.
type Replacement struct {
	file *os.File
	path string // "" if the file is written directly
}

// Create begins to replace a file, or to make one with the permissions that perm and the
// umask leave. A file that exists keeps its permissions, and a symbolic link to it stays. What
// is not a regular file, such as a pipe or a device, is written directly.
//
// The caller calls Commit when the content is complete, and Discard in any case.
func Create(path string, perm fs.FileMode) (*Replacement, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return create(path, perm)
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		return &Replacement{file: f}, err
	}
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	r, err := create(target, info.Mode().Perm())
	if err != nil {
		return nil, err
	}
	if err := r.file.Chmod(info.Mode().Perm()); err != nil { // the umask may have taken some
		r.Discard()
		return nil, naming(path, err)
	}
	return r, nil
}

// create begins to replace a file, or a symbolic link itself.
func create(path string, perm fs.FileMode) (*Replacement, error) {
	f, err := os.OpenFile(filepath.Join(filepath.Dir(path), ".new-"+rand.Text()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return nil, naming(path, err)
	}
	return &Replacement{file: f, path: path}, nil
}

// Write appends to the content.
func (r *Replacement) Write(b []byte) (int, error) {
	n, err := r.file.Write(b)
	return n, r.named(err)
}

// Close ends the content. Unless it fails, the content has reached the disk.
func (r *Replacement) Close() error {
	var err error
	if r.path != "" {
		err = r.file.Sync()
	}
	return r.named(cmp.Or(err, r.file.Close()))
}

// Commit makes the content that of the file, and closes it if that is not done.
func (r *Replacement) Commit() error {
	if err := r.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return err
	}
	if r.path == "" {
		return nil
	}
	err := r.named(os.Rename(r.file.Name(), r.path))
	if err == nil {
		r.path = ""
	}
	return err
}

// Discard leaves the file as it was, unless Commit has replaced it.
func (r *Replacement) Discard() {
	_ = r.file.Close()
	if r.path != "" {
		_ = os.Remove(r.file.Name()) // what failed before is reported
	}
}

// named returns an error with the name of the file that is replaced.
func (r *Replacement) named(err error) error {
	if r.path == "" {
		return err
	}
	return naming(r.path, err)
}

// naming returns an error of the system with another name of the file.
func naming(path string, err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: e.Op, Path: path, Err: e.Err}
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return &fs.PathError{Op: e.Op, Path: path, Err: e.Err}
	}
	return err
}

// Write replaces the content of a file, as Create and Commit do.
func Write(path string, perm fs.FileMode, b []byte) error {
	r, err := Create(path, perm)
	if err != nil {
		return err
	}
	return r.write(b)
}

// WritePrivate replaces a file, or a symbolic link itself, by one that only its owner can read.
func WritePrivate(path string, b []byte) error {
	r, err := create(path, 0o600)
	if err != nil {
		return err
	}
	return r.write(b)
}

func (r *Replacement) write(b []byte) error {
	defer r.Discard()
	if _, err := r.Write(b); err != nil {
		return err
	}
	return r.Commit()
}

// WriteNew writes a file that must not exist; otherwise it returns an fs.ErrExist. No part of
// the file is left if that fails.
func WriteNew(path string, perm fs.FileMode, b []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(path)
	}
	return err
}
