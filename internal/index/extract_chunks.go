package index

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/resolve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
)

// A chunkResult is the extraction of one chunk by a model, or its error.
type chunkResult struct {
	key     string
	place   string // document and number of the chunk
	write   neo4jstore.ExtractionWrite
	unread  int // records that could not be parsed
	absent  int // names and quotes that are not in the chunk
	dropped resolve.Dropped
	err     error
}

// extractChunks extracts the pending chunks with a model, concurrently. It writes
// results while other chunks are extracted. A chunk that fails stays pending, with the
// reason.
func (s *extraction) extractChunks(ctx context.Context) error {
	breaker := circuitBreaker{limit: 2 * s.Concurrency}
	unread, absent := 0, 0
	early := &earlyDerive{derivation: derivation{s.silently("derive")}, nextAt: 32}
	err := parallelMap(ctx, s.Concurrency, func(ctx context.Context) iter.Seq2[neo4jstore.ChunkState, error] {
		return s.pendingChunks(ctx, early)
	}, s.extractChunk, func(done []chunkResult) error {
		var writes []neo4jstore.ExtractionWrite
		failed := map[string]string{}
		var end error
		for _, d := range done {
			bad, stop := breaker.record(d.err)
			end = errors.Join(end, stop)
			switch {
			case bad:
				failed[d.key] = d.place + ": " + text.FirstLine(d.err.Error())
			case d.err == nil:
				writes = append(writes, d.write)
				unread, absent = unread+d.unread, absent+d.absent
				s.shared.dropped.Add(d.dropped)
			}
		}
		if err := s.writeExtractions(ctx, writes, failed); err != nil {
			return err
		}
		if end == nil && s.shared.documentsWritten != nil {
			return early.afterWrite(ctx, len(writes))
		}
		return end
	})
	if unread > 0 {
		s.shared.addNote("%d records in answers of the model could not be parsed", unread)
	}
	if absent > 0 {
		s.shared.addNote("%d names and quotes that the model wrote are not in the text of their chunks; what no chunk holds is left out of reports", absent)
	}
	s.noteExtraction()
	return err
}

// noteExtraction notes what the model had to do without or again.
func (s *extraction) noteExtraction() {
	n := s.extractor.Counts()
	for _, note := range []struct {
		n    int64
		what string
	}{
		{n.FailedGleanings, "%d gleanings failed; the records of the first answers are kept"},
		{n.RefusedClaims, "%d times the model answered in prose when it was asked for claims: these texts have none, and their entities and relationships are kept"},
		{n.Halved, "%d texts were read again in halves, because an answer was cut off at its token limit"},
		{n.Tuples, "%d answers came as tuples after the model had written no JSON; --extract-format tuples saves the first calls"},
	} {
		if note.n > 0 {
			s.shared.addNote(note.what, note.n)
		}
	}
}

// pendingChunks iterates over all marked chunks, document by document. If documents are
// still being written, it continues with new ones until stage chunk has ended.
func (s *extraction) pendingChunks(ctx context.Context, early *earlyDerive) iter.Seq2[neo4jstore.ChunkState, error] {
	return func(yield func(neo4jstore.ChunkState, error) bool) {
		defer close(s.shared.lastChunkTaken)
		if s.shared.documentsWritten == nil {
			s.walkChunks(ctx, nil, yield)
			return
		}
		seen := map[string]bool{} // documents; their chunks keep their marks until their extraction is written
		for last := false; !last; {
			select {
			case <-s.shared.stageDone["chunk"]:
				last = true
			case <-s.shared.documentsWritten:
			case <-ctx.Done():
				yield(neo4jstore.ChunkState{}, context.Cause(ctx))
				return
			}
			if !s.walkChunks(ctx, seen, yield) {
				return
			}
		}
		early.allRead.Store(true)
	}
}

// walkChunks yields the pending chunks of documents that are not in seen, and adds
// these to seen unless it is nil. It reports whether to continue.
func (s *extraction) walkChunks(ctx context.Context, seen map[string]bool, yield func(neo4jstore.ChunkState, error) bool) bool {
	for document, err := range s.pendingDocuments(ctx) {
		if err != nil {
			yield(neo4jstore.ChunkState{}, err)
			return false
		}
		if seen[document.Key] {
			continue
		}
		if seen != nil {
			seen[document.Key] = true
		}
		states, err := s.store.DocumentChunks(ctx, s.Corpus, document.Key)
		if err != nil {
			yield(neo4jstore.ChunkState{}, fmt.Errorf("read chunks of %s: %w", document.Key, err))
			return false
		}
		for _, c := range states {
			if c.Pending && !yield(c, nil) {
				return false
			}
		}
	}
	return true
}

// extractChunk extracts one chunk, unless the fingerprint shows that neither its text nor
// the extractor changed. A failure is part of the result; the error is only the error of the
// context.
func (s *extraction) extractChunk(ctx context.Context, c neo4jstore.ChunkState) (chunkResult, error) {
	fp := graph.Hash(s.settings["extract"], c.Text)
	out := chunkResult{key: c.Key, place: placeOf(c.Chunk)}
	if c.ExtractFP == fp {
		out.write = neo4jstore.ExtractionWrite{Chunk: c.Key, FP: fp, Sum: c.ExtractSum, Unchanged: true}
		return out, nil
	}
	found, err := catchPanic(ctx, c.Chunk, s.extractor.Chunk)
	if ctx.Err() != nil {
		return out, context.Cause(ctx)
	}
	if out.err = err; err == nil {
		out.unread, out.absent = found.Unread, len(found.Absent)
		out.write, out.dropped = s.mentions(c, found, fp)
	}
	return out, nil
}
