package evalreport_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/neorag/neorag/internal/eval/evalreport"
	"github.com/neorag/neorag/internal/eval/evalrun"
)

// golden compares a text with a file, and rewrites the file with NEORAG_UPDATE=1.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if os.Getenv("NEORAG_UPDATE") == "1" {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, got, 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(read(t, name)), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// TestSmallFolder is the first test, which writes the folder that others read: it expects that the folder of the repository is what small writes.
func TestSmallFolder(t *testing.T) {
	w := small(t)
	files, err := filepath.Glob(filepath.Join(w.open().Dir, "*.jsonl"))
	if err != nil || len(files) != 8 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		golden(t, filepath.Join(smallFolder, filepath.Base(name)), read(t, name))
	}
}

func makeReport(t *testing.T, dir string, o evalreport.Options) evalreport.Report {
	t.Helper()
	f, err := evalrun.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	r, err := evalreport.Make(f, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestReportOfSmallFolder(t *testing.T) {
	r := makeReport(t, smallFolder, evalreport.Options{})
	golden(t, "testdata/small.md", []byte(evalreport.Markdown(r.Tables())))
	var page bytes.Buffer
	if err := r.WriteHTML(&page, r.Tables()); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/small.html", page.Bytes())
	all := makeReport(t, smallFolder, evalreport.Options{All: true, Against: "global level=2"})
	golden(t, "testdata/small-all.md", []byte(evalreport.Markdown(all.Tables("conditions", "lightrag"))))
}

// TestPageIsSafe expects that a page has no element, attribute or address that texts of records
// brought, and loads nothing.
func TestPageIsSafe(t *testing.T) {
	document, err := html.Parse(bytes.NewReader(read(t, "testdata/small.html")))
	if err != nil {
		t.Fatal(err)
	}
	plots := 0
	for n := range document.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "script", "b", "img", "link", "iframe", "object", "a", "form":
			t.Errorf("the page has <%s>", n.Data)
		case "svg":
			plots++
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || strings.Contains(a.Val, "://") || a.Key == "style" {
				t.Errorf("<%s> has %s=%q", n.Data, a.Key, a.Val)
			}
		}
	}
	if plots < 8 {
		t.Errorf("%d plots", plots)
	}
}

// TestTables expects that each table can be chosen, and that the names are those of what is printed.
func TestTables(t *testing.T) {
	r := makeReport(t, smallFolder, evalreport.Options{})
	for _, name := range evalreport.TableNames() {
		list := r.Tables(name)
		if len(list) == 0 {
			t.Errorf("table %s is empty", name)
		}
		for _, table := range list {
			if table.Name != name {
				t.Errorf("%q has the name %s, want %s", table.Title, table.Name, name)
			}
			for _, cells := range table.Rows {
				if len(cells) != len(table.Head) {
					t.Errorf("%q has a row of %d cells, want %d", table.Title, len(cells), len(table.Head))
				}
			}
		}
	}
}
