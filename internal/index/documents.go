package index

import (
	"context"
	"fmt"
	"iter"

	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// Limits of the documents that are written together. The first batch is small where a model can
// extract from it while others are read.
const (
	documentBatch      = 64
	firstDocumentBatch = 8
	documentBatchBytes = 4 << 20
)

// A documentWriter is the stage chunk.
type documentWriter struct {
	*stage

	batch   []neo4jstore.DocumentWrite
	weight  int             // of the batch in bytes
	most    int             // documents of a batch
	written map[string]bool // URIs of records
}

// run removes the documents that are gone. Then it reads the files of the diff,
// splits their new and changed documents into chunks and passages, and writes them.
func (s *documentWriter) run(ctx context.Context) error {
	diff := &s.shared.diff
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
	if err := s.moveRoots(ctx, diff.movedRoots); err != nil {
		return err
	}
	if err := s.writer.PlaceDocuments(ctx, diff.placed); err != nil {
		return fmt.Errorf("write the positions of records: %w", err)
	}
	if err := s.write(ctx, diff.files); err != nil {
		return err
	}
	return s.noteUnread(ctx, diff)
}

// write reads the wanted documents of files, and writes them while others are read.
func (s *documentWriter) write(ctx context.Context, files []fileToRead) error {
	s.written = map[string]bool{}
	if s.most = documentBatch; s.shared.documentsWritten != nil {
		s.most = firstDocumentBatch
	}
	reader := documentReader{s.effective, s.Source}
	reader.from.Sandbox = source.NewSandbox()
	defer reader.from.Sandbox.Close()
	tasks := func(ctx context.Context) iter.Seq2[readTask, error] { return reader.readTasks(ctx, files) }
	err := parallelMapOrdered(ctx, s.Concurrency, tasks, readTask.weight, reader.readTask, func(d readResult) error {
		s.add(d)
		if len(s.batch) >= s.most || s.weight >= documentBatchBytes {
			return s.flush(ctx)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.flush(ctx)
}

// add adds the documents of a task to the batch.
func (s *documentWriter) add(d readResult) {
	if d.err != nil {
		s.addFailure(d.file.URI, d.err)
		s.uncountFile(d.file)
	}
	if err := source.JoinFailures(d.failures); err != nil {
		s.addFailure(d.file.URI, err)
	}
	for i := range d.docs {
		if source.HasRecords(d.file.File) {
			s.written[d.docs[i].Document.URI] = true
		}
		s.batch = append(s.batch, d.docs[i])
		s.weight += d.docs[i].Bytes()
	}
}

// flush writes the batch.
func (s *documentWriter) flush(ctx context.Context) error {
	if len(s.batch) == 0 {
		return nil
	}
	if err := s.writer.WriteDocuments(ctx, s.batch); err != nil {
		return fmt.Errorf("write documents: %w", err)
	}
	s.addDone(len(s.batch))
	if s.shared.documentsWritten != nil {
		chunks := 0
		for i := range s.batch {
			chunks += len(s.batch[i].Chunks)
		}
		s.shared.expect("extract", chunks)
	}
	clear(s.batch)
	s.batch, s.weight, s.most = s.batch[:0], 0, min(2*s.most, documentBatch)
	select {
	case s.shared.documentsWritten <- struct{}{}:
	default: // extraction does not read concurrently, or a signal is pending
	}
	return nil
}

// uncountFile moves the documents of a file that could not be read, or the rest of it, from
// the added and changed ones to a failure.
func (s *documentWriter) uncountFile(f fileToRead) {
	c := &s.shared.result.Documents
	c.Failed++
	for uri := range f.wanted {
		switch {
		case s.written[uri]:
		case s.shared.diff.changed[uri]:
			c.Changed--
		default:
			c.Added--
		}
	}
}
