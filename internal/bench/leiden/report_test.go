package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUpdate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "doc.md")
	r := report{Size: "small", Rows: table{timed("kg15k", ours, taskFast, 1, 4, 0.5)}, Versions: map[string]string{"igraph": "1", "Go": "2"}, Missing: []string{"leidenalg: why"}}
	for range 2 { // the second replaces the first
		if _, err := os.Stat(path); err != nil {
			if err := os.WriteFile(path, []byte("before\n"+opening+"old\n"+closing+"after\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := update(path, r.markdown()); err != nil {
			t.Fatal(err)
		}
	}
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := "before\n" + opening + "\n" + r.markdown() + "\n" + closing + "after\n"; string(body) != want {
		t.Errorf("file (-want +got):\n%s", cmp.Diff(want, string(body)))
	}
	for _, part := range []string{"Go 2, igraph 1", "| kg15k | 20000 | 200000 | neorag | fast | 1 |", "- leidenalg: why"} {
		if !strings.Contains(string(body), part) {
			t.Errorf("%q is missing in:\n%s", part, body)
		}
	}
	if err := os.WriteFile(path, []byte("no markers\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := update(path, "x"); err == nil {
		t.Error("a file without markers was updated")
	}
}
