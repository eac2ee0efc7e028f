package index

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
)

const (
	embedPage  = 2_000 // nodes read at a time
	embedBatch = 64    // texts embedded in one call
	// embedWrite is the maximum number of calls whose vectors are written together, and of calls whose
	// vectors wait for that: a vector of 1,536 dimensions takes 12 KB when it is written.
	embedWrite = 16
	// embedBytes is the maximum size of the vectors that concurrent calls request. They wait in memory while the
	// server writes others.
	embedBytes = 16 << 20
)

// An embedding is the stage embed.
type embedding struct{ *stage }

// run embeds chunks, then entities and relationships, if these have vectors, as soon as all are
// described, and then sentences. The stage report embeds reports, if it is part
// of the run. If a model extracts, chunks are not embedded until the extraction of the last chunk
// has begun: from then on fewer calls are made than may run concurrently.
func (s *embedding) run(ctx context.Context) error {
	if s.shared.indexesLater { // a server that refuses ends the run early
		if err := probe(ctx, s.Embedder); err != nil {
			return err
		}
	}
	if err := s.shared.awaitStage(ctx, "chunk"); err != nil {
		return err
	}
	if s.shared.indexesLater { // after a change of indexes the server plans all statements again
		if err := s.shared.ensureIndexes(ctx); err != nil {
			return err
		}
	}
	if err := s.awaitLastChunk(ctx); err != nil {
		return err
	}
	if err := s.embedKinds(ctx, graph.KindChunk); err != nil {
		return err
	}
	if err := s.shared.awaitStage(ctx, "describe"); err != nil {
		return err
	}
	if err := s.embedKinds(ctx, graph.KindEntity, graph.KindRelationship); err != nil {
		return err
	}
	if s.shared.vectorsOnly {
		if err := s.embedKind(ctx, graph.KindReport); err != nil {
			return err
		}
	} else if !s.has(neo4jstore.ArtifactSentences) {
		return nil
	}
	if err := s.shared.awaitStage(ctx, "sentences"); err != nil {
		return err
	}
	return s.embedKinds(ctx, graph.KindSentence)
}

func (s *embedding) embedKinds(ctx context.Context, kinds ...graph.Kind) error {
	for _, kind := range kinds {
		if err := s.embedKind(ctx, kind); err != nil {
			return err
		}
	}
	return nil
}

// awaitLastChunk waits until all chunks are extracted by a model, or are being extracted.
func (s *embedding) awaitLastChunk(ctx context.Context) error {
	if s.extractor == nil || s.shared.stageDone["extract"] == nil {
		return nil
	}
	select {
	case <-s.shared.lastChunkTaken:
		return nil
	case <-s.shared.stageDone["extract"]: // there was none
		return nil
	case <-s.shared.budgetSpent:
		return errBudgetSpent
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// embedKind embeds the marked nodes of a kind, and writes vectors while others are made.
func (s *embedding) embedKind(ctx context.Context, kind graph.Kind) error {
	items := func(ctx context.Context) iter.Seq2[[]neo4jstore.EmbedItem, error] { return s.embedItems(ctx, kind) }
	embed := s.embedBatch
	if !s.embeds(kind) {
		embed = withoutVectors
	}
	return parallelMapBatches(ctx, s.embedCalls(), embedWrite, items, embed, func(done []embedded) error {
		return writeEmbedded(ctx, s.stage, marked{kind, "embed", "embed"}, joinEmbedded(done), func(rows []neo4jstore.Embedded) error {
			if err := s.writer.WriteEmbeddings(ctx, kind, s.Embedder.Dimension(), rows); err != nil {
				return err
			}
			s.addDone(len(rows))
			return nil
		})
	})
}

// joinEmbedded joins batches.
func joinEmbedded(batches []embedded) embedded {
	all := embedded{failed: map[string]string{}}
	for _, b := range batches {
		all.rows = append(all.rows, b.rows...)
		maps.Copy(all.failed, b.failed)
		all.spent = errors.Join(all.spent, b.spent)
	}
	return all
}

// marked are the nodes of a kind with the mark of a stage, and what is done to them.
type marked struct {
	kind        graph.Kind
	stage, what string
}

// writeEmbedded writes vectors, and records why marked nodes have none: they stay marked.
func writeEmbedded(ctx context.Context, s *stage, m marked, e embedded, write func([]neo4jstore.Embedded) error) error {
	if err := write(e.rows); err != nil {
		return fmt.Errorf("write vectors: %w", err)
	}
	for _, key := range sortedKeys(e.failed) {
		s.addFailure(key, fmt.Errorf("%s: %s", m.what, e.failed[key]))
	}
	if err := s.writer.FailStage(ctx, m.kind, m.stage, e.failed); err != nil {
		return fmt.Errorf("record failed vectors: %w", err)
	}
	return e.spent
}

// embedItems iterates over the marked nodes of a kind, in batches for the model.
func (s *embedding) embedItems(ctx context.Context, kind graph.Kind) iter.Seq2[[]neo4jstore.EmbedItem, error] {
	return func(yield func([]neo4jstore.EmbedItem, error) bool) {
		read := func(ctx context.Context, corpus, after string, n int) ([]neo4jstore.EmbedItem, error) {
			return s.store.PendingEmbed(ctx, corpus, kind, after, n)
		}
		for items, err := range pages(ctx, s.Corpus, read, embedPage, func(i neo4jstore.EmbedItem) string { return i.Key }) {
			if err != nil {
				yield(nil, fmt.Errorf("read pending vectors: %w", err))
				return
			}
			s.addTotal(len(items))
			for batch := range slices.Chunk(items, embedBatch) {
				if !yield(batch, nil) {
					return
				}
			}
		}
	}
}

// embedded is a batch of vectors.
type embedded struct {
	rows   []neo4jstore.Embedded
	failed map[string]string // reasons by key, of texts that the model rejects
	spent  error             // ErrBudget if there was no budget for the other items
}

// embedCalls is how many calls of the embedding model are concurrent.
func (e *effective) embedCalls() int {
	const float32Bytes = 4
	return max(1, min(e.Concurrency, embedBytes/(float32Bytes*embedBatch*max(1, e.Embedder.Dimension()))))
}

// embedBatch embeds the items whose text, embedder or dimension changed. A text that the model
// rejects does not affect the others.
func (e *effective) embedBatch(ctx context.Context, items []neo4jstore.EmbedItem) (embedded, error) {
	out := embedded{failed: map[string]string{}}
	var todo []neo4jstore.EmbedItem
	for _, item := range items {
		sameDimension := item.Dimension == 0 || item.Dimension == e.Embedder.Dimension()
		if fp := e.embedFP(item.Text); fp == item.EmbedFP && sameDimension {
			out.rows = append(out.rows, neo4jstore.Embedded{Key: item.Key, EmbedFP: fp, Unchanged: true})
		} else {
			todo = append(todo, item)
		}
	}
	for len(todo) > 0 {
		texts := make([]string, len(todo))
		for i, item := range todo {
			texts[i] = item.Text
		}
		vectors, err := e.Embedder.Embed(ctx, texts)
		if refused, ok := errors.AsType[*llm.TextError](err); ok && !llm.IsFatal(err) {
			out.failed[todo[refused.Index].Key] = text.FirstLine(refused.Err.Error())
			todo = slices.Delete(todo, refused.Index, refused.Index+1)
			continue
		}
		if errors.Is(err, llm.ErrBudget) {
			out.spent = err
			break
		}
		if err != nil {
			return out, fmt.Errorf("embed %d texts: %w", len(texts), err)
		}
		for i, item := range todo {
			out.rows = append(out.rows, neo4jstore.Embedded{Key: item.Key, EmbedFP: e.embedFP(item.Text), Vector: vectors[i]})
		}
		break
	}
	return out, nil
}

// withoutVectors removes the vectors that another embedder made.
func withoutVectors(_ context.Context, items []neo4jstore.EmbedItem) (embedded, error) {
	out := embedded{rows: make([]neo4jstore.Embedded, len(items))}
	for i, item := range items {
		out.rows[i] = neo4jstore.Embedded{Key: item.Key, Unchanged: item.EmbedFP == ""}
	}
	return out, nil
}

// embedFP returns the fingerprint of a vector: of its text and its embedder.
func (e *effective) embedFP(text string) string {
	return graph.Hash(e.Embedder.Fingerprint(), text)
}

// inBatches iterates over items in batches for one call of the model.
func inBatches(items []neo4jstore.EmbedItem) func(context.Context) iter.Seq2[[]neo4jstore.EmbedItem, error] {
	return each(slices.Collect(slices.Chunk(items, embedBatch)))
}
