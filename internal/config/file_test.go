package config

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDefaultFile checks that the default file sets every key to its default, so that
// it changes nothing.
func TestDefaultFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "neorag.yaml")
	if err := WriteFile(path, DefaultFile(), false); err != nil {
		t.Fatal(err)
	}
	_, content, err := readFile(path, "")
	if err != nil {
		t.Fatal(err)
	}
	values, err := parseFile(path, string(content), keys())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range Settings() {
		if diff := cmp.Diff(s.Default, values[s.Name].Items); diff != "" {
			t.Errorf("%s (-default +file):\n%s", s.Name, diff)
		}
	}
}

func TestWriteFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "neorag.yaml")
	if err := WriteFile(path, "offline: true\n", false); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, "", false); err == nil {
		t.Error("WriteFile overwrites a file without being told to")
	}
	if err := WriteFile(path, "corpus: a\n", true); err != nil {
		t.Error(err)
	}
	if body, err := os.ReadFile(path); err != nil || string(body) != "corpus: a\n" {
		t.Errorf("WriteFile with overwrite: got %q, %v", body, err)
	}
}
