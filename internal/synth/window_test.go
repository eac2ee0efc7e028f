package synth

import (
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/report"
)

func TestNewWindowPrompt(t *testing.T) {
	t.Parallel()
	w := newWindowPrompt([]Block{{Key: "a", Kind: graph.KindChunk, Title: "One", Text: "It is [Data: Sources (9)] so [3]."}, {Key: "b", Kind: graph.KindChunk, Title: "Two", Text: "b"}})
	if want := "Source 1: One\nIt is so.\n\nSource 2: Two\nb"; w.text != want || w.values["kind"] != "Sources" || w.values["kinds"] != "Sources" || w.offered[report.Local{Kind: graph.KindChunk, N: 2}] != "b" {
		t.Errorf("got %+v", w)
	}
}
