package index

import (
	"context"
	"errors"
	"strings"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/textproc"
)

// hashed makes vectors without a model: a text's vector depends on that text alone.
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

// A ModelEmbedder embeds by a model. Its dimension is known after a probe.
type ModelEmbedder struct{ *llm.BatchEmbedder }

// EmbedderName is what a corpus notes of an embedding model.
func EmbedderName(model string) string { return modelEmbedder + model }

// EmbedderModel is the embedding model that a note names; "" is none.
func EmbedderModel(note string) string {
	name, found := strings.CutPrefix(note, modelEmbedder)
	if !found {
		return ""
	}
	return name
}

const modelEmbedder = "model:"

// Fingerprint names the model.
func (e *ModelEmbedder) Fingerprint() string { return EmbedderName(e.Model()) }

// Embed gives vectors of length 1; a text of white space has none.
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

// probeEmbedder asks for the dimension of a model's vectors, once.
func (x *Indexer) probeEmbedder(ctx context.Context) error {
	if e, ok := x.options.Embedder.(*ModelEmbedder); ok {
		if _, err := e.Probe(ctx); err != nil {
			return err
		}
	}
	return nil
}
