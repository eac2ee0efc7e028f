// Package retrieve finds what a question can be answered from: chunks by words
// and vectors, entities with their surroundings, and community reports.
//
// Every read goes through a Reader, which holds the scope of one question: one or more
// corpora, each restricted by the question's filter. The package ranks what it finds,
// best first, and ties always break the same way. It asks no chat model and never writes
// to the store.
package retrieve

import (
	"context"
	"errors"
	"slices"

	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// Errors that callers decide on.
var (
	// ErrNotIndexed means that a corpus does not exist, or does not have the nodes that
	// were to be read, such as reports.
	ErrNotIndexed = errors.New("nothing is indexed yet")
	// ErrNoReportInScope means that no report cites anything that chunks of the scope
	// support.
	ErrNoReportInScope = errors.New("no report cites the documents that it leaves")
)

// Lacks is an ErrNotIndexed that says what a corpus does not have, and what to do.
type Lacks string

func (e Lacks) Error() string { return string(e) }

// Is reports whether target is ErrNotIndexed.
func (Lacks) Is(target error) bool { return target == ErrNotIndexed }

// An Embedder turns texts into vectors of the model that embedded the corpus.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// A Reranker scores how relevant each text is to a question; higher is better.
// It returns one score for each text, in their order, or an error.
type Reranker interface {
	Rerank(ctx context.Context, question string, texts []string) ([]float64, error)
}

// A Ranking is the result of a search, best first: documents by key, and chunks by key.
type Ranking struct {
	Documents []rank.Scored
	Chunks    []rank.Scored
	Notes     []string // remarks for the user, such as a fallback that was taken
}

// Add adds the ranking of another corpus. Ranking.Sort puts the whole in order.
func (r *Ranking) Add(o Ranking) {
	r.Documents, r.Chunks, r.Notes = append(r.Documents, o.Documents...), append(r.Chunks, o.Chunks...), append(r.Notes, o.Notes...)
}

// Sort sorts documents and chunks by score, best first.
func (r *Ranking) Sort() {
	slices.SortFunc(r.Documents, ByScore)
	slices.SortFunc(r.Chunks, ByScore)
}

// A Chunk is a chunk with its relevance to the question. The best chunk of a
// search has about 1.
type Chunk struct {
	neo4jstore.ChunkRow

	Score float64
}

// Title names a chunk by its document, with the document's date if it has one.
func (c Chunk) Title() string {
	if c.Date != "" {
		return c.DocumentTitle + " (" + c.Date + ")"
	}
	return c.DocumentTitle
}
