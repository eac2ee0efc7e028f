package cite

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// A chunk is evidence of a document.
func chunkEvidence(key, text string) neo4jstore.Evidence {
	return neo4jstore.Evidence{Kind: graph.KindChunk, Key: key, Chunk: key, DocumentURI: "stave-1.txt", End: len(text), ChunkText: text}
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
			if ref := got[0]; ref.Quote != want.Quote || ref.Approximate != want.Approximate || ref.Document != "stave-1.txt" || ref.Chunk != "c/chunk" {
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

// TestSupportsMarksSimilarity: of a model's text, a statement that it repeats is exact, one
// that it rephrases is approximate, and one without a common term is none.
func TestSupportsMarksSimilarity(t *testing.T) {
	t.Parallel()
	text := "Marley was dead: to begin with. The chief mourner signed."
	source := Source{Title: "Stave 1", Statements: TextStatements(text, "Stave 1", graph.Reference{Kind: graph.KindChunk, Key: "c/chunk"})}
	refs := []graph.Reference{{N: 1, Kind: graph.KindChunk, Key: "c/chunk"}}
	for generated, want := range map[string]Statement{
		"It is said that Marley was dead: to begin with [1].": {Text: "Marley was dead: to begin with."},
		"Marley was dead [1].":                                {Text: "Marley was dead: to begin with."},
		"A mourner signed his name [1].":                      {Text: "The chief mourner signed.", Approximate: true},
		"Llovió todo el día [1].":                             {Approximate: true},
	} {
		got := Supports(generated, refs, func(string) (Source, bool) { return source, true })
		if diff := cmp.Diff([]string{want.Text}, []string{got[0].Text}); diff != "" || got[0].Approximate != want.Approximate {
			t.Errorf("%q: got %+v, want %+v", generated, got[0], want)
		}
		known := Known{refs[0]: chunkEvidence("c/chunk", text)}
		known[graph.Reference{Kind: graph.KindChunk, Key: "c/chunk"}] = chunkEvidence("c/chunk", text)
		a, err := Resolver{Evidence: &fakeGraph{}}.Generated(t.Context(), generated, got, known)
		if err != nil || len(a.References) != 1 || a.References[0].Quote != want.Text || a.References[0].Approximate != (want.Approximate && want.Text != "") {
			t.Errorf("%q: got %+v, %v", generated, a, err)
		}
	}
}
