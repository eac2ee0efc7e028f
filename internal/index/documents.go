package index

import (
	"context"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/chunk"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/textproc"
)

// documentBatch is the number of documents that are written together.
const documentBatch = 64

// A readResult holds the documents of a file, split into chunks, or the error.
type readResult struct {
	file     fileToRead
	docs     []neo4jstore.DocumentWrite
	failures []source.Failure // of parts of the file
	err      error
}

// documents removes the documents that are gone. Then it reads the files of the diff,
// splits their new and changed documents into chunks and passages, and writes them.
func (r *run) documents(ctx context.Context, s *stage, diff runDiff) error {
	s.addTotal(len(diff.removed))
	for _, f := range diff.files {
		s.addTotal(len(f.wanted))
	}
	if len(diff.removed) > 0 {
		if err := s.writer.RemoveDocuments(ctx, diff.removed); err != nil {
			return fmt.Errorf("remove documents: %w", err)
		}
		s.addDone(len(diff.removed))
	}
	if err := r.moveRoots(ctx, s, diff.movedRoots); err != nil {
		return err
	}
	var batch []neo4jstore.DocumentWrite
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		if err := s.writer.WriteDocuments(ctx, batch); err != nil {
			return fmt.Errorf("write documents: %w", err)
		}
		s.addDone(len(batch))
		batch = batch[:0]
		select {
		case r.documentsWritten <- struct{}{}:
		default: // extraction does not read concurrently, or a signal is pending
		}
		return nil
	}
	err := parallelMapOrdered(ctx, r.options.Concurrency, diff.files, r.readFile, func(d readResult) error {
		if d.err != nil {
			s.addFailure(d.file.URI, d.err)
			r.uncountFile(diff, d.file)
		}
		for _, f := range d.failures {
			s.addFailure(f.URI, f.Err)
		}
		batch = append(batch, d.docs...)
		if len(batch) >= documentBatch {
			return flush()
		}
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}

// uncountFile moves the documents of a file that could not be read from the added and
// changed ones to a failure.
func (r *run) uncountFile(diff runDiff, f fileToRead) {
	c := &r.result.Documents
	c.Failed++
	for uri := range f.wanted {
		if diff.changed[uri] {
			c.Changed--
		} else {
			c.Added--
		}
	}
}

// readFile reads and splits a file. A failure is part of the result, because one bad
// file does not end the run; the error is only that of the context.
func (r *run) readFile(ctx context.Context, f fileToRead) (readResult, error) {
	docs, failures, err := r.chunkFile(ctx, f)
	return readResult{f, docs, failures, err}, context.Cause(ctx)
}

// chunkFile returns the wanted documents of a file, ready to be written. It returns no
// failures for a file of many documents: those are in the diff already.
func (r *run) chunkFile(ctx context.Context, f fileToRead) ([]neo4jstore.DocumentWrite, []source.Failure, error) {
	docs, failures, err := source.Read(ctx, f.File, r.options.Source)
	if err != nil {
		return nil, nil, err
	}
	if source.HasRecords(f.File) {
		failures = nil
	}
	writes := make([]neo4jstore.DocumentWrite, 0, len(f.wanted))
	for _, d := range docs {
		if !f.wanted[d.URI] {
			continue
		}
		w, err := r.chunkDocument(d)
		if err != nil {
			return nil, nil, err
		}
		writes = append(writes, w)
	}
	return writes, failures, nil
}

// chunkDocument makes the chunks, passages and index terms of a document.
func (r *run) chunkDocument(d graph.Document) (neo4jstore.DocumentWrite, error) {
	d.Key = graph.DocumentKey(r.options.Corpus, d.URI)
	chunks, err := chunk.Split(r.options.Corpus, d, r.counter, r.options.Chunk)
	if err != nil {
		return neo4jstore.DocumentWrite{}, fmt.Errorf("chunk %s: %w", d.URI, err)
	}
	lead := textproc.Lead(d.Title, d.Text, d.Date)
	passages, terms := chunk.Passages(r.options.Corpus, d, chunks, lead)
	tokens := 0
	for _, c := range chunks {
		tokens += c.NTokens
	}
	return neo4jstore.DocumentWrite{
		Document: d, NTokens: tokens, SourceFP: r.sourceFP(), ChunkFP: r.chunkFP(),
		Terms: strings.TrimSpace(terms + " " + lead), Lead: lead,
		Chunks: chunks, Passages: passages, Reextract: r.modelExtractor == nil,
	}, nil
}
