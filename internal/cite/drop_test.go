package cite

import (
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// TestDropCitations: a citation of what says nothing of its statement is removed next to a better
// one, with its number, and stays where there is no other.
func TestDropCitations(t *testing.T) {
	t.Parallel()
	const (
		coal    = "The clerk's fire was so very much smaller that it looked like one coal."
		watched = "The door was open, that Scrooge might keep his eye upon his clerk."
		chain   = "The chain was clasped about his middle."
		ghost   = "'I know him! Marley's Ghost!' and fell again."
		source  = "The flame leaped up. " + ghost + " It was Marley in his waistcoat. The Ghost of Marley drew a chain. " + chain
	)
	report := func(key, text, chunk string) neo4jstore.Evidence {
		return neo4jstore.Evidence{Kind: graph.KindReport, Key: key, Text: "Work\n\n" + text + " [1]", Supports: []graph.Reference{{N: 1, Kind: graph.KindChunk, Key: chunk}}}
	}
	g := &fakeGraph{nodes: map[string]neo4jstore.Evidence{
		"c/chunk": chunkEvidence("c/chunk", source),
		"c/coal":  chunkEvidence("c/coal", coal),
		"c/door":  chunkEvidence("c/door", watched),
		"c/cold":  report("c/cold", "The fire there was so small that it looked like one coal.", "c/coal"),
		"c/watch": report("c/watch", "Scrooge kept his eye upon the clerk through the open door.", "c/door"),
	}}
	records := []Record{
		{Reference: graph.Reference{Kind: graph.KindReport, Key: "c/cold"}},
		{Reference: graph.Reference{Kind: graph.KindReport, Key: "c/watch"}},
		{Reference: graph.Reference{Kind: graph.KindChunk, Key: "c/chunk"}},
	}
	for _, tc := range []struct {
		name, generated, text string
		quotes                []string
		dropped, references   int
	}{
		{
			"next to a better one", "The clerk sat there under the eye of Scrooge [1.1][2.1]. A chain was clasped about his middle [3.6].",
			"The clerk sat there under the eye of Scrooge [1]. A chain was clasped about his middle [2].",
			[]string{watched, chain},
			1, 2,
		},
		{"alone", "He treated the man meanly [1.1].", "He treated the man meanly [1].", []string{coal}, 0, 1},
		{"in another language", "Scrooge hatte den armen Schreiber immer im Auge und ließ die Türe offen, und er hatte nur eine Kohle [1.1][2.1].", "Scrooge hatte den armen Schreiber immer im Auge und ließ die Türe offen, und er hatte nur eine Kohle [1][2].", []string{coal, watched}, 0, 2},
		{"a sentence with a name", "A chain was clasped about the middle of Marley [3.3][3.6].", "A chain was clasped about the middle of Marley [1].", []string{chain}, 1, 1},
		{"a sentence that says more", "Marley wore a waistcoat, and a chain was clasped about his middle [3.4][3.6].", "Marley wore a waistcoat, and a chain was clasped about his middle [1].", []string{"It was Marley in his waistcoat. The Ghost of Marley drew a chain. " + chain}, 0, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			a := checkQuotes(t, g, tc.generated, records, tc.quotes)
			if a.Text != tc.text || a.Dropped != tc.dropped || len(a.References) != tc.references {
				t.Errorf("got %q, %d dropped, %d references; want %q, %d, %d", a.Text, a.Dropped, len(a.References), tc.text, tc.dropped, tc.references)
			}
		})
	}
}

// TestDropNumbers: numbers are removed at their places, and the white space before them if no
// other is left.
func TestDropNumbers(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		in     string
		places []int
		want   string
	}{
		{"A [1][2.3]. B [1] [4].", []int{1}, "A [1]. B [1] [4]."},
		{"A [1][2.3]. B [1] [4].", []int{0, 1, 3}, "A. B [1]."},
		{"A [1].", nil, "A [1]."},
	} {
		places := map[int]bool{}
		for _, p := range tc.places {
			places[p] = true
		}
		if got := dropNumbers(tc.in, places); got != tc.want {
			t.Errorf("%q without %v: got %q, want %q", tc.in, tc.places, got, tc.want)
		}
	}
}
