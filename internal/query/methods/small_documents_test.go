package methods_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/internal/testkit/testcorpora"
)

// TestAnswersOfOneDocument checks answers without a model that need the whole of a corpus: the words that it
// has, and how it begins.
func TestAnswersOfOneDocument(t *testing.T) {
	t.Parallel()
	data := testcorpora.Dir(t)
	e := indexed(t, open(t), index.Options{Corpus: neo4jtest.Borrow(t, "index")}, filepath.Join(data, "cases", "answers", "glossary"))
	for _, tt := range []struct {
		question, answer, note string
		references             int // at least; 0 for none
	}{
		{"What is a berth?", "- A berth is a place at a quay where one ship can moor. [1]", "", 1},
		{"What is a berht?", "- A berth is a place at a quay where one ship can moor. [1]", "No document has “berht”, so the search was for “berth”.", 1},
		{"Who is the mayor?", "Nothing that was found in this corpus answers the question.", "", 0},
		{"How long is the quay?", "Nothing that was found in this corpus answers the question. The closest document is “Terms of the harbour office (2026-03-02)”. It could be asked about “Using the terms”, “Berth” and “Pilot”.", "", 0},
		{"Thanks!", "You are welcome. Ask a question about the documents of this corpus", "", 0},
		{"What is this about?", "1 document, dated 2026-03-02; most often named: Anna Berg, Karl Witt.\n\n- **Terms of the harbour office**: The terms below are used in all reports. [1]", "", 1},
	} {
		a := ask(t, e, query.Question{Text: tt.question})
		if !strings.HasPrefix(a.Answer, tt.answer) || strings.Join(a.Notes, "\n") != tt.note || (len(a.References) > 0) != (tt.references > 0) {
			t.Errorf("%s\ngot  %q, notes %q, %d references\nwant %q, note %q, %d", tt.question, a.Answer, a.Notes, len(a.References), tt.answer, tt.note, tt.references)
		}
	}
}
