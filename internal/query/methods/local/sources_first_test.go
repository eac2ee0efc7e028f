package local

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/text/textproc"
)

// TestSourcesFirst: a local context begins with the sources, and what they hold is not said again.
func TestSourcesFirst(t *testing.T) {
	t.Parallel()
	blocks := map[graph.Kind][]synth.Block{}
	for _, kind := range []graph.Kind{graph.KindReport, graph.KindClaim, graph.KindRelationship, graph.KindEntity, graph.KindChunk} {
		blocks[kind] = []synth.Block{{Key: string(kind), Kind: kind, Tokens: 10}}
	}
	var c query.PackedContext
	c.Pack(blocks, localSections, 1000)
	var got []graph.Kind
	for _, b := range c.Blocks {
		got = append(got, b.Kind)
	}
	want := []graph.Kind{graph.KindChunk, graph.KindEntity, graph.KindRelationship, graph.KindClaim, graph.KindReport}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
	for text, want := range map[string]bool{
		"Kidney cancer — smoking: smoking makes it more likely": false,
		"The insurance form is kept by the clinic":              true,
		"Die Versicherung wird von der Klinik aufbewahrt":       false, // of another language
	} {
		if got := isForeign(textproc.ReadQuestion("What causes cancer of the kidneys?"), synth.Block{Text: text}); got != want {
			t.Errorf("isForeign(%q): got %v", text, got)
		}
	}
	sources := []synth.Block{{Text: "Old Marley was the partner of Scrooge for many years."}, {Text: "It rained in London."}}
	for text, want := range map[string]bool{
		"Marley was Scrooge's partner for years.":        true,
		"Old Marley was Scrooge's partner in Liverpool.": true, // four of five terms
		"Marley rained.": false, // no single source has both
		"Marley quarrelled with Scrooge's nephew.": false,
	} {
		if got := saidIn(sources, synth.Block{Text: text}); got != want {
			t.Errorf("saidIn(%q): got %v", text, got)
		}
	}
}
