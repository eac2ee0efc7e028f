package index_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
)

// TestMovedFolder indexes a folder that was renamed together with its parent.
func TestMovedFolder(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name := corpus(t, store)
	first := t.TempDir()
	docs := filepath.Join(first, "a", "docs")
	writeFiles(t, docs, town())
	run(t, store, options(name), docs)

	moved := filepath.Join(first, "b", "docs")
	if err := os.Rename(filepath.Dir(docs), filepath.Dir(moved)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(moved, "one.txt")); err != nil {
		t.Fatal(err)
	}
	r := run(t, store, options(name), moved)
	if r.Documents.Unchanged != len(town())-1 || r.Documents.Removed != 1 || r.Documents.Added+r.Documents.Changed != 0 {
		t.Errorf("documents of the folder that moved: got %+v", r.Documents)
	}
	if len(r.Notes) == 0 || !strings.Contains(r.Notes[0], "no longer exists") {
		t.Errorf("notes: got %q, want one that names the path of before", r.Notes)
	}
	if r := run(t, store, options(name), moved); r.Writes != 0 {
		t.Errorf("a second run: %d writes", r.Writes)
	}

	// Another folder of that name is not taken for the first, whether that exists or not.
	other := filepath.Join(t.TempDir(), "docs")
	files := town()
	for file := range files {
		files[file] = "Another text of the same name."
	}
	writeFiles(t, other, files)
	if _, err := try(t, store, options(name), other); !errors.Is(err, index.ErrOtherRoot) {
		t.Errorf("another folder: got %v, want ErrOtherRoot", err)
	}
	if err := os.RemoveAll(moved); err != nil {
		t.Fatal(err)
	}
	if _, err := try(t, store, options(name), other); !errors.Is(err, index.ErrOtherRoot) {
		t.Errorf("another folder after the first was deleted: got %v, want ErrOtherRoot", err)
	}
}

// TestNameOfFolder removes a file from folders whose names are not a part of URIs as they
// are.
func TestNameOfFolder(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("file names of any bytes")
	}
	store := open(t, nil)
	name := corpus(t, store)
	docs := filepath.Join(t.TempDir(), "caf\xe9")
	writeFiles(t, docs, town())
	run(t, store, options(name), docs)
	if r := run(t, store, options(name), docs); r.Writes != 0 {
		t.Errorf("a second run: %d writes", r.Writes)
	}
	if err := os.Remove(filepath.Join(docs, "one.txt")); err != nil {
		t.Fatal(err)
	}
	if r := run(t, store, options(name), docs); r.Documents.Removed != 1 {
		t.Errorf("documents: got %+v, want one removed", r.Documents)
	}
}
