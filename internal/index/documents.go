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

// documentBatch is how many documents are handed to the store at once.
const documentBatch = 64

// readResult is one file, read and cut, or the reason why not.
type readResult struct {
	file     fileToRead
	docs     []neo4jstore.DocumentWrite
	failures []source.Failure // of parts of the file
	err      error
}

// documents reads the files that the plan names, cuts their new and changed
// documents into chunks and passages and writes them; documents that are gone
// leave first.
func (r *run) documents(ctx context.Context, s *stage, p runDiff) error {
	s.addTotal(len(p.removed))
	for _, f := range p.files {
		s.addTotal(len(f.wanted))
	}
	if len(p.removed) > 0 {
		if err := s.writer.RemoveDocuments(ctx, p.removed); err != nil {
			return fmt.Errorf("remove documents: %w", err)
		}
		s.addDone(len(p.removed))
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
		default: // nobody waits, or somebody has heard already
		}
		return nil
	}
	err := parallelMapOrdered(ctx, r.options.Concurrency, p.files, r.readFile, func(d readResult) error {
		if d.err != nil {
			s.addFailure(d.file.URI, d.err)
			r.uncountFile(p, d.file)
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

// uncountFile takes a file that could not be read out of the counts of what came.
func (r *run) uncountFile(p runDiff, f fileToRead) {
	c := &r.result.Documents
	c.Failed++
	for uri := range f.wanted {
		if p.changed[uri] {
			c.Changed--
		} else {
			c.Added--
		}
	}
}

// readFile turns a file into what the store writes. A failure is part of the
// result: one bad file does not end the run.
func (r *run) readFile(ctx context.Context, f fileToRead) (readResult, error) {
	docs, failures, err := r.chunkFile(ctx, f)
	return readResult{f, docs, failures, err}, context.Cause(ctx)
}

// chunkFile makes what the store writes of each wanted document of a file. The
// parts of a file of many documents that cannot be read are in the plan already.
func (r *run) chunkFile(ctx context.Context, f fileToRead) ([]neo4jstore.DocumentWrite, []source.Failure, error) {
	docs, failures, err := source.Read(ctx, f.File, r.options.Source)
	if err != nil {
		return nil, nil, err
	}
	if source.Many(f.File) {
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

// chunkDocument makes chunks, passages and index terms of a document.
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
