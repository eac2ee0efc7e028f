package index_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// TestNestedRoots indexes files below roots that contain each other, under several names: each file is
// one document, whose URI does not change, and files that are not given are left alone.
func TestNestedRoots(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	o := options(corpus(t, store))
	docs := filepath.Join(t.TempDir(), "docs")
	writeFiles(t, docs, map[string]string{
		"captain.txt": "Captain Mary Lund met Paul Lund in Leith.", "other.txt": "Rita Lund met Agnes Moor.",
		"sub/deep.txt": "Clara Reed met Agnes Moor.", "sub/gone.txt": "Clara Reed met Edith Vane.", ".hidden/note.txt": "Tobias Reed met Paul Lund.",
	})
	link := filepath.Join(t.TempDir(), "linked")
	if err := os.Symlink(docs, link); err != nil {
		t.Fatal(err)
	}
	documents := func() []string {
		t.Helper()
		states, err := store.Documents(t.Context(), o.Corpus)
		if err != nil {
			t.Fatal(err)
		}
		var uris []string
		for _, s := range states {
			uris = append(uris, s.URI)
		}
		slices.Sort(uris)
		return uris
	}
	at := func(names ...string) (paths []string) {
		for _, name := range names {
			paths = append(paths, filepath.Join(docs, name))
		}
		return paths
	}
	all := []string{"docs/captain.txt", "docs/other.txt", "docs/sub/deep.txt", "docs/sub/gone.txt"}
	for _, step := range []struct {
		name                    string
		change                  func()
		paths                   []string
		want                    []string
		changed, added, removed int
	}{
		{"a folder and a file of it", nil, []string{docs, docs + "/captain.txt"}, all, 0, 4, 0},
		{"an edited file", func() { write(t, docs+"/captain.txt", "Captain Rita Lund met Paul Lund in Leith.") }, at("captain.txt"), all, 1, 0, 0},
		{"all names of the folder", func() { write(t, docs+"/other.txt", "Rita Lund met Paul Lund.") }, at("captain.txt", "other.txt", "sub"), all, 1, 0, 0},
		{"another spelling", func() { write(t, docs+"/other.txt", "Rita Lund met Mary Lund.") }, []string{docs + "/../docs/./other.txt"}, all, 1, 0, 0},
		{"a link to the folder", func() { write(t, docs+"/sub/deep.txt", "Clara Reed met Mary Lund.") }, []string{link}, all, 1, 0, 0},
		{"a file below the link", func() { write(t, docs+"/sub/deep.txt", "Clara Reed met Paul Lund.") }, []string{link + "/sub/deep.txt"}, all, 1, 0, 0},
		{"a file that is gone from a folder of it", func() { remove(t, docs+"/sub/gone.txt"); remove(t, docs+"/other.txt") }, at("sub"), slices.Delete(slices.Clone(all), 3, 4), 0, 0, 1},
		{"the whole folder again", nil, []string{docs}, []string{"docs/captain.txt", "docs/sub/deep.txt"}, 0, 0, 1},
		{"a new file", func() { write(t, docs+"/sub/new.txt", "Agnes Moor met Clara Reed.") }, at("sub/new.txt"), []string{"docs/captain.txt", "docs/sub/deep.txt", "docs/sub/new.txt"}, 0, 1, 0},
		{"a file that the folder skips", nil, at(".hidden/note.txt"), []string{"docs/captain.txt", "docs/sub/deep.txt", "docs/sub/new.txt", "note.txt"}, 0, 1, 0},
		{"the folder that skips it", nil, []string{docs}, []string{"docs/captain.txt", "docs/sub/deep.txt", "docs/sub/new.txt", "note.txt"}, 0, 0, 0},
	} {
		if step.change != nil {
			step.change()
		}
		r := run(t, store, o, step.paths...)
		if diff := cmp.Diff(step.want, documents()); diff != "" {
			t.Fatalf("%s: documents (-want +got):\n%s", step.name, diff)
		}
		if n := r.Documents; n.Changed != step.changed || n.Added != step.added || n.Removed != step.removed || n.Failed > 0 {
			t.Errorf("%s: %+v", step.name, n)
		}
		if again := run(t, store, o, step.paths...); again.Writes != 0 {
			t.Errorf("%s: again: %d writes", step.name, again.Writes)
		}
	}

	neighbour := options(corpus(t, store))
	run(t, store, neighbour, at("sub")...)
	r := run(t, store, neighbour, docs)
	o = neighbour
	want := []string{"docs/captain.txt", "sub/deep.txt", "sub/new.txt"}
	if diff := cmp.Diff(want, documents()); diff != "" || len(r.Notes) == 0 || !strings.Contains(r.Notes[0], "was indexed before") {
		t.Errorf("a folder around an indexed one: notes %q, documents (-want +got):\n%s", r.Notes, diff)
	}
	remove(t, docs+"/sub/new.txt")
	if r := run(t, store, neighbour, docs); r.Documents.Removed != 1 {
		t.Errorf("a file is gone from the indexed one: %+v", r.Documents)
	}
	copied := filepath.Join(t.TempDir(), "captain.txt")
	write(t, copied, "Captain Rita Lund met Paul Lund in Leith.")
	run(t, store, neighbour, copied)
	err := store.WithWriter(t.Context(), o.Corpus, "test", time.Minute, func(ctx context.Context, w *neo4jstore.Writer) error { // as an earlier version left it
		return w.MoveDocuments(ctx, []string{graph.DocumentKey(o.Corpus, "captain.txt")}, docs+"/captain.txt")
	})
	if err != nil {
		t.Fatal(err)
	}
	if r := run(t, store, neighbour, docs); r.Documents.Removed != 1 || len(r.Notes) == 0 || !strings.Contains(strings.Join(r.Notes, "\n"), "second one is removed") {
		t.Errorf("a file with two documents: %+v, notes %q", r.Documents, r.Notes)
	}
	if diff := cmp.Diff([]string{"docs/captain.txt", "sub/deep.txt"}, documents()); diff != "" {
		t.Errorf("after that (-want +got):\n%s", diff)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}
