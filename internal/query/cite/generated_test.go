package cite

import (
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

func TestRenumber(t *testing.T) {
	t.Parallel()
	numbers := []int{2, 0, 1, 2} // of the statements 1 to 4; the second resolved to nothing
	for in, want := range map[string]string{
		" [1][3]": " [2][1]", "[1] [4]": "[2]", " [2]": "", " [2][3]": " [1]", " [9]": "",
	} {
		if got := renumber(in, numbers); got != want {
			t.Errorf("renumber(%q): got %q, want %q", in, got, want)
		}
	}
}

// TestGeneratedQuotesSentences: words that a model repeats are quoted with their sentences, never
// alone, and the sentence that it names comes first.
func TestGeneratedQuotesSentences(t *testing.T) {
	t.Parallel()
	const source = `# Heavy rain fell in the valley

Scrooge came late. Old Scrooge kept the counting-house cold. Terrain fell on hills to the north, and then rain fell on hills to the south. Does heavy rain damage old bridges?

Marley signed the register. He had signed it in his own hand. These tumors of the adrenal gland grow slowly, and they are found by chance.

Before the winter the miller wants more things for his mill.
- two stones from France
- a new wheel of oak
`
	for _, tc := range []struct {
		name, generated, want string
		match                 Match
	}{
		{"a short item with its sentence", "The people:\n\n- **Scrooge** [1.3]", "Old Scrooge kept the counting-house cold.", Exact},
		{"two words", "They are these tumors [1].", "Marley signed the register. He had signed it in his own hand. These tumors of the adrenal gland grow slowly, and they are found by chance.", Approximate},
		{"a verbatim heading", "Heavy rain fell in the valley [1].", "Terrain fell on hills to the north, and then rain fell on hills to the south.", Approximate},
		{"a verbatim question", "Does heavy rain damage old bridges [1].", "", ""},
		{"a verbatim sentence with a pronoun", "He had signed it in his own hand [1].", "Marley signed the register. He had signed it in his own hand.", Exact},
		{"half a sentence", "tumors of the adrenal gland grow slowly [1].", "Marley signed the register. He had signed it in his own hand. These tumors of the adrenal gland grow slowly, and they are found by chance.", Exact},
		{"inside a word", "rain fell on hills to the south [1].", "Terrain fell on hills to the north, and then rain fell on hills to the south.", Exact},
		{"an item of a list without a colon", "A new wheel of oak is wanted [1].", "Before the winter the miller wants more things for his mill.\n- two stones from France\n- a new wheel of oak", Approximate},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			records := []Record{{Reference: graph.Reference{N: 1, Kind: graph.KindChunk, Key: "c/chunk"}, Title: "Notes"}}
			known := Known{{Kind: graph.KindChunk, Key: "c/chunk"}: chunkEvidence("c/chunk", source)}
			a, err := Resolver{Evidence: &fakeGraph{}}.Generated(t.Context(), tc.generated, records, known, nil)
			if err != nil || len(a.Citations) != 1 {
				t.Fatalf("got %+v, %v", a, err)
			}
			if c := a.Citations[0]; c.Quote != tc.want || c.Match != tc.match {
				t.Errorf("got %q (%s), want %q (%s)", c.Quote, c.Match, tc.want, tc.match)
			}
		})
	}
}

// TestGeneratedFollowsWhatIsCited: a statement that says something of a record in other words is
// quoted by the words behind the sentence of the report, or the claim, that it cites. Without any, the
// citation is removed.
func TestGeneratedFollowsWhatIsCited(t *testing.T) {
	t.Parallel()
	const source = "Scrooge had a very small fire. The clerk's fire was so very much smaller that it looked like one coal. Fog came pouring in at every chink. Scrooge went the whole length of the expression. Scrooge heard confused noises in the air; sounds of lamentation and regret."
	chunk := chunkEvidence("c/chunk", source)
	chunks := []graph.Reference{{N: 1, Kind: graph.KindChunk, Key: "c/chunk"}}
	g := &fakeGraph{nodes: map[string]neo4jstore.Evidence{
		"c/chunk": chunk,
		"c/report": {
			Kind: graph.KindReport, Key: "c/report", Supports: chunks,
			Text: "A cold counting-house\n\nScrooge had a small fire. [1] The clerk's fire was so much smaller that it looked like one coal. [1]",
		},
		"c/told": {
			Kind: graph.KindReport, Key: "c/told", Text: "A dinner\n\nThe invitation to dine was turned down in strong words. [1][2]",
			Supports: []graph.Reference{{N: 1, Kind: graph.KindClaim, Key: "c/claim"}, {N: 2, Kind: graph.KindClaim, Key: "c/refused"}},
		},
		"c/heard":   {Kind: graph.KindReport, Key: "c/heard", Text: "Noises\n\nScrooge begged for comfort, and heard the confused noises in the air. [1]", Supports: chunks},
		"c/refused": {Kind: graph.KindClaim, Key: "c/refused", Text: "Scrooge refuses the invitation to dine in strong words.", Quote: "Scrooge went the whole length of the expression.", Supports: chunks},
		"c/claim":   {Kind: graph.KindClaim, Key: "c/claim", Text: "The fog entered", Quote: "Fog came pouring in at every chink.", Supports: chunks},
	}}
	for _, tc := range []struct {
		name, generated, want string
		record                graph.Reference
	}{
		{"a sentence of a report", "He treats his employee meanly [1.2].", "The clerk's fire was so very much smaller that it looked like one coal.", graph.Reference{Kind: graph.KindReport, Key: "c/report"}},
		{"a whole report", "He treats his employee meanly [1].", "", graph.Reference{Kind: graph.KindReport, Key: "c/report"}},
		{"a claim behind a report", "He refuses the invitation in strong words [1].", "Scrooge went the whole length of the expression.", graph.Reference{Kind: graph.KindReport, Key: "c/told"}},
		{"no claim that says it", "He likes the horses of the neighbours [1].", "", graph.Reference{Kind: graph.KindReport, Key: "c/told"}},
		{"what the quote does not hold", "Scrooge wants comfort and begs for it [1.1].", "", graph.Reference{Kind: graph.KindReport, Key: "c/heard"}},
		{"what it holds", "Noises troubled Scrooge, who heard in them the sad air of his old days and of his many sins [1.1].", "Scrooge heard confused noises in the air; sounds of lamentation and regret.", graph.Reference{Kind: graph.KindReport, Key: "c/heard"}},
		{"a claim", "This is only suspected [1].", "Fog came pouring in at every chink.", graph.Reference{Kind: graph.KindClaim, Key: "c/claim"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			a, err := Resolver{Evidence: g}.Generated(t.Context(), tc.generated, []Record{{Reference: tc.record, Title: "x"}}, nil, nil)
			if unfounded := len(a.Citations) == 0 && a.Unfounded == 1; err != nil || unfounded != (tc.want == "") {
				t.Fatalf("got %+v, %v", a, err)
			}
			for _, c := range a.Citations {
				if c.Quote != tc.want || c.Match == Exact {
					t.Errorf("got %q (%s), want %q", c.Quote, c.Match, tc.want)
				}
			}
		})
	}
}

// TestGeneratedCountsMissingSentences: sentences that a record does not have are counted, also where
// the statement is quoted by other sentences of it. Kinds without numbered sentences have none to miss.
func TestGeneratedCountsMissingSentences(t *testing.T) {
	t.Parallel()
	const source = "Scrooge had a very small fire. The clerk's fire was smaller."
	chunks := []graph.Reference{{N: 1, Kind: graph.KindChunk, Key: "c/chunk"}}
	g := &fakeGraph{nodes: map[string]neo4jstore.Evidence{
		"c/chunk":  chunkEvidence("c/chunk", source),
		"c/report": {Kind: graph.KindReport, Key: "c/report", Text: "Fires\n\nScrooge had a very small fire. [1]", Supports: chunks},
		"c/entity": {Kind: graph.KindEntity, Key: "c/entity", Text: "Scrooge had a very small fire.", Supports: chunks},
	}}
	for _, tc := range []struct {
		kind      graph.Kind
		generated string
		want      int
	}{
		{graph.KindChunk, "Scrooge had a very small fire [1.1]. The clerk's fire was smaller [1.2].", 0},
		{graph.KindChunk, "Scrooge had a very small fire [1].", 0},
		{graph.KindChunk, "Scrooge had a very small fire [1.99].", 1},
		{graph.KindChunk, "Scrooge had a very small fire [1.1][1.3]. The clerk's fire was smaller [1.3].", 2},
		{graph.KindReport, "Scrooge had a very small fire [1.1].", 0},
		{graph.KindReport, "Scrooge had a very small fire [1.2].", 1},
		{graph.KindEntity, "Scrooge had a very small fire [1.2].", 0},
	} {
		record := Record{Reference: graph.Reference{N: 1, Kind: tc.kind, Key: "c/" + strings.ToLower(string(tc.kind))}, Title: "x"}
		a, err := Resolver{Evidence: g}.Generated(t.Context(), tc.generated, []Record{record}, nil, nil)
		if err != nil || a.Missing != tc.want || len(a.References) != 1 {
			t.Errorf("%s: %q: %d missing sentences, %d references, %v; want %d and one", tc.kind, tc.generated, a.Missing, len(a.References), err, tc.want)
		}
	}
}
