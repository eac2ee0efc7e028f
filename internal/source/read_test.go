package source

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/parse"
	"github.com/neorag/neorag/internal/source/pdftext/pdftest"
)

// read returns the document of a file with that content.
func read(tb testing.TB, name, content string) (graph.Document, error) {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		tb.Fatal(err)
	}
	docs, _, err := Read(context.Background(), list(tb, Options{}, path).Files[0], Options{})
	if err != nil {
		return graph.Document{}, err
	}
	if len(docs) != 1 {
		tb.Fatalf("%s: %d documents, want 1", name, len(docs))
	}
	return docs[0], nil
}

func TestReadIsDeterministic(t *testing.T) {
	t.Parallel()
	root := folder(t, map[string]string{"a.txt": "Time: 20260105_11:00\r\nHello", "b.html": "<p>Hi", "c.md": "---\nx: [1, 2]\n---\n# T\n"})
	l := list(t, Options{}, root)
	for _, f := range l.Files {
		first, _, err := Read(context.Background(), f, Options{})
		if err != nil {
			t.Fatal(err)
		}
		second, _, err := Read(context.Background(), f, Options{})
		if diff := cmp.Diff(first, second); err != nil || diff != "" {
			t.Errorf("%s read twice: %v (-first +second):\n%s", f.URI, err, diff)
		}
		if sum, err := Hash(context.Background(), f, Options{}); err != nil || sum != first[0].SHA256 || len(sum) != 64 {
			t.Errorf("Hash(%s) = %s, %v, want %s", f.URI, sum, err, first[0].SHA256)
		}
		if first[0].Root != root || first[0].Key != "" || first[0].MIME == "" {
			t.Errorf("%s = %+v", f.URI, first[0])
		}
	}
}

func TestReadConcurrently(t *testing.T) {
	t.Parallel()
	l := list(t, Options{}, folder(t, map[string]string{"a.html": "<h1>A</h1><table><tr><td>1</table>", "b.html": "<p>b", "c.md": "---\na: b\n---\nc"}))
	var wg sync.WaitGroup
	for range 4 {
		for _, f := range l.Files {
			wg.Go(func() {
				if _, _, err := Read(context.Background(), f, Options{}); err != nil {
					t.Error(err)
				}
			})
		}
	}
	wg.Wait()
}

func FuzzRead(f *testing.F) {
	f.Add(1, []byte("---\na: &x [1, *x]\n? b\n---\n# T"))
	f.Add(2, []byte("<meta charset=utf-16><title>\x00<table><td colspan=9><pre>"))
	f.Add(0, []byte("\xff\xfeT\x00i\x00m\x00e\x00:\x00\xd8"))
	f.Add(3, []byte("id,text\n1,\"a\nb\"\n,c\n"))
	f.Add(4, []byte(`[{"text":"a","x":[1,{"y":null}]},{"text":"b"}]`))
	f.Add(5, []byte("{\"text\":\"a\",\"id\":1}\n\n[]"))
	f.Add(6, []byte(pdftest.OnePage(pdftest.Stream("", "BT /F1 12 Tf 1 0 0 1 2 3 Tm [(A) -300 (b)] TJ T* (c) ' ET"))))
	f.Add(7, []byte(wordFile(f, wordBody(wordParagraph(`<w:pStyle w:val="Heading1"/>`, "A")+"<w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>"))))
	sandbox := NewSandbox()
	f.Cleanup(sandbox.Close)
	f.Fuzz(func(t *testing.T, kind int, raw []byte) {
		names := []string{"a.txt", "a.md", "a.html", "a.csv", "a.json", "a.jsonl", "a.pdf", "a.docx", "a.xhtml", "a.epub", "a.pptx", "a.odt", "a.ipynb", "a.vtt"}
		name := names[uint(kind)%uint(len(names))]
		file := File{URI: name, Path: "-", Content: append([]byte{}, raw...)}
		var docs []graph.Document
		var err error
		// In this process, where the fuzzer sees the coverage. Not PDF: the parser can
		// exhaust the stack, which would end the fuzzer.
		if f, _ := formatOf(name); f.sandboxed && name != "a.pdf" {
			var doc graph.Document
			doc, _, err = f.read(context.Background(), raw, graph.Document{URI: name, Title: "a"}, parse.Options{})
			docs = append(docs, doc)
		} else {
			docs, _, err = Read(context.Background(), file, Options{Sandbox: sandbox})
		}
		if err != nil {
			if strings.Contains(err.Error(), "parser crashed") || strings.Contains(err.Error(), "\n") {
				t.Fatal(err)
			}
			return
		}
		for _, d := range docs {
			checkDocument(t, name, raw, d)
		}
	})
}

func checkDocument(t *testing.T, name string, raw []byte, d graph.Document) {
	t.Helper()
	if !utf8.ValidString(d.Text) || !utf8.ValidString(d.Title+d.URI) || strings.ContainsAny(d.Text, "\x00\r") || strings.HasPrefix(d.Text, "\ufeff\ufeff") {
		t.Fatalf("Read(%q, %q) = %q", name, raw, d.Text)
	}
	for k, v := range d.Metadata {
		if !utf8.ValidString(k+v) || strings.Contains(k+v, "\x00") {
			t.Fatalf("metadata %q: %q", k, v)
		}
	}
}
