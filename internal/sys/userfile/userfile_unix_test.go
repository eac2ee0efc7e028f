//go:build unix

package userfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/neorag/neorag/internal/sys/userfile"
)

// TestRead checks which files are read, by either function.
func TestRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	file := func(name, text string, mode os.FileMode) {
		t.Helper()
		if err := errors.Join(os.WriteFile(path(name), []byte(text), 0o600), os.Chmod(path(name), mode)); err != nil {
			t.Fatal(err)
		}
	}
	file("private", "12345678", 0o600)
	file("readable", "12345678", 0o644)
	file("of the group", "12345678", 0o620)
	file("of all", "12345678", 0o602)
	file("large", "123456789", 0o600)
	if err := errors.Join(
		os.Symlink("private", path("link")), os.Symlink("/dev/zero", path("device")),
		syscall.Mkfifo(path("pipe"), 0o600), os.Symlink("pipe", path("link to a pipe")), os.Mkdir(path("folder"), 0o700),
	); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name          string
		read, private bool
	}{
		{"private", true, true},
		{"readable", true, true},
		{"of the group", true, false},
		{"of all", true, false},
		{"link", true, false},
		{"large", false, false},
		{"device", false, false},
		{"pipe", false, false},
		{"link to a pipe", false, false},
		{"folder", false, false},
		{"none", false, false},
	} {
		if b, err := userfile.Read(path(tt.name), 8); (err == nil) != tt.read || tt.read && string(b) != "12345678" {
			t.Errorf("Read of %s: %q, %v", tt.name, b, err)
		}
		if b, err := userfile.ReadPrivate(path(tt.name), 8); (err == nil) != tt.private || tt.private && string(b) != "12345678" {
			t.Errorf("ReadPrivate of %s: %q, %v", tt.name, b, err)
		}
	}
}

// TestOwner checks that a file and a folder of another user are refused. Only root can
// give files away.
func TestOwner(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can change the owner of a file")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chown(path, 12345, 12345), os.Chown(dir, 12345, 12345)); err != nil {
		t.Fatal(err)
	}
	if _, err := userfile.ReadPrivate(path, 8); !errors.Is(err, userfile.ErrUnsafe) {
		t.Errorf("ReadPrivate of a file of another user: %v", err)
	}
	if err := userfile.CheckFolder(dir); !errors.Is(err, userfile.ErrUnsafe) {
		t.Errorf("CheckFolder of a folder of another user: %v", err)
	}
}

func TestCheckFolder(t *testing.T) {
	t.Parallel()
	for mode, safe := range map[os.FileMode]bool{0o700: true, 0o755: true, 0o770: false, 0o777: false, 0o1777: false} {
		dir := t.TempDir()
		if err := syscall.Chmod(dir, uint32(mode)); err != nil {
			t.Fatal(err)
		}
		if err := userfile.CheckFolder(dir); (err == nil) != safe || !safe && !errors.Is(err, userfile.ErrUnsafe) {
			t.Errorf("CheckFolder with mode %04o: %v", mode, err)
		}
	}
}

func TestWritePrivate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, target := filepath.Join(dir, "file"), filepath.Join(dir, "target")
	if err := errors.Join(os.WriteFile(target, []byte("kept"), 0o600), os.Symlink("target", path)); err != nil {
		t.Fatal(err)
	}
	if err := userfile.WritePrivate(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if b, err := userfile.ReadPrivate(path, 8); err != nil || string(b) != "new" {
		t.Errorf("the file is %q, %v", b, err)
	}
	if b, err := os.ReadFile(target); err != nil || string(b) != "kept" {
		t.Errorf("the target of the link that was replaced is %q, %v", b, err)
	}
}
