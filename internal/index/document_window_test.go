package index_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// TestDocumentWindow reads documents of several kinds through windows: each holds the bytes that a range
// names, and one over a whole document is its text, except for white space.
func TestDocumentWindow(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name := corpus(t, store)
	text := strings.Repeat("Ærø has a harbour. Clara Hale lives there, 漢字.\n\nVictor Lang came by the ferry.\n", 20)
	files := map[string]string{
		"plain.txt": text, "windows.txt": "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n"), "short.txt": "Å",
		"page.html": "<html><body><h1>Ærø</h1><p>Clara Hale lives there.</p><p>Victor Lang came by the ferry.</p></body></html>",
		"rows.csv":  "name,place\nClara Hale,Ærø\nVictor Lang,Leith\n",
	}
	run(t, store, options(name), folder(t, files))
	listed, err := store.DocumentPage(t.Context(), name, "", 100)
	if err != nil || len(listed) < len(files) {
		t.Fatalf("%d documents, %v", len(listed), err)
	}
	for _, d := range listed {
		whole := window(t, store, name, d.Key, 0, 1<<30)
		all := cite.WindowOf(whole.Chunks, 0, whole.Length, 0)
		file := files[strings.TrimPrefix(d.URI, "docs/")]
		if strings.HasSuffix(d.URI, ".txt") && bare(all.Quote) != bare(strings.TrimPrefix(file, "\ufeff")) {
			t.Errorf("%s: the text is %q", d.URI, all.Quote)
		}
		if whole.Document.Title != d.Title || whole.SHA256 == "" || all.Quote == "" || !utf8.ValidString(all.Quote) {
			t.Errorf("%s: %+v, text %q", d.URI, whole.Document, all.Quote)
		}
		if strings.HasSuffix(d.URI, ".txt") {
			checkRanges(t, store, name, d, file)
		}
	}
	if _, err := store.DocumentWindow(t.Context(), name, graph.Key(name, "nothing"), 0, 10); !errors.Is(err, neo4jstore.ErrNoDocument) {
		t.Errorf("an unknown document: %v", err)
	}
	if rest, err := store.DocumentPage(t.Context(), name, listed[1].Key, 1); err != nil || len(rest) != 1 || rest[0].Key != listed[2].Key {
		t.Errorf("the page after two documents: %+v, %v", rest, err)
	}
}

// checkRanges reads words of a file through small windows, by their places in the file.
func checkRanges(t *testing.T, store *neo4jstore.Store, name string, d neo4jstore.DocumentLine, file string) {
	t.Helper()
	for _, quote := range []string{"Clara Hale", "漢字", "ferry", "Å"} {
		for _, start := range []int{strings.Index(file, quote), strings.LastIndex(file, quote)} {
			if start < 0 {
				continue
			}
			end := start + len(quote)
			w := cite.WindowOf(window(t, store, name, d.Key, start-100, end+100).Chunks, start, end, 100)
			if w.Quote != quote || w.Start != start || w.End != end || !strings.Contains(bare(file), bare(w.Before+w.Quote+w.After)) {
				t.Errorf("%s: %q at %d is %+v", d.URI, quote, start, w)
			}
		}
	}
}

func window(t *testing.T, store *neo4jstore.Store, name, document string, start, end int) neo4jstore.DocumentWindow {
	t.Helper()
	w, err := store.DocumentWindow(t.Context(), name, document, start, end)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// bare returns a text without white space.
func bare(s string) string { return strings.Join(strings.Fields(s), "") }
