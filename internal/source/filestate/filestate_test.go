package filestate_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/source/filestate"
)

// listed writes a file that was last changed an hour ago, and returns it as listed.
func listed(t *testing.T, dir, name, content string) source.File {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return again(t, dir, name)
}

func again(t *testing.T, dir, name string) source.File {
	t.Helper()
	listing, err := source.List(t.Context(), []string{dir}, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range listing.Files {
		if filepath.Base(f.Path) == name {
			return f
		}
	}
	t.Fatalf("%s is not listed", name)
	return source.File{}
}

// later is a time at which a file that was just written counts as settled.
func later() time.Time { return time.Now().Add(time.Minute) }

func TestCache(t *testing.T) {
	t.Parallel()
	entries := []source.Entry{{URI: "docs/a.txt", SHA256: "1"}}
	change := func(fn func(path string) error) func(*testing.T, source.File) {
		return func(t *testing.T, f source.File) {
			t.Helper()
			if err := fn(f.Path); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, tt := range []struct {
		name   string
		change func(*testing.T, source.File)
		known  bool
	}{
		{"unchanged", nil, true},
		{"other size", change(func(path string) error { return os.WriteFile(path, []byte("longer text"), 0o644) }), false},
		{"other time", change(func(path string) error { return os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour)) }), false},
		{"replaced by a file of the same size and time", change(func(path string) error {
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			if err := os.WriteFile(path+".new", []byte("Text"), 0o644); err != nil {
				return err
			}
			if err := os.Chtimes(path+".new", time.Time{}, info.ModTime()); err != nil {
				return err
			}
			return os.Rename(path+".new", path)
		}), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir, folder := filepath.Join(t.TempDir(), "docs"), filepath.Join(t.TempDir(), "files")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			f := listed(t, dir, "a.txt", "text")
			c := filestate.New(folder, "fp")
			if got, ok := c.Entries(f); ok {
				t.Fatalf("an empty cache knows %v", got)
			}
			c.Note(f, later(), entries)
			if err := c.Save([]string{dir}); err != nil {
				t.Fatal(err)
			}
			if tt.change != nil {
				tt.change(t, f)
			}
			got, ok := filestate.New(folder, "fp").Entries(again(t, dir, "a.txt"))
			if ok != tt.known || ok && !cmp.Equal(got, entries) {
				t.Errorf("got %v, %t, want known %t", got, ok, tt.known)
			}
			if _, ok := filestate.New(folder, "other").Entries(again(t, dir, "a.txt")); ok {
				t.Error("known with other settings")
			}
		})
	}
}

// TestNoteIsCareful does not remember files whose next change might not show.
func TestNoteIsCareful(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := listed(t, dir, "a.txt", "text")
	for _, tt := range []struct {
		name string
		file source.File
		read time.Time
	}{
		{"changed just now", f, time.Now()},
		{"standard input", source.File{URI: "stdin", Path: "-"}, later()},
		{"changed while it was read", func() source.File { f := f; f.Stamp += " before"; return f }(), later()},
		{"gone", func() source.File { f := f; f.Path += ".gone"; return f }(), later()},
	} {
		c := filestate.New(t.TempDir(), "fp")
		c.Note(tt.file, tt.read, nil)
		if _, ok := c.Entries(tt.file); ok {
			t.Errorf("%s: remembered", tt.name)
		}
	}
}

// TestDamagedStates reads everything again.
func TestDamagedStates(t *testing.T) {
	t.Parallel()
	dir, folder := t.TempDir(), t.TempDir()
	f := listed(t, dir, "a.txt", "text")
	save := func() string {
		c := filestate.New(folder, "fp")
		c.Note(f, later(), nil)
		if err := c.Save([]string{dir}); err != nil {
			t.Fatal(err)
		}
		paths, err := filepath.Glob(filepath.Join(folder, "*"))
		if err != nil || len(paths) != 1 {
			t.Fatalf("%v, %v", paths, err)
		}
		return paths[0]
	}
	path := save()
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(good), "\n")
	signed := func(body string) string {
		sum := sha256.Sum256([]byte(body))
		return hex.EncodeToString(sum[:]) + "\n" + body
	}
	if signed(body) != string(good) {
		t.Fatal("the first line is not the checksum of the others")
	}
	for name, content := range map[string]string{
		"cut off": string(good[:len(good)/2]), "empty": "", "no object": "[]", "no files": `{"version":2}`,
		"other version": signed(strings.Replace(body, `"version":2`, `"version":3`, 1)),
		"other root":    signed(strings.Replace(body, `"root":"`, `"root":"x`, 1)),
		"other stamp":   strings.Replace(string(good), `"stamp":"4 `, `"stamp":"5 `, 1),
	} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, ok := filestate.New(folder, "fp").Entries(f); ok {
			t.Errorf("%s: known", name)
		}
		if save() != path {
			t.Errorf("%s: not replaced", name)
		}
	}
	if _, ok := filestate.New(folder, "fp").Entries(f); !ok {
		t.Error("not known after the states were written again")
	}
}

// TestFilesThatAreGone forgets them, and writes nothing if nothing changed.
func TestFilesThatAreGone(t *testing.T) {
	t.Parallel()
	dir, folder := t.TempDir(), t.TempDir()
	a, b := listed(t, dir, "a.txt", "text"), listed(t, dir, "b.txt", "text")
	c := filestate.New(folder, "fp")
	var noting sync.WaitGroup
	for _, f := range []source.File{a, b} {
		noting.Go(func() { c.Note(f, later(), nil) })
	}
	noting.Wait()
	if err := c.Save([]string{dir}); err != nil {
		t.Fatal(err)
	}
	c = filestate.New(folder, "fp")
	if _, ok := c.Entries(a); !ok {
		t.Fatal("a is not known")
	}
	if err := c.Save([]string{dir}); err != nil {
		t.Fatal(err)
	}
	c = filestate.New(folder, "fp")
	if _, ok := c.Entries(b); ok {
		t.Error("b is known although no run found it")
	}
	if _, ok := c.Entries(a); !ok {
		t.Error("a is not known any more")
	}
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if err := c.Save([]string{dir}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(folder); err == nil {
		t.Error("written although nothing changed")
	}
}

// TestNilCache remembers nothing.
func TestNilCache(t *testing.T) {
	t.Parallel()
	var c *filestate.Cache
	f := listed(t, t.TempDir(), "a.txt", "text")
	c.Note(f, later(), nil)
	if _, ok := c.Entries(f); ok || c.Save([]string{f.Root}) != nil {
		t.Error("a nil cache remembers")
	}
}

// TestRenamedLink lists the file under its new name.
func TestRenamedLink(t *testing.T) {
	t.Parallel()
	dir, folder := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".store"), 0o755); err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(dir, ".store", "x.txt")
	if err := os.WriteFile(target, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, filepath.Join(dir, "a.txt")); err != nil {
		t.Skip(err)
	}
	f := again(t, dir, "x.txt")
	c := filestate.New(folder, "fp")
	c.Note(f, later(), []source.Entry{{URI: f.URI, SHA256: "1"}})
	if err := c.Save([]string{dir}); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "a.txt"), filepath.Join(dir, "b.txt")); err != nil {
		t.Fatal(err)
	}
	if got, ok := filestate.New(folder, "fp").Entries(again(t, dir, "x.txt")); ok {
		t.Errorf("got %v for the link with another name", got)
	}
}
