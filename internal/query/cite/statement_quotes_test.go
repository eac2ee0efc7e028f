package cite

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// TestQuoteTogether: a statement that joins facts from several places of a text has a quote for
// each of them, and none for words that say nothing.
func TestQuoteTogether(t *testing.T) {
	t.Parallel()
	const source = "The clerk's fire looked like one coal. The door stood open. A letter lay on the desk. The keyhole was narrow. " +
		"Outside it was three o'clock. Fog came pouring in at every chink of the houses. A ruler hung by itself on its own nail. " +
		"Nobody had painted out the name of the partner above the door. The stove was cold. The singer of a carol fled in terror. A comb-maker sat idle."
	const (
		coal, fog = "The clerk's fire looked like one coal.", "Fog came pouring in at every chink of the houses."
		carol     = "The singer of a carol fled in terror."
	)
	g := &fakeGraph{nodes: map[string]neo4jstore.Evidence{"c/chunk": chunkEvidence("c/chunk", source)}}
	var records []Record
	for _, key := range []string{"c/one", "c/two"} {
		g.nodes[key] = neo4jstore.Evidence{
			Kind: graph.KindReport, Key: key, Text: "Cold\n\nA cold day. [1]",
			Supports: []graph.Reference{{N: 1, Kind: graph.KindChunk, Key: "c/chunk"}},
		}
		records = append(records, Record{Reference: graph.Reference{Kind: graph.KindReport, Key: key}, Title: "Cold"})
	}
	for _, tc := range []struct {
		name, generated string
		want            []string
	}{
		{"two places", "The clerk's fire was like one coal, and fog poured through every chink of the houses [1].", []string{coal, fog}},
		{"three places", "The clerk's fire was like one coal, fog poured through every chink of the houses, and the carol singer fled in terror [1].", []string{coal, fog, carol}},
		{"a place for each record", "The clerk's fire was like one coal, and fog poured through every chink of the houses [1][2].", []string{coal, fog}},
		{"the same place", "The clerk's fire was like one coal [1][2].", []string{coal}},
		{"what the text does not say", "The clerk's fire was like one coal, and Bedlam was full of merry fools at dinner [1].", []string{coal}},
		{"words that say nothing", "The clerk's fire itself was like one coal of his own [1][2].", []string{coal}},
		{"one word of two terms", "To nephew, uncle, aunt and comb-maker the clerk's fire was like one coal [1].", []string{coal}},
		{"nothing but one word of two terms", "In the shop of the comb-maker the clerk's fire was like one coal [1].", []string{coal}},
		{"two statements", "The clerk's fire was like one coal [1]. Fog poured through every chink of the houses [2].", []string{coal, fog}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			a := quotedAs(t, g, tc.generated, records, tc.want)
			for _, c := range a.Citations {
				if source[c.Start:c.End] != c.Quote {
					t.Errorf("bytes %d to %d are not %q", c.Start, c.End, c.Quote)
				}
			}
		})
	}
}

// quotedAs resolves an answer and checks its quotes, in the order of its citations.
func quotedAs(t *testing.T, g *fakeGraph, generated string, records []Record, want []string) Answer {
	t.Helper()
	a, err := Resolver{Evidence: g}.Generated(t.Context(), generated, records, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range a.Citations {
		got = append(got, c.Quote)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("quotes (-want +got):\n%s", diff)
	}
	return a
}

// TestRepeatedCitation: where two records lead to the same words, the answer keeps both numbers, so that
// an answer that was streamed stays, and one citation shows the words.
func TestRepeatedCitation(t *testing.T) {
	t.Parallel()
	const fire = "The clerk's fire looked like one coal."
	g := &fakeGraph{nodes: map[string]neo4jstore.Evidence{"c/chunk": chunkEvidence("c/chunk", fire+" Fog came in at every chink.")}}
	var records []Record
	for _, key := range []string{"c/one", "c/two"} {
		g.nodes[key] = neo4jstore.Evidence{Kind: graph.KindReport, Key: key, Text: "Cold\n\nA cold day. [1] A small fire. [1]", Supports: []graph.Reference{{N: 1, Kind: graph.KindChunk, Key: "c/chunk"}}}
		records = append(records, Record{Reference: graph.Reference{Kind: graph.KindReport, Key: key}})
	}
	a := quotedAs(t, g, "The clerk's fire was like one coal [1.1][1.2][2.2].", records, []string{fire})
	if a.Text != "The clerk's fire was like one coal [1][2]." || a.Dropped != 0 || len(a.References) != 2 || a.References[1].Quote != fire {
		t.Errorf("got %+v", a)
	}
}
