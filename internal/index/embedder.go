package index

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
)

// hashed embeds without a model: the vector of a text depends only on the text. Entities and
// relationships get no vectors: full text finds them as well, and vectors of many short
// texts would take most of the time and disk space of a run.
type hashed struct{}

func (hashed) Fingerprint() string { return "hashed-2" }
func (hashed) Dimension() int      { return textproc.Dimension }

func (hashed) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = textproc.Vector(t)
	}
	return out, nil
}

// embedsLater reports whether vectors are made by a model, after the nodes are written.
// Hashed vectors are written together with their nodes.
func (e *effective) embedsLater() bool {
	_, isHashed := e.Embedder.(hashed)
	return !isHashed
}

// embeds reports whether the nodes of a kind get vectors.
func (e *effective) embeds(kind graph.Kind) bool {
	return e.embedsLater() || kind == graph.KindChunk || kind == graph.KindReport || kind == graph.KindSentence
}

// vectors returns the vectors that a corpus has, of the given dimension.
func (e *effective) vectors(dimension int) neo4jstore.Vectors {
	v := neo4jstore.Vectors{Dimension: dimension, Artifacts: e.artifacts}
	for _, kind := range []graph.Kind{graph.KindChunk, graph.KindEntity, graph.KindRelationship, graph.KindReport} {
		if e.embeds(kind) {
			v.Kinds = append(v.Kinds, kind)
		}
	}
	return v
}

// A ModelEmbedder embeds with a model. Its dimension is known after a probe.
type ModelEmbedder struct {
	*llm.BatchEmbedder
	// Server is the address of the server, without a key. Servers may give different
	// models the same name, so vectors of another server are other vectors.
	Server string
	More   []string // further servers of the same model
}

// embedderName returns the embedder that is stored with a corpus for an embedding model
// and its server.
func embedderName(model, server string) string {
	if server == "" {
		return modelEmbedder + model
	}
	return modelEmbedder + model + atServer + server
}

// EmbedderModel returns the embedding model of an embedder stored with a corpus, or
// "" if its vectors were made without a model.
func EmbedderModel(embedder string) string {
	model, _ := parseEmbedder(embedder)
	return model
}

// EmbedderServer returns the server of the embedding model of an embedder stored with a
// corpus, or "" if it is not known.
func EmbedderServer(embedder string) string {
	_, server := parseEmbedder(embedder)
	return server
}

func parseEmbedder(embedder string) (model, server string) {
	name, found := strings.CutPrefix(embedder, modelEmbedder)
	if !found {
		return "", ""
	}
	if at := strings.LastIndex(name, atServer); at >= 0 {
		return name[:at], name[at+len(atServer):]
	}
	return name, ""
}

const (
	modelEmbedder = "model:"
	atServer      = " at "
)

// Fingerprint names the model and its server.
func (e *ModelEmbedder) Fingerprint() string { return embedderName(e.Model(), e.Server) }

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

// probe asks an embedding model for its dimension, once, and checks that an index can hold it.
func probe(ctx context.Context, embedder Embedder) error {
	e, ok := embedder.(*ModelEmbedder)
	if !ok {
		return nil
	}
	if _, err := e.Probe(ctx); err != nil {
		return err
	}
	return e.CheckDimension()
}

// CheckDimension returns an error if no index can hold the vectors. Before a first call their length is
// not known.
func (e *ModelEmbedder) CheckDimension() error {
	if d := e.Dimension(); d > neo4jstore.MaxDimension {
		return fmt.Errorf("the embedding model %s makes vectors of %d numbers, and an index of Neo4j holds at most %d: choose another one, or have its server make shorter vectors", e.Model(), d, neo4jstore.MaxDimension)
	}
	return nil
}

// ensureIndexes asks for the dimension, unless it is known, notes it with the corpus and creates the
// indexes.
func (r *run) ensureIndexes(ctx context.Context) error {
	if err := probe(ctx, r.Embedder); err != nil {
		return err
	}
	dimension := r.Embedder.Dimension()
	if err := r.writer.SetSettings(ctx, nil, neo4jstore.CorpusSet{Dimension: dimension}); err != nil {
		return fmt.Errorf("store the dimension of vectors: %w", err)
	}
	return r.writer.EnsureIndexes(ctx, r.vectors(dimension))
}

// withDimension calls run, and calls it again if the embedding model turned out to return
// vectors of another length than those in the cache, from which the run took its dimension:
// now the comparison with the corpus sees that all its vectors are out of date.
func (x *Indexer) withDimension(ctx context.Context, run func() (Result, error)) (Result, error) {
	result, err := run()
	if !errors.Is(err, llm.ErrDimension) {
		return result, err
	}
	x.requested.Logger.WarnContext(ctx, "the embedding model changed; comparing with the corpus again", "corpus", x.requested.Corpus, "cause", err)
	if err := probe(ctx, x.requested.Embedder); err != nil {
		return result, err
	}
	return run()
}
