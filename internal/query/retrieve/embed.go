package retrieve

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/neorag/neorag/internal/stage/qcg"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
)

// Embed returns the vector of a question.
func (c Corpus) Embed(ctx context.Context, question string) ([]float32, error) {
	vectors, err := c.embedAll(ctx, []string{question})
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

// embedAll returns the vectors of texts, hashed if the corpus has no embedding model.
func (c Corpus) embedAll(ctx context.Context, texts []string) ([][]float32, error) {
	if c.Embedder == nil {
		vectors := make([][]float32, len(texts))
		for i, text := range texts {
			vectors[i] = textproc.Vector(text)
		}
		return vectors, nil
	}
	vectors, err := c.Embedder.Embed(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("embed the question: %w", err)
	}
	return vectors, nil
}

// SearchByMean ranks at most limit chunks by their cosine with the mean of the vectors of
// texts, as HyDE does (section 3.2).
func (r Reader) SearchByMean(ctx context.Context, texts []string, limit int) (Ranking, error) {
	var hits []neo4jstore.Hit
	for _, c := range r.Corpora {
		vectors, err := c.embedAll(ctx, texts)
		if err != nil {
			return Ranking{}, err
		}
		vector := mean(vectors)
		if !HasDirection(vector) {
			continue
		}
		own, err := r.Store.NearestInScope(ctx, c.Name, c.Filter, vector, max(1, limit))
		if err != nil {
			return Ranking{}, err
		}
		hits = ByHitScore(hits, own)
	}
	return ByVector(hits), nil
}

// HasDirection reports whether a vector was made of a text with words.
func HasDirection(vector []float32) bool {
	return slices.ContainsFunc(vector, func(x float32) bool { return x != 0 })
}

// mean returns the mean of vectors of the length 1, each of which counts the same, scaled to
// the length 1. If they cancel each other out, it is the first of them.
func mean(vectors [][]float32) []float32 {
	var m qcg.Mean
	for _, v := range vectors {
		m.Add(v)
	}
	if unit := m.Unit(); unit != nil {
		return unit
	}
	return vectors[0]
}

// A cachedEmbedder embeds a text once: several searches for a question share its vector.
type cachedEmbedder struct {
	Embedder

	mu      sync.Mutex
	vectors map[string][]float32
}

// Embed returns the vectors of texts, of which it has the model embed those that are new.
func (e *cachedEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	var missing []string
	var places []int
	e.mu.Lock()
	for i, text := range texts {
		if out[i] = e.vectors[text]; out[i] == nil {
			missing, places = append(missing, text), append(places, i)
		}
	}
	e.mu.Unlock()
	if len(missing) == 0 {
		return out, nil
	}
	made, err := e.Embedder.Embed(ctx, missing)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, vector := range made {
		out[places[i]], e.vectors[missing[i]] = vector, vector
	}
	return out, nil
}
