package eval

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDocumentNames(t *testing.T) {
	t.Parallel()
	n := newDocumentNames([]string{"docs/a.txt", "docs/b.c.md", "other/a.txt", "table.csv#3"})
	known, unknown := n.wanted([]string{"a", "a.txt", "b.c", "docs/b.c.md", "b.c.pdf", "table.csv#3", "nothing"})
	want := [][]string{
		{"docs/a.txt", "other/a.txt"},
		{"docs/a.txt", "other/a.txt"},
		{"docs/b.c.md"},
		{"docs/b.c.md"},
		{"docs/b.c.md"},
		{"table.csv#3"},
	}
	if diff := cmp.Diff(want, known); diff != "" || unknown != 1 {
		t.Errorf("%d unknown, want 1 (-want +got):\n%s", unknown, diff)
	}
}
