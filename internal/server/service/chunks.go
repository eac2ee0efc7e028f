package service

import (
	"context"
	"math"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
)

// A Chunk is a chunk that a search found.
type Chunk struct {
	Key      string
	Corpus   string
	Title    string // of the document, with its date if it has one
	Document string // URI
	Text     string
	Score    float64 // how relevant it is, from 0; the best has about 1
	Place    cite.Place
	Href     string // path of its page on this server
}

// Chunks returns at most limit chunks that are relevant to a question, best first. The method of the
// question must rank chunks, as basic does. Its history is not used.
func (s *Service) Chunks(ctx context.Context, q Question, limit int) ([]Chunk, error) {
	e, ctx, end, err := s.engine(ctx, q.Corpora)
	if err != nil {
		return nil, err
	}
	defer end()
	found, err := e.Retrieve(ctx, s.question(q))
	if err != nil {
		return nil, err
	}
	return s.readChunks(ctx, found.Chunks[:min(limit, len(found.Chunks))])
}

// readChunks reads the chunks of a ranking, in its order.
func (s *Service) readChunks(ctx context.Context, ranked []rank.Scored) ([]Chunk, error) {
	var corpora []retrieve.Corpus
	for _, r := range ranked {
		if c := (retrieve.Corpus{Name: graph.CorpusOf(r.Key)}); !slices.Contains(corpora, c) {
			corpora = append(corpora, c)
		}
	}
	reader := retrieve.NewReader(s.options.Store, corpora...)
	chunks, err := reader.Chunks(ctx, ranked)
	if err != nil {
		return nil, err
	}
	spans, err := cite.Resolver{Evidence: reader}.Spans(ctx, retrieve.ScoredKeys(ranked))
	if err != nil {
		return nil, err
	}
	out := make([]Chunk, len(chunks))
	least := math.Inf(1) // chunks that a reranker did not see may have higher scores than those before
	for i, c := range chunks {
		corpus, span := graph.CorpusOf(c.Key), spans[c.Key]
		least = min(least, max(0, c.Score))
		out[i] = Chunk{
			Key: c.Key, Corpus: corpus, Title: c.Title(), Document: c.DocumentURI, Text: c.Text, Score: least,
			Place: span.Place, Href: DocumentHref(corpus, c.Document, span.Start, span.End, c.Text),
		}
	}
	return out, nil
}
