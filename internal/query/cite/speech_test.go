package cite

import (
	"testing"

	"github.com/neorag/neorag/internal/text/textproc"
)

func TestSpoken(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, source string
		want         []bool // of its sentences
	}{
		{"nobody speaks", "Where was it? It was far.", []bool{false, false}},
		{"a sentence of a speech", "\"I suffer most,\" it said. \"Why did I go? It was far.\" Was it?", []bool{true, true, true, false}},
		{"single marks", "'I suffer most,' it said. 'Why did I go?' Was it the boys' fire?", []bool{true, true, false}},
		{"an apostrophe", "It was Anna's. What did she see?", []bool{false, false}},
		{"typographic marks", "“Why did I go?” Was it far?", []bool{true, false}},
		{"German marks", "„Warum ging ich fort?“ War es weit?", []bool{true, false}},
		{"another paragraph", "'He never ended the speech.\n\nWas it far?", []bool{true, false}},
		{"an empty text", "", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			units := textproc.Units(tc.source)
			if len(units) != len(tc.want) {
				t.Fatalf("%d sentences", len(units))
			}
			for i, u := range units {
				if got := spoken(tc.source, u.Span); got != tc.want[i] {
					t.Errorf("%q: got %v", tc.source[u.Start:u.End], got)
				}
			}
		})
	}
}

// TestFindSpokenQuestion: a question is evidence only if somebody asks it in the text, of a
// statement in its words, and only if nothing else is.
func TestFindSpokenQuestion(t *testing.T) {
	t.Parallel()
	const asked = "'Why did I walk through crowds with my eyes turned down, and never raise them to that blessed Star?'"
	for _, tc := range []struct {
		name, source, statement, want string
	}{
		{"in its words", "The spectre was dismayed. " + asked, "It asks why it never raised its eyes to the blessed Star.", asked},
		{"in few of its words", "The spectre was dismayed. " + asked, "The Star stood above the poor abode of the Wise Men in the east.", ""},
		{"where a sentence says so", "The spectre never raised its eyes to the blessed Star. " + asked, "It never raised its eyes to the blessed Star.", "The spectre never raised its eyes to the blessed Star."},
		{"asked by nobody", "The spectre was dismayed. Why did it never raise its eyes to the blessed Star?", "It never raised its eyes to the blessed Star.", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := contentOf(tc.statement, "")
			quote := ""
			if f, ok := c.find([]string{tc.source}, [][]unit{unitsOf(tc.source)}); ok {
				quote = tc.source[f.span.Start:f.span.End]
			}
			if quote != tc.want {
				t.Errorf("got %q, want %q", quote, tc.want)
			}
		})
	}
}
