package source

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
)

// packed returns a text packed by gzip.
func packed(tb testing.TB, text string) string {
	tb.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

func TestPackedFiles(t *testing.T) {
	t.Parallel()
	doc, err := read(t, "2024-01-02 notes.md.gz", packed(t, "text\n# One\n"))
	if err != nil || doc.Text != "text\n# One\n" || doc.Title != "One" || doc.MIME != "text/markdown" || doc.Date != "2024-01-02" || doc.Places.Line != 1 || doc.Places.Verbatim {
		t.Errorf("Markdown: %+v, %v", doc, err)
	}
	plain, _ := read(t, "a.txt", "one")
	if doc, err := read(t, "a.txt.GZ", packed(t, "one")); err != nil || doc.SHA256 != plain.SHA256 || doc.Title != "a" {
		t.Errorf("the same text, packed: %+v, %v", doc, err)
	}
	for name, content := range map[string]string{"a.xhtml.gz": "<html><head><title/></head><body><p>one</p></body></html>", "a.docx.gz": wordFile(t, wordBody(wordParagraph("", "one")))} {
		if doc, err := read(t, name, packed(t, content)); err != nil || doc.Text != "one" {
			t.Errorf("%s: %q, %v", name, doc.Text, err)
		}
	}
	listing := list(t, Options{}, folder(t, map[string]string{"a.csv.gz": packed(t, "id,text\n1,one\n2,caf\xe9 noir et cr\xe8me\n"), "b.tar.gz": packed(t, "x")}))
	if len(listing.Files) != 1 {
		t.Fatalf("listed %v", listing.Files)
	}
	docs, _, err := Read(t.Context(), listing.Files[0], Options{})
	if diff := cmp.Diff([]string{"one", "café noir et crème"}, texts(docs)); err != nil || diff != "" {
		t.Errorf("table: %v (-want +got):\n%s", err, diff)
	}
	for name, tc := range map[string]struct{ content, want string }{
		"not packed": {"hello hello hello", "unpack: gzip"}, "cut off": {packed(t, strings.Repeat("hello ", 100))[:30], "unexpected EOF"},
		"a bomb": {packed(t, strings.Repeat("a ", 40<<20)), "larger than"},
	} {
		if _, err := read(t, "a.txt.gz", tc.content); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
		}
	}
}

func texts(docs []graph.Document) []string {
	var out []string
	for _, d := range docs {
		out = append(out, d.Text)
	}
	return out
}
