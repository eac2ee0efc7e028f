package main

import (
	"context"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/text/textproc"
)

// vectors embeds texts, each of them once. Without an embedder the vectors are hashed.
type vectors struct {
	embedder *llm.BatchEmbedder
	known    map[string][]float32
}

// newVectors returns vectors of an embedding model, hashed ones without a URL, and what ends
// its connections.
func newVectors(url, model string) (*vectors, func(), error) {
	v := &vectors{known: map[string][]float32{}}
	if url == "" {
		return v, func() {}, nil
	}
	client, err := openai.New(openai.Config{BaseURL: url, EmbeddingModel: model})
	if err != nil {
		return nil, nil, err
	}
	v.embedder = llm.NewEmbedder(llm.EmbedConfig{Provider: client.Embedder()})
	return v, client.Close, nil
}

// of returns the vectors of texts, none of which is blank.
func (v *vectors) of(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	if v.embedder == nil {
		for i, text := range texts {
			out[i] = textproc.Vector(text)
		}
		return out, nil
	}
	var missing []string
	for _, text := range texts {
		if v.known[text] == nil {
			missing = append(missing, text)
		}
	}
	made, _, err := v.embedder.Embed(ctx, missing)
	if err != nil {
		return nil, err
	}
	for i, text := range missing {
		v.known[text] = made[i]
	}
	for i, text := range texts {
		out[i] = v.known[text]
	}
	return out, nil
}
