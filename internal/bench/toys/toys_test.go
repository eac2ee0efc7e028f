package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAdditions checks without a build that the additions fit into the tree: every anchor occurs
// once, and no new file exists.
func TestAdditions(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..")
	for _, a := range additions {
		bodies := map[string]string{}
		for _, i := range a.insertions {
			body, read := bodies[i.file]
			if !read {
				text, err := os.ReadFile(filepath.Join(root, i.file))
				if err != nil {
					t.Fatal(err)
				}
				body = string(text)
			}
			changed, err := i.into(body)
			if err != nil {
				t.Errorf("%s: %v", a.name, err)
				continue
			}
			bodies[i.file] = changed
		}
		folder := "testdata/" + a.name + "/"
		err := fs.WalkDir(copied, strings.TrimSuffix(folder, "/"), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			if _, err := os.Stat(filepath.Join(root, strings.TrimPrefix(name, folder))); err == nil {
				t.Errorf("%s: the tree has the file %s", a.name, name)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestIntoNamesTheAnchor checks that an anchor that is missing or ambiguous is an error.
func TestIntoNamesTheAnchor(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"":     `f.go: the anchor "b" occurs 0 times, not once`,
		"abab": `f.go: the anchor "b" occurs 2 times, not once`,
	} {
		if _, err := (insertion{"f.go", "b", "c"}).into(body); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", body, err, want)
		}
	}
	if got, err := (insertion{"f.go", "a", "c"}).into("ab"); err != nil || got != "acb" {
		t.Errorf("got %q, %v", got, err)
	}
}
