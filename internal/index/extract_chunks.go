package index

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/resolve"
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
	left := patience{limit: 2 * r.options.Concurrency}
	unread := 0
	err := pool(ctx, r.options.Concurrency, r.pendingChunks(ctx), r.extractChunk, func(done []chunkResult) error {
		var writes []neo4jstore.ExtractionWrite
		failed := map[string]string{}
		var end error
		for _, d := range done {
			if d.err == nil {
				left.done()
				writes = append(writes, d.write)
				unread += d.unread
				r.dropped.Add(d.dropped)
				continue
			}
			failed[d.key] = firstLine(d.err.Error())
			end = errors.Join(end, left.fail(d.err))
		}
		return errors.Join(r.writeExtractions(ctx, s, writes, failed), end)
	})
	if unread > 0 {
		r.remark("%d records of the model's answers could not be read", unread)
	}
	if lost := r.perChunk.FailedGleanings(); lost > 0 {
		r.remark("%d gleanings failed; what the first answers hold stays", lost)
	}
	return err
}

// remark notes something that a person should know beside the counts.
func (r *run) remark(format string, args ...any) {
	r.result.Notes = append(r.result.Notes, fmt.Sprintf(format, args...))
}

// pendingChunks walks through all chunks with a mark, document by document.
func (r *run) pendingChunks(ctx context.Context) iter.Seq2[neo4jstore.ChunkState, error] {
	return func(yield func(neo4jstore.ChunkState, error) bool) {
		for after := graph.Key(r.options.Corpus, ""); ; {
			documents, err := r.store.PendingDocuments(ctx, r.options.Corpus, after, documentPage)
			if err != nil {
				yield(neo4jstore.ChunkState{}, fmt.Errorf("list documents with pending chunks: %w", err))
				return
			}
			if len(documents) == 0 {
				return
			}
			after = documents[len(documents)-1]
			for _, document := range documents {
				states, err := r.store.DocumentChunks(ctx, r.options.Corpus, document)
				if err != nil {
					yield(neo4jstore.ChunkState{}, fmt.Errorf("read chunks of %s: %w", document, err))
					return
				}
				for _, c := range states {
					if c.Pending && !yield(c, nil) {
						return
					}
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
	found, err := guard(ctx, c.Chunk, r.perChunk.Chunk)
	if ctx.Err() != nil {
		return out, context.Cause(ctx)
	}
	if out.err = err; err == nil {
		out.unread = found.Unread
		out.write, out.dropped = r.mentions(c, found, fp)
	}
	return out, nil
}
