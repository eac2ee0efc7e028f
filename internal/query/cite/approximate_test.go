package cite

import (
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A chunk is evidence of a document.
func chunkEvidence(key, text string) neo4jstore.Evidence {
	return neo4jstore.Evidence{Kind: graph.KindChunk, Key: key, Chunk: key, DocumentURI: key + ".txt", End: len(text), ChunkText: text}
}

// TestApproximate: a quote that holds the words of a statement is not marked, one that was
// found by similarity is, and a sentence that shares no term is not quoted.
func TestApproximate(t *testing.T) {
	t.Parallel()
	g := &fakeGraph{nodes: map[string]neo4jstore.Evidence{
		"c/chunk": chunkEvidence("c/chunk", "Marley was dead:\nto begin with. The chief mourner signed."),
	}}
	for _, filtered := range []bool{false, true} {
		for text, want := range map[string]Reference{
			"Marley was dead: to begin with.": {Quote: "Marley was dead:\nto begin with."},
			"Marley was dead…":                {Quote: "Marley was dead"},
			"The mourner had signed it.":      {Quote: "The chief mourner signed.", Approximate: true},
			"Nothing of that is in there.":    {},
		} {
			s := Statement{Text: text, Target: graph.Reference{Kind: graph.KindChunk, Key: "c/chunk"}}
			got, err := Resolver{Evidence: g, Filtered: filtered}.resolve(t.Context(), []Statement{s}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if ref := got[0]; ref.Quote != want.Quote || ref.Approximate != want.Approximate || ref.Document != "c/chunk.txt" || ref.Chunk != "c/chunk" {
				t.Errorf("%q, filtered %v: got %+v, want the quote %q, approximate %v", text, filtered, ref, want.Quote, want.Approximate)
			}
			steps, err := Resolver{Evidence: g}.Trace(t.Context(), s.Target, text)
			last := Step{}
			if err == nil {
				last = steps[len(steps)-1]
			}
			if err != nil || last.Quote != want.Quote || last.Approximate != want.Approximate {
				t.Errorf("trace %q: got %+v, %v", text, last, err)
			}
		}
	}
}

// TestApproximateOfReports: where no cited chunk holds the words of a statement, the
// nearest sentence of all of them is quoted.
func TestApproximateOfReports(t *testing.T) {
	t.Parallel()
	g := &fakeGraph{nodes: map[string]neo4jstore.Evidence{
		"c/entity": {Kind: graph.KindEntity, Key: "c/entity", Supports: []graph.Reference{{Kind: graph.KindChunk, Key: "c/1"}, {Kind: graph.KindChunk, Key: "c/2"}}},
		"c/1":      chunkEvidence("c/1", "It rained."),
		"c/2":      chunkEvidence("c/2", "The chief mourner signed."),
	}}
	s := Statement{Text: "A mourner signed it.", Target: graph.Reference{Kind: graph.KindEntity, Key: "c/entity"}}
	got, err := Resolver{Evidence: g}.resolve(t.Context(), []Statement{s}, nil)
	if err != nil || got[0].Quote != "The chief mourner signed." || !got[0].Approximate {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestResolveInTwoSteps: a quote is found in a chunk that another quote led to before.
func TestResolveInTwoSteps(t *testing.T) {
	t.Parallel()
	g := &fakeGraph{nodes: map[string]neo4jstore.Evidence{
		"c/entity": {Kind: graph.KindEntity, Key: "c/entity", Supports: []graph.Reference{{Kind: graph.KindChunk, Key: "c/1"}}},
		"c/1":      chunkEvidence("c/1", "It rained. It snowed."),
	}}
	got, err := Resolver{Evidence: g}.resolve(t.Context(), []Statement{
		{Text: "It rained.", Target: graph.Reference{Kind: graph.KindChunk, Key: "c/1"}},
		{Text: "It snowed.", Target: graph.Reference{Kind: graph.KindEntity, Key: "c/entity"}},
	}, nil)
	if err != nil || got[0].Quote != "It rained." || got[1].Quote != "It snowed." || g.reads != 1 {
		t.Errorf("got %+v, %v after %d reads", got, err, g.reads)
	}
}

// TestGeneratedMarksSimilarity: of a model's text, a statement that repeats the words of a
// source is exact, one that rephrases them is approximate, and one that shares nothing has no
// quote.
func TestGeneratedMarksSimilarity(t *testing.T) {
	t.Parallel()
	text := "Marley was dead: to begin with. The chief mourner signed. There was rain."
	records := []Record{{Reference: graph.Reference{N: 1, Kind: graph.KindChunk, Key: "c/chunk"}, Title: "Stave 1"}}
	known := Known{{Kind: graph.KindChunk, Key: "c/chunk"}: chunkEvidence("c/chunk", text)}
	for generated, want := range map[string]Citation{
		"It is said that Marley was dead: to begin with [1].": {Quote: "Marley was dead: to begin with.", Match: Exact},
		"Marley was dead [1].":                                {Quote: "Marley was dead: to begin with.", Match: Exact},
		"A mourner signed his name [1].":                      {Quote: "The chief mourner signed.", Match: Approximate},
		"Llovió todo el día [1].":                             {},
		"Llovió todo el día [1.3].":                           {Quote: "There was rain.", Match: Approximate},
	} {
		a, err := Resolver{Evidence: &fakeGraph{}}.Generated(t.Context(), generated, records, known, nil)
		if err != nil || len(a.References) != 1 || len(a.Citations) != 1 {
			t.Fatalf("%q: got %+v, %v", generated, a, err)
		}
		if c, r := a.Citations[0], a.References[0]; c.Quote != want.Quote || c.Match != want.Match || r.Quote != c.Quote || r.Approximate != (c.Match == Approximate) || r.Chunk != "c/chunk" {
			t.Errorf("%q: got %+v of %+v", generated, c, r)
		}
	}
}
