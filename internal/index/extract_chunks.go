package index

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/resolve"
	"github.com/neorag/neorag/internal/text"
)

// A chunkResult is what a model made of one chunk, or why it failed.
type chunkResult struct {
	key     string
	write   neo4jstore.ExtractionWrite
	unread  int
	dropped resolve.Dropped
	err     error
}

// extractChunks reads pending chunks one by one with a model, many at once.
// Results are written while other chunks are read. A chunk that fails stays
// pending, with its reason.
func (r *run) extractChunks(ctx context.Context, s *stage) error {
	left := circuitBreaker{limit: 2 * r.options.Concurrency}
	unread := 0
	early := &earlyDerive{nextAt: 32}
	err := parallelMap(ctx, r.options.Concurrency, func(ctx context.Context) iter.Seq2[neo4jstore.ChunkState, error] {
		return r.pendingChunks(ctx, s, early)
	}, r.extractChunk, func(done []chunkResult) error {
		var writes []neo4jstore.ExtractionWrite
		failed := map[string]string{}
		var end error
		for _, d := range done {
			bad, stop := left.record(d.err)
			end = errors.Join(end, stop)
			switch {
			case bad:
				failed[d.key] = text.FirstLine(d.err.Error())
			case d.err == nil:
				writes = append(writes, d.write)
				unread += d.unread
				r.dropped.Add(d.dropped)
			}
		}
		if err := r.writeExtractions(ctx, s, writes, failed); err != nil {
			return err
		}
		if end == nil && r.documentsWritten != nil {
			return early.afterWrite(ctx, r, s, len(writes))
		}
		return end
	})
	if unread > 0 {
		r.addNote("%d records of the model's answers could not be read", unread)
	}
	if lost := r.modelExtractor.FailedGleanings(); lost > 0 {
		r.addNote("%d gleanings failed; what the first answers hold stays", lost)
	}
	return err
}

// addNote notes something that a person should know beside the counts.
func (r *run) addNote(format string, args ...any) {
	r.result.Notes = append(r.result.Notes, fmt.Sprintf(format, args...))
}

// extractDependencies says what extraction waits for. In a corpus that is made anew a
// model reads documents while others are still written: no chunk that it sees
// will be replaced in this run.
func (r *run) extractDependencies(p runDiff) []string {
	if !p.isNew || r.modelExtractor == nil {
		return []string{"chunk"}
	}
	r.documentsWritten = make(chan struct{}, 1)
	return nil
}

// pendingChunks walks through all chunks with a mark, document by document, and
// where documents are still written through those that come.
func (r *run) pendingChunks(ctx context.Context, s *stage, early *earlyDerive) iter.Seq2[neo4jstore.ChunkState, error] {
	return func(yield func(neo4jstore.ChunkState, error) bool) {
		if r.documentsWritten == nil {
			r.walkChunks(ctx, nil, yield)
			return
		}
		seen := map[string]bool{} // documents: their chunks keep their marks until they are written
		for last := false; !last; {
			select {
			case <-r.stageDone["chunk"]:
				last = true
			case <-r.documentsWritten:
			case <-ctx.Done():
				yield(neo4jstore.ChunkState{}, context.Cause(ctx))
				return
			}
			n := 0
			if !r.walkChunks(ctx, seen, func(c neo4jstore.ChunkState, err error) bool {
				n++
				return yield(c, err)
			}) {
				return
			}
			s.addTotal(n)
		}
		early.allRead.Store(true)
	}
}

// walkChunks yields the pending chunks of documents that were not seen before,
// and tells whether to go on.
func (r *run) walkChunks(ctx context.Context, seen map[string]bool, yield func(neo4jstore.ChunkState, error) bool) bool {
	for after := graph.Key(r.options.Corpus, ""); ; {
		documents, err := r.store.PendingDocuments(ctx, r.options.Corpus, after, documentPage)
		if err != nil {
			yield(neo4jstore.ChunkState{}, fmt.Errorf("list documents with pending chunks: %w", err))
			return false
		}
		if len(documents) == 0 {
			return true
		}
		after = documents[len(documents)-1]
		for _, document := range documents {
			if seen[document] {
				continue
			}
			if seen != nil {
				seen[document] = true
			}
			states, err := r.store.DocumentChunks(ctx, r.options.Corpus, document)
			if err != nil {
				yield(neo4jstore.ChunkState{}, fmt.Errorf("read chunks of %s: %w", document, err))
				return false
			}
			for _, c := range states {
				if c.Pending && !yield(c, nil) {
					return false
				}
			}
		}
	}
}

// extractChunk reads one chunk, unless its text and all that it is read with
// are as they were.
func (r *run) extractChunk(ctx context.Context, c neo4jstore.ChunkState) (chunkResult, error) {
	fp := graph.Hash(r.extractFP, c.Text)
	out := chunkResult{key: c.Key}
	if c.ExtractFP == fp {
		out.write = neo4jstore.ExtractionWrite{Chunk: c.Key, FP: fp, Sum: c.ExtractSum, Unchanged: true}
		return out, nil
	}
	found, err := catchPanic(ctx, c.Chunk, r.modelExtractor.Chunk)
	if ctx.Err() != nil {
		return out, context.Cause(ctx)
	}
	if out.err = err; err == nil {
		out.unread = found.Unread
		out.write, out.dropped = r.mentions(c, found, fp)
	}
	return out, nil
}
