package main

import (
	"context"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/retrieve"
)

// An embedding is a model that makes the vectors; the zero value means that none does.
type embedding struct{ url, model string }

// question returns the flags of a command that asks questions by methods that need no chat model.
func (e embedding) question() []string {
	if e.url == "" {
		return []string{"--offline"}
	}
	return []string{"--base-url", e.url, "--model", e.model} // which no method may ask
}

// embed replaces the vectors of a corpus by those of the model.
func (e embedding) embed(ctx context.Context, env []string, corpus string) error {
	if e.url == "" {
		return nil
	}
	_, err := neorag(ctx, env, "embed", "--again", "--corpus", corpus, "--base-url", e.url, "--embedding-model", e.model)
	return err
}

// embedder returns the model, nil without one, and what ends its connections.
func (e embedding) embedder() (retrieve.Embedder, func(), error) {
	if e.url == "" {
		return nil, func() {}, nil
	}
	client, err := openai.New(openai.Config{BaseURL: e.url, EmbeddingModel: e.model})
	if err != nil {
		return nil, nil, err
	}
	return &index.ModelEmbedder{BatchEmbedder: llm.NewEmbedder(llm.EmbedConfig{Provider: client.Embedder()})}, client.Close, nil
}
