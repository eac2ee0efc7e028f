package retrieve

import (
	"context"
	"sync"
)

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
