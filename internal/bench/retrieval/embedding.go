package main

import (
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/query/retrieve"
)

// An embedding is a model that makes the vectors; the zero value means that none does.
type embedding struct{ url, model string }

// flags returns the flags of a command that needs no chat model.
func (e embedding) flags() []string {
	if e.url == "" {
		return []string{"--offline"}
	}
	return []string{"--embedding-base-url", e.url, "--embedding-model", e.model}
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
