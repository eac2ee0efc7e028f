package index

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/stage/chunk"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

// Limits of the documents that are written together. The first batch is small where a model can
// extract from it while others are read.
const (
	documentBatch      = 64
	firstDocumentBatch = 8
	documentBatchBytes = 4 << 20
	maxAbout           = 400 // bytes
)

// A readTask is a file of one document to read, or a document of a file of records, which
// are read one after the other.
type readTask struct {
	file   fileToRead
	record *graph.Document
	err    error // the file of records cannot be read
}

func (t readTask) weight() int64 {
	if t.record != nil {
		return int64(len(t.record.Text))
	}
	return t.file.Size
}

// A readResult holds the document of a task, split into chunks, if it is wanted, or the
// error.
type readResult struct {
	file     fileToRead
	docs     []neo4jstore.DocumentWrite
	failures []source.Failure // of parts of the file
	err      error
}

// documents removes the documents that are gone. Then it reads the files of the diff,
// splits their new and changed documents into chunks and passages, and writes them.
func (r *run) documents(ctx context.Context, s *stage) error {
	diff := r.diff
	s.addTotal(len(diff.removed))
	for _, f := range diff.files {
		s.addTotal(len(f.wanted))
	}
	if len(diff.removed)+len(diff.changed) > 0 {
		if err := s.writer.SetForgetting(ctx, true); err != nil {
			return fmt.Errorf("record that texts are removed: %w", err)
		}
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
	if err := s.writer.PlaceDocuments(ctx, diff.placed); err != nil {
		return fmt.Errorf("write the places of records: %w", err)
	}
	var batch []neo4jstore.DocumentWrite
	weight, written := 0, map[string]bool{} // URIs of records
	most := documentBatch
	if r.documentsWritten != nil {
		most = firstDocumentBatch
	}
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		if err := s.writer.WriteDocuments(ctx, batch); err != nil {
			return fmt.Errorf("write documents: %w", err)
		}
		s.addDone(len(batch))
		clear(batch)
		batch, weight, most = batch[:0], 0, min(2*most, documentBatch)
		select {
		case r.documentsWritten <- struct{}{}:
		default: // extraction does not read concurrently, or a signal is pending
		}
		return nil
	}
	tasks := func(ctx context.Context) iter.Seq2[readTask, error] { return r.readTasks(ctx, diff.files) }
	err := parallelMapOrdered(ctx, r.options.Concurrency, tasks, readTask.weight, r.readTask, func(d readResult) error {
		if d.err != nil {
			s.addFailure(d.file.URI, d.err)
			r.uncountFile(diff, d.file, written)
		}
		if err := source.JoinFailures(d.failures); err != nil {
			s.addFailure(d.file.URI, err)
		}
		for i := range d.docs {
			if source.HasRecords(d.file.File) {
				written[d.docs[i].Document.URI] = true
			}
			batch = append(batch, d.docs[i])
			weight += d.docs[i].Bytes()
		}
		if len(batch) >= most || weight >= documentBatchBytes {
			return flush()
		}
		return nil
	})
	if err == nil {
		err = flush()
	}
	if err != nil {
		return err
	}
	return r.noteUnread(ctx, s, diff)
}

// readTasks iterates over the files, and over the documents of files of records.
func (r *run) readTasks(ctx context.Context, files []fileToRead) iter.Seq2[readTask, error] {
	return func(yield func(readTask, error) bool) {
		for _, f := range files {
			if !source.HasRecords(f.File) {
				if !yield(readTask{file: f}, nil) {
					return
				}
				continue
			}
			// Failures of records are in the diff already.
			_, err := source.Documents(ctx, f.File, r.source, func(d graph.Document) error {
				if f.wanted[d.URI] && !yield(readTask{file: f, record: &d}, nil) {
					return errEnough
				}
				return nil
			})
			if errors.Is(err, errEnough) || err != nil && !yield(readTask{file: f, err: err}, nil) {
				return
			}
		}
	}
}

// errEnough ends the reading of a file of records.
var errEnough = errors.New("enough")

// uncountFile moves the documents of a file that could not be read, or the rest of it, from
// the added and changed ones to a failure.
func (r *run) uncountFile(diff runDiff, f fileToRead, written map[string]bool) {
	c := &r.result.Documents
	c.Failed++
	for uri := range f.wanted {
		switch {
		case written[uri]:
		case diff.changed[uri]:
			c.Changed--
		default:
			c.Added--
		}
	}
}

// readTask reads and splits a document. A failure is part of the result, because one bad
// file does not end the run; the error is only that of the context.
func (r *run) readTask(ctx context.Context, t readTask) (readResult, error) {
	out := readResult{file: t.file, err: t.err}
	add := func(d graph.Document) error {
		w, err := r.chunkDocument(d)
		out.docs = append(out.docs, w)
		return err
	}
	switch {
	case t.err != nil:
	case t.record != nil:
		out.err = add(*t.record)
	default:
		out.failures, out.err = source.Documents(ctx, t.file.File, r.source, add)
	}
	if out.err != nil {
		out.docs, out.failures = nil, nil
	}
	return out, context.Cause(ctx)
}

// aboutFields are the metadata that say what a document is about, and who wrote it.
var aboutFields = []string{"author", "authors", "creator", "subtitle", "tags", "keywords", "category", "categories", "topic", "topics"}

// about returns the metadata by which people look for a document.
func about(metadata map[string]string) string {
	var values []string
	for name, value := range metadata {
		if slices.Contains(aboutFields, strings.ToLower(name)) {
			values = append(values, value)
		}
	}
	slices.Sort(values)
	return text.Truncate(strings.Join(slices.Compact(values), " "), maxAbout)
}

// chunkDocument makes the chunks, passages and index terms of a document.
func (r *run) chunkDocument(d graph.Document) (neo4jstore.DocumentWrite, error) {
	d.Key = graph.DocumentKey(r.options.Corpus, d.URI)
	chunks, err := chunk.Split(r.options.Corpus, d, r.counter, r.options.Chunk)
	if err != nil {
		return neo4jstore.DocumentWrite{}, fmt.Errorf("chunk %s: %w", d.URI, err)
	}
	l := language.Of(d.Text)
	d.Language = string(l)
	lead := textproc.Lead(l, d.Title, about(d.Metadata), d.Text, d.Date)
	passages, terms := chunk.Passages(r.options.Corpus, d, chunks, lead)
	tokens := 0
	for _, c := range chunks {
		tokens += c.NTokens
	}
	w := neo4jstore.DocumentWrite{
		Document: d, NTokens: tokens, SourceFP: r.options.Source.Fingerprint(), ChunkFP: r.chunkFP(),
		Terms: strings.TrimSpace(terms + " " + lead), Lead: lead,
		Chunks: chunks, Passages: passages, Reextract: r.modelExtractor == nil, Queries: r.hasQueries(), Sentences: r.sentences,
	}
	if !r.embedsLater() {
		w.Vectors = make(map[string]neo4jstore.Embedded, len(chunks))
		for _, c := range chunks {
			w.Vectors[c.Key] = neo4jstore.Embedded{EmbedFP: r.embedFP(c.Text), Vector: textproc.Vector(c.Text)}
		}
	}
	return w, nil
}
