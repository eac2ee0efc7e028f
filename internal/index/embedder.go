package index

import (
	"context"
	"errors"
	"strings"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/textproc"
)

// hashed embeds without a model: the vector of a text depends only on the text.
type hashed struct{}

func (hashed) Fingerprint() string { return "hashed-1" }
func (hashed) Dimension() int      { return textproc.Dimension }

func (hashed) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = textproc.Vector(t)
	}
	return out, nil
}

// A ModelEmbedder embeds with a model. Its dimension is known after a probe.
type ModelEmbedder struct{ *llm.BatchEmbedder }

// EmbedderName returns the embedder that is stored with a corpus for an embedding
// model.
func EmbedderName(model string) string { return modelEmbedder + model }

// EmbedderModel returns the embedding model of an embedder stored with a corpus, or
// "" if its vectors were made without a model.
func EmbedderModel(embedder string) string {
	name, found := strings.CutPrefix(embedder, modelEmbedder)
	if !found {
		return ""
	}
	return name
}

const modelEmbedder = "model:"

// Fingerprint names the model.
func (e *ModelEmbedder) Fingerprint() string { return EmbedderName(e.Model()) }

// Embed returns vectors of length 1, and nil for a text of only white space.
func (e *ModelEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	var full []string
	var at []int
	for i, t := range texts {
		if strings.TrimSpace(t) != "" {
			full, at = append(full, t), append(at, i)
		}
	}
	if len(full) == 0 {
		return out, nil
	}
	vectors, _, err := e.BatchEmbedder.Embed(ctx, full)
	if refused, ok := errors.AsType[*llm.TextError](err); ok {
		return nil, &llm.TextError{Index: at[refused.Index], Err: refused.Err}
	}
	if err != nil {
		return nil, err
	}
	for i, v := range vectors {
		out[at[i]] = v
	}
	return out, nil
}

// probeEmbedder asks the embedding model for its dimension, once.
func (x *Indexer) probeEmbedder(ctx context.Context) error {
	if e, ok := x.options.Embedder.(*ModelEmbedder); ok {
		if _, err := e.Probe(ctx); err != nil {
			return err
		}
	}
	return nil
}
