package localneo4j

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMemoryCheck checks the advice for a graph that has outgrown its page cache.
func TestMemoryCheck(t *testing.T) {
	for _, tt := range []struct {
		pages, graph int
		hint         string // "" is none
	}{
		{512, 0, ""},
		{512, 512, ""},
		{512, 513, "--page-cache 768"},
		{3072, 8000, "--page-cache 10240"},
	} {
		c := memoryCheck(Server{HeapMB: 1024, PageCacheMB: tt.pages}, tt.graph)
		if !c.OK || (c.Hint == "") != (tt.hint == "") || !strings.Contains(c.Hint, tt.hint) {
			t.Errorf("%d MB of graph in %d MB: %+v, want %q", tt.graph, tt.pages, c, tt.hint)
		}
	}
}

// TestGraphSize counts what the page cache holds.
func TestGraphSize(t *testing.T) {
	o := Options{Data: t.TempDir()}
	if got := o.graphMB(); got != 0 {
		t.Errorf("an empty folder has %d MB", got)
	}
	for path, mb := range map[string]int64{
		"neostore.nodestore.db": 3, "schema/index/range-1.0/1/index-1": 2, "schema/index/fulltext-1.0/2/a": 50, "schema/index/vector-2.0/3/a": 50,
	} {
		path = filepath.Join(o.Data, "data", "databases", "neo4j", filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, mb<<20); err != nil {
			t.Fatal(err)
		}
	}
	if got := o.graphMB(); got != 5 {
		t.Errorf("the graph has %d MB, want 5", got)
	}
}
