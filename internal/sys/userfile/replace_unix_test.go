//go:build unix

package userfile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/neorag/neorag/internal/sys/userfile"
)

// TestCreate replaces a file, directly and through a link. Until Commit, and after Discard without
// it, the file is as before.
func TestCreate(t *testing.T) {
	t.Parallel()
	for _, link := range []bool{false, true} {
		dir := t.TempDir()
		file := filepath.Join(dir, "file")
		if err := errors.Join(os.WriteFile(file, []byte("old"), 0o600), os.Chmod(file, 0o646)); err != nil {
			t.Fatal(err)
		}
		path := file
		if link {
			path = filepath.Join(t.TempDir(), "link")
			if err := os.Symlink(file, path); err != nil {
				t.Fatal(err)
			}
		}
		for _, commit := range []bool{false, true} {
			r, err := userfile.Create(path, 0o600)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := r.Write([]byte("new")); err != nil {
				t.Fatal(err)
			}
			checkFile(t, file, "old", 0o646)
			if commit {
				if err := errors.Join(r.Close(), r.Commit()); err != nil {
					t.Fatal(err)
				}
			}
			r.Discard()
			if !commit {
				checkFile(t, file, "old", 0o646)
			}
		}
		checkFile(t, file, "new", 0o646)
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
			t.Errorf("link %v: the folder holds %v, %v", link, entries, err)
		}
		if info, err := os.Lstat(path); err != nil || info.Mode().IsRegular() == link {
			t.Errorf("link %v: %v, %v", link, info.Mode(), err)
		}
	}
}

func checkFile(t *testing.T, path, want string, mode fs.FileMode) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil || string(b) != want {
		t.Errorf("%s holds %q, want %q: %v", path, b, want, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
		t.Errorf("%s has the mode %v, want %v: %v", path, info.Mode(), mode, err)
	}
}

// TestCreateDirect writes to what cannot be replaced.
func TestCreateDirect(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := userfile.Create(dir, 0o600); !errors.Is(err, syscall.EISDIR) {
		t.Errorf("a folder: %v", err)
	}
	if err := userfile.Write(os.DevNull, 0o600, []byte("gone")); err != nil {
		t.Errorf("%s: %v", os.DevNull, err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("%s was replaced: %v", os.DevNull, err)
	}
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	reader, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reader.Close() }()
	if err := userfile.Write(pipe, 0o600, []byte("through")); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 20)
	if n, err := reader.Read(got); err != nil || string(got[:n]) != "through" {
		t.Errorf("the pipe holds %q, %v", got[:n], err)
	}
}

// TestErrorsNameFile writes where nothing can be written.
func TestErrorsNameFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "no", "file")
	for name, write := range map[string]func() error{
		"Write":        func() error { return userfile.Write(path, 0o600, nil) },
		"WritePrivate": func() error { return userfile.WritePrivate(path, nil) },
		"WriteNew":     func() error { return userfile.WriteNew(path, 0o600, nil) },
	} {
		if err := write(); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), path+":") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWriteNew(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	if err := userfile.WriteNew(path, 0o600, []byte("first")); err != nil {
		t.Fatal(err)
	}
	if err := userfile.WriteNew(path, 0o600, []byte("second")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a file that exists: %v", err)
	}
	checkFile(t, path, "first", 0o600)
}

func TestEndsMidLine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for text, want := range map[string]bool{"": false, "line\n": false, "line": true, "line\nbegin": true} {
		path := filepath.Join(dir, "file")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := userfile.EndsMidLine(path); got != want {
			t.Errorf("EndsMidLine of %q = %v", text, got)
		}
	}
	if userfile.EndsMidLine(dir) || userfile.EndsMidLine(filepath.Join(dir, "none")) || userfile.EndsMidLine(os.DevNull) {
		t.Error("what is no regular file ends within a line")
	}
}
