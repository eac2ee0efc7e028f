package cite

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A fakeGraph is evidence by key. It counts the reads.
type fakeGraph struct {
	nodes map[string]neo4jstore.Evidence
	reads int
}

func (g *fakeGraph) Evidence(_ context.Context, refs []graph.Reference) ([]neo4jstore.Evidence, error) {
	g.reads++
	var out []neo4jstore.Evidence
	for _, ref := range refs {
		if ev, ok := g.nodes[ref.Key]; ok {
			out = append(out, ev)
		}
	}
	return out, nil
}

func (g *fakeGraph) ChunkPlaces(_ context.Context, keys []string) ([]neo4jstore.PlacedChunk, error) {
	var out []neo4jstore.PlacedChunk
	for _, key := range keys {
		if ev, ok := g.nodes[key]; ok {
			at := graph.ChunkPlace{FileStart: ev.Start, FileEnd: ev.Start + len(ev.ChunkText)}
			out = append(out, neo4jstore.PlacedChunk{ChunkPlace: at, Key: key, Text: ev.ChunkText, Start: ev.Start})
		}
	}
	return out, nil
}

func sampleGraph() *fakeGraph {
	return &fakeGraph{nodes: map[string]neo4jstore.Evidence{
		"c/parent": {Kind: graph.KindReport, Key: "c/parent", Supports: []graph.Reference{{Kind: graph.KindReport, Key: "c/child"}}},
		"c/other":  {Kind: graph.KindReport, Key: "c/other", Supports: []graph.Reference{{Kind: graph.KindReport, Key: "c/child"}}},
		"c/child":  {Kind: graph.KindReport, Key: "c/child", Supports: []graph.Reference{{Kind: graph.KindChunk, Key: "c/chunk"}}},
		"c/loop":   {Kind: graph.KindReport, Key: "c/loop", Supports: []graph.Reference{{Kind: graph.KindReport, Key: "c/loop"}}},
		"c/chunk": {
			Kind: graph.KindChunk, Key: "c/chunk", Chunk: "c/chunk", DocumentURI: "stave-1.txt", Start: 100, End: 160,
			ChunkText: "Marley was dead:\nto begin with. There is no doubt about that.",
		},
	}}
}

func cites(key, text string) Statement {
	return Statement{Text: text, Title: key, Target: graph.Reference{Kind: graph.KindReport, Key: key}}
}

// TestResolve follows a report over the report of a child down to a chunk, one
// read a step. A statement without evidence has the zero Reference.
func TestResolve(t *testing.T) {
	t.Parallel()
	statements := []Statement{cites("c/parent", "Marley was dead: to begin with."), cites("c/loop", "Nobody knows."), cites("c/gone", "It is gone.")}
	for filtered, loop := range map[bool]resolved{
		false: {Reference: Reference{Kind: graph.KindReport, Key: "c/loop", Title: "c/loop", Corpus: "c"}}, // it exists, but has no words
		true:  {},
	} {
		g := sampleGraph()
		got, err := Resolver{Evidence: g, Filtered: filtered}.resolve(t.Context(), statements, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := []resolved{{coverage: 1, Reference: Reference{
			Kind: graph.KindReport, Key: "c/parent", Title: "c/parent", Corpus: "c", Document: "stave-1.txt", Chunk: "c/chunk",
			Start: 100, End: 131, Quote: "Marley was dead:\nto begin with.",
		}}, loop, {}}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(resolved{})); diff != "" {
			t.Errorf("filtered %v (-want +got):\n%s", filtered, diff)
		}
		if g.reads != 3 {
			t.Errorf("filtered %v: %d reads, want 3", filtered, g.reads)
		}
	}
}

// TestResolveMarksStaleReports checks that a reference to a stale report says so, also if the
// statement cites what the report rests on, without another read.
func TestResolveMarksStaleReports(t *testing.T) {
	t.Parallel()
	for _, cited := range [][]graph.Reference{nil, {{Kind: graph.KindChunk, Key: "c/chunk"}}} {
		g := sampleGraph()
		stale := g.nodes["c/child"]
		stale.Stale = .2
		g.nodes["c/child"] = stale
		s := cites("c/child", "Marley was dead: to begin with.")
		s.Cited = cited
		got, err := Resolver{Evidence: g}.resolve(t.Context(), []Statement{s}, nil)
		if err != nil || got[0].Stale != .2 || got[0].Quote == "" || g.reads != 2-len(cited) {
			t.Errorf("citing %v: %+v, %v after %d reads", cited, got, err, g.reads)
		}
	}
}

// TestResolveUsesKnownEvidence: what was read before is not read again.
func TestResolveUsesKnownEvidence(t *testing.T) {
	t.Parallel()
	g := &fakeGraph{}
	known := Known{}
	known.AddChunk(neo4jstore.ChunkRow{Chunk: graph.Chunk{Key: "c/chunk", Text: "Marley was dead."}, DocumentURI: "stave-1.txt"})
	s := Statement{Text: "Marley was dead.", Target: graph.Reference{Kind: graph.KindChunk, Key: "c/chunk"}}
	got, err := Resolver{Evidence: g}.resolve(t.Context(), []Statement{s}, known)
	if err != nil || got[0].Quote != "Marley was dead." || g.reads != 0 {
		t.Errorf("got %+v, %v after %d reads", got, err, g.reads)
	}
}

// TestExtracted: items that quote the same words share a number, and an item
// without evidence is dangling.
func TestExtracted(t *testing.T) {
	t.Parallel()
	items := []Item{
		{Statement: cites("c/parent", "Marley was dead: to begin with."), Also: []Statement{cites("c/other", "Marley was dead: to begin with.")}},
		{Statement: cites("c/gone", "It is gone.")},
	}
	got, err := Resolver{Evidence: sampleGraph()}.Extracted(t.Context(), items, false, nil)
	if err != nil || got.Text != "- Marley was dead: to begin with. [1]" || len(got.References) != 1 || got.Dangling != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestTrace returns every node on the way, then the document with the text around the quote.
func TestTrace(t *testing.T) {
	t.Parallel()
	r := Resolver{Evidence: sampleGraph()}
	steps, err := r.Trace(t.Context(), graph.Reference{Kind: graph.KindReport, Key: "c/parent"}, "There is no doubt about that.")
	if err != nil || len(steps) != 4 || steps[3].Quote != "There is no doubt about that." || steps[3].Before != "Marley was dead:\nto begin with. " {
		t.Errorf("got %+v, %v", steps, err)
	}
	if _, err := r.Trace(t.Context(), graph.Reference{Kind: graph.KindReport, Key: "c/gone"}, ""); err == nil {
		t.Error("Trace of nothing: got no error")
	}
}

// TestCitedPartsOfReports: a citation of a part of a report leads to what that part cites, also
// if another part holds more of the statement. Without one, it leads to the part that holds most.
func TestCitedPartsOfReports(t *testing.T) {
	t.Parallel()
	g := &fakeGraph{nodes: map[string]neo4jstore.Evidence{
		"c/report": {
			Kind: graph.KindReport, Key: "c/report", Text: "# Weather\n\nThe mill had heavy rain [1]. Snow fell on the mill [2].",
			Supports: []graph.Reference{{N: 1, Kind: graph.KindChunk, Key: "c/rain"}, {N: 2, Kind: graph.KindChunk, Key: "c/snow"}},
		},
		"c/rain": chunkEvidence("c/rain", "Heavy rain reached the old mill."),
		"c/snow": chunkEvidence("c/snow", "Deep snow covered the old mill for weeks."),
	}}
	records := []Record{{Reference: graph.Reference{N: 1, Kind: graph.KindReport, Key: "c/report"}, Title: "Weather"}}
	for generated, want := range map[string]string{
		"Snow fell on the old mill [1.1].": "Heavy rain reached the old mill.",
		"Snow fell on the old mill [1.2].": "Deep snow covered the old mill for weeks.",
		"Snow fell on the old mill [1].":   "Deep snow covered the old mill for weeks.",
	} {
		a, err := Resolver{Evidence: g}.Generated(t.Context(), generated, records, nil, nil)
		if err != nil || len(a.Citations) != 1 || a.Citations[0].Quote != want {
			t.Errorf("%q: got %+v, %v, want %q", generated, a.Citations, err, want)
		}
	}
}
