//go:build unix

package userfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/neorag/neorag/internal/sys/userfile"
)

func TestMapPrivate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := os.WriteFile(path, []byte("12345678"), 0o600); err != nil {
		t.Fatal(err)
	}
	b, unmap, err := userfile.MapPrivate(path)
	if err != nil || string(b) != "12345678" {
		t.Fatalf("got %q, %v", b, err)
	}
	if err := userfile.WritePrivate(path, []byte("new")); err != nil || string(b) != "12345678" {
		t.Errorf("after the file was replaced, the mapped bytes are %q, %v", b, err)
	}
	if err := unmap(); err != nil {
		t.Error(err)
	}
	if err := os.Chmod(path, 0o602); err != nil {
		t.Fatal(err)
	}
	if _, _, err := userfile.MapPrivate(path); !errors.Is(err, userfile.ErrUnsafe) {
		t.Errorf("a file that others can write: %v", err)
	}
	for name, create := range map[string]func(string) error{
		"empty":  func(p string) error { return os.WriteFile(p, nil, 0o600) },
		"link":   func(p string) error { return os.Symlink("file", p) },
		"folder": func(p string) error { return os.Mkdir(p, 0o700) },
		"none":   func(string) error { return nil },
	} {
		p := filepath.Join(dir, name)
		if err := create(p); err != nil {
			t.Fatal(err)
		}
		if _, _, err := userfile.MapPrivate(p); err == nil {
			t.Errorf("%s was mapped", name)
		}
	}
}
