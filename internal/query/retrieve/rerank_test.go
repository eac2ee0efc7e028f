package retrieve

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

type fakeReranker func(texts []string) ([]float64, error)

func (f fakeReranker) Rerank(_ context.Context, _ string, texts []string) ([]float64, error) {
	return f(texts)
}

func chunksOf(texts ...string) []Chunk {
	out := make([]Chunk, len(texts))
	for i, text := range texts {
		out[i] = Chunk{ChunkRow: neo4jstore.ChunkRow{Chunk: graph.Chunk{Key: text, Text: text}, DocumentTitle: "minutes", Date: "2026-03-10"}, Score: 1 - float64(i)/10}
	}
	return out
}

func keysOf(chunks []Chunk) string {
	keys := make([]string, len(chunks))
	for i, c := range chunks {
		keys[i] = c.Key
	}
	return strings.Join(keys, ",")
}

func TestRerank(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		reranker Reranker
		want     string
		note     string
	}{
		{"none", nil, "a,b,c", ""},
		{"reversed", fakeReranker(func([]string) ([]float64, error) { return []float64{1, 2, 3}, nil }), "c,b,a", ""},
		{"failing", fakeReranker(func([]string) ([]float64, error) { return nil, errors.New("out of order") }), "a,b,c", "out of order"},
		{"too few scores", fakeReranker(func([]string) ([]float64, error) { return []float64{1}, nil }), "a,b,c", "1 scores for 3 texts"},
	}
	for _, tt := range tests {
		got, notes, err := Rerank(t.Context(), tt.reranker, "why?", chunksOf("a", "b", "c"))
		note := strings.Join(notes, "\n")
		if err != nil || keysOf(got) != tt.want || !strings.Contains(note, tt.note) || (note == "") != (tt.note == "") {
			t.Errorf("%s: got %s, note %q, %v; want %s, note %q", tt.name, keysOf(got), note, err, tt.want, tt.note)
		}
	}
	var read []string
	_, _, _ = Rerank(t.Context(), fakeReranker(func(texts []string) ([]float64, error) { read = texts; return nil, nil }), "why?", chunksOf("a", "b"))
	if len(read) != 2 || read[0] != "minutes (2026-03-10)\na" {
		t.Errorf("the reranker read %q, want titles and texts", read)
	}
}

func TestDiversify(t *testing.T) {
	t.Parallel()
	chunks := chunksOf("the lamps of the harbour", "the lamps at the harbour", "a ball for apprentices")
	if got := keysOf(Diversify(chunks, 0)); got != keysOf(chunks) {
		t.Errorf("diversity 0: got %s", got)
	}
	if got := Diversify(chunks, .9); got[0].Key != chunks[0].Key || got[1].Key != chunks[2].Key {
		t.Errorf("diversity .9: got %s, want the chunk of other terms second", keysOf(got))
	}
}
