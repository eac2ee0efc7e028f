package cite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
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
			a := quotedAs(t, g, tc.generated, records, tc.quotes)
			if a.Text != tc.text || a.Dropped != tc.dropped || len(a.References) != tc.references {
				t.Errorf("got %q, %d dropped, %d references; want %q, %d, %d", a.Text, a.Dropped, len(a.References), tc.text, tc.dropped, tc.references)
			}
		})
	}
}

// TestDropIdle: a quote that adds nothing to the others of its statement but names is dropped, or
// another one of the same citation takes its place; one that adds a fact stays.
func TestDropIdle(t *testing.T) {
	t.Parallel()
	const (
		door    = "'I won't believe it.' His colour changed, though, when, without a pause, it came on through the heavy door and passed into the room before his eyes."
		chain   = "The chain he drew was clasped about his middle."
		nearer  = "When they were within two paces of each other, Marley's Ghost held up its hand, warning him to come no nearer."
		fate    = "'I am here to-night to warn you that you have yet a chance and hope of escaping my fate. A chance and hope of my procuring, Ebenezer.'"
		mankind = "'Mankind was my business. The common welfare was my business; charity, mercy, forbearance, and benevolence were, all, my business."
		trade   = mankind + " The dealings of my trade were but a drop of water in the comprehensive ocean of my business!'"
		spectre = "The spectre, after listening for a moment, joined in the mournful dirge; and floated out upon the bleak, dark night."
		regret  = "Not to know that no space of regret can make amends for one life's opportunities misused!"
	)
	source := stave(t)
	g := &fakeGraph{nodes: map[string]neo4jstore.Evidence{}}
	var records []Record
	record := func(kind graph.Kind, key string) {
		records = append(records, Record{Reference: graph.Reference{N: len(records) + 1, Kind: kind, Key: key}})
	}
	chunk := func(start, end int) graph.Reference {
		key := fmt.Sprintf("c/%d", start)
		g.nodes[key] = chunkEvidence(key, source[start:end])
		return graph.Reference{N: 1, Kind: graph.KindChunk, Key: key}
	}
	report := func(said string, chunks ...graph.Reference) {
		key := fmt.Sprintf("c/report-%d", len(records)+1)
		g.nodes[key] = neo4jstore.Evidence{Kind: graph.KindReport, Key: key, Text: said + " [1]", Supports: chunks}
		record(graph.KindReport, key)
	}
	record(graph.KindChunk, chunk(22234, 25038).Key)
	report("Marley, dead for seven years, appears to Scrooge as a ghost in chains to warn him of its own fate.", chunk(32465, 34696), chunk(24620, 27352), chunk(28660, 30558), chunk(30170, 32845))
	report("It says that Scrooge still has a chance and hope of escaping its fate, which the Ghost procured for him.", chunk(32465, 34696))
	report("Scrooge praises Jacob for business.", chunk(30170, 32845))
	report("The Ghost answers that mankind and the common welfare were its business.", chunk(30170, 32845))
	report("All the phantoms wear chains like Marley's Ghost, which joins in their dirge.", chunk(34291, 36143))
	report("He laments that he misused his life's opportunities.", chunk(30170, 32845))
	for _, tc := range []struct {
		name, generated string
		quotes          []string
		dropped         int
	}{
		{"a name in a sentence that a model named", "Marley's Ghost wears a chain clasped about its middle [1.17][1.20].", []string{chain}, 1},
		{"a fact in one", "Marley's Ghost comes through the door, and wears a chain clasped about its middle [1.15][1.20].", []string{door, chain}, 0},
		{"a name in words that were found", "The Ghost comes to warn Scrooge of its own fate [2.1][3.1].", []string{fate}, 1},
		{"nothing else", "The Ghost comes to warn Scrooge of its own fate [2.1].", []string{nearer}, 0},
		{"a name in words of what is cited", "Scrooge praises Jacob for business, and the Ghost answers that mankind and the common welfare were its business [4.1][5.1].", []string{mankind}, 1},
		{"only names in what both say", "Marley's Ghost floats out of the opened window into the night and joins in the dirge [6.1].", []string{spectre}, 0},
		{"two words that are left", "The Ghost laments that it misused its life's opportunities and that mankind, not trade, was its business [7.1].", []string{regret, trade}, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			a, err := Resolver{Evidence: g}.Generated(t.Context(), tc.generated, records, nil, nil)
			if err != nil || a.Dropped != tc.dropped {
				t.Errorf("%d dropped, %v, want %d", a.Dropped, err, tc.dropped)
			}
			var got []string
			for _, c := range a.Citations {
				got = append(got, text.OneLine(c.Quote))
			}
			if diff := cmp.Diff(tc.quotes, got); diff != "" {
				t.Errorf("quotes (-want +got):\n%s", diff)
			}
		})
	}
}

// TestDropUnfounded: a citation of a record of which nothing holds enough of the statement is removed
// and counted, and a statement without another one counts as one that has none. A chunk is evidence by
// itself, and texts in other languages are not compared.
func TestDropUnfounded(t *testing.T) {
	t.Parallel()
	const asked = "'Are there no prisons?' asked Scrooge. 'Plenty of prisons,' said the gentleman, laying down the pen again."
	chunks := []graph.Reference{{N: 1, Kind: graph.KindChunk, Key: "c/nuts"}}
	g := &fakeGraph{nodes: map[string]neo4jstore.Evidence{
		"c/nuts":  chunkEvidence("c/nuts", "To edge his way along the crowded paths of life, warning all human sympathy to keep its distance, was what the knowing ones call 'nuts' to Scrooge."),
		"c/asked": chunkEvidence("c/asked", asked),
		"c/lives": {Kind: graph.KindReport, Key: "c/lives", Text: "Scrooge\n\nHe keeps human sympathy at a distance and refers the poor to prisons and like establishments. [1]", Supports: chunks},
	}}
	records := []Record{
		{Reference: graph.Reference{Kind: graph.KindReport, Key: "c/lives"}},
		{Reference: graph.Reference{Kind: graph.KindChunk, Key: "c/asked"}},
	}
	for _, tc := range []struct {
		name, generated, text                  string
		citations, unfounded, dropped, uncited int
	}{
		{"alone", "He refers them to prisons and like establishments [1.1].", "He refers them to prisons and like establishments.", 0, 1, 0, 1},
		{"next to a statement that is founded", "He warns human sympathy to keep its distance [1.1]. He refers them to prisons and like establishments [1.1].", "He warns human sympathy to keep its distance [1]. He refers them to prisons and like establishments.", 1, 1, 0, 1},
		{"next to a better one", "He asks for prisons and like establishments [1.1][2.1].", "He asks for prisons and like establishments [1].", 1, 0, 1, 0},
		{"a chunk", "He treats his poor employee meanly [2].", "He treats his poor employee meanly [1].", 1, 0, 0, 0},
		{"in another language", "Er verweist die Armen auf die Gefängnisse und auf ähnliche Einrichtungen der Stadt [1.1].", "Er verweist die Armen auf die Gefängnisse und auf ähnliche Einrichtungen der Stadt [1].", 1, 0, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			a, err := Resolver{Evidence: g}.Generated(t.Context(), tc.generated, records[:1+strings.Count(tc.generated, "[2")], nil, nil)
			if err != nil || a.Text != tc.text {
				t.Errorf("got %q, %v, want %q", a.Text, err, tc.text)
			}
			got := []int{len(a.Citations), a.Unfounded, a.Dropped, a.Uncited}
			if diff := cmp.Diff([]int{tc.citations, tc.unfounded, tc.dropped, tc.uncited}, got); diff != "" {
				t.Errorf("citations, unfounded, dropped and uncited (-want +got):\n%s", diff)
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
