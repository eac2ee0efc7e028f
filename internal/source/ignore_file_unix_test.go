//go:build unix

package source

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestHostileIgnoreFile lists folders whose ignore file is no ordinary file. None makes
// the listing wait, read without end, or read a file outside the folder, and none is
// silently left out, since a file that should be ignored would then be listed.
func TestHostileIgnoreFile(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.WriteFile(outside, []byte("*.md\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		create func(dir, path string) error
		want   string // "" if *.md is ignored
	}{
		{"a file", func(_, path string) error { return os.WriteFile(path, []byte("*.md\n"), 0o600) }, ""},
		{"a link in the folder", func(dir, path string) error {
			return errors.Join(os.WriteFile(filepath.Join(dir, "rules"), []byte("*.md\n"), 0o600), os.Symlink("rules", path))
		}, ""},
		{"a link to a file outside", func(_, path string) error { return os.Symlink(outside, path) }, "leads out of the folder"},
		{"an endless device", func(_, path string) error { return os.Symlink("/dev/zero", path) }, "leads out of the folder"},
		{"a broken link", func(_, path string) error { return os.Symlink("nothing", path) }, "no such file"},
		{"a pipe", func(_, path string) error { return syscall.Mkfifo(path, 0o600) }, "not a regular file"},
		{"a link to a pipe", func(dir, path string) error {
			return errors.Join(syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600), os.Symlink("pipe", path))
		}, "not a regular file"},
		{"a folder", func(_, path string) error { return os.Mkdir(path, 0o700) }, "not a regular file"},
		{"a huge file", func(_, path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 1<<40))
		}, "larger than"},
		{"a large file", func(_, path string) error {
			return os.WriteFile(path, []byte(strings.Repeat(strings.Repeat("a", 100)+"\n", 11_000)), 0o600)
		}, "larger than"},
		{"many patterns", func(_, path string) error { return os.WriteFile(path, []byte(strings.Repeat("a\n", 20_000)), 0o600) }, "patterns"},
		{"many files of patterns", func(dir, _ string) error {
			var errs []error
			for i := range 11 {
				sub := filepath.Join(dir, strconv.Itoa(i))
				errs = append(errs, os.Mkdir(sub, 0o700), os.WriteFile(filepath.Join(sub, ignoreFile), []byte(strings.Repeat("a\n", 1_000)), 0o600))
			}
			return errors.Join(errs...)
		}, "patterns"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, name := range []string{"a.md", "b.txt"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte("text"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if err := tt.create(dir, filepath.Join(dir, ignoreFile)); err != nil {
				t.Fatal(err)
			}
			var l Listing
			var err error
			done := make(chan struct{})
			go func() { l, err = List(t.Context(), []string{dir}, Options{}); close(done) }()
			select {
			case <-done:
			case <-time.After(20 * time.Second):
				t.Fatal("it takes more than 20 s")
			}
			if tt.want == "" && (err != nil || len(l.Files) != 1) || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), ignoreFile)) {
				t.Errorf("got %d files, %v, want the error %q", len(l.Files), err, tt.want)
			}
		})
	}
}
