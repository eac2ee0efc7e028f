package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestGeneratedFilesAreFresh fails if a header changed since go generate ./cypher.
func TestGeneratedFilesAreFresh(t *testing.T) {
	folder := filepath.Join("..", "..")
	made, err := generate(folder)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range made {
		got, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s: run go generate ./cypher (-made now +in the file):\n%s", name, diff)
		}
	}
}
