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
	reader := documentReader{r.effective, r.Source}
	reader.from.Sandbox = source.NewSandbox()
	defer reader.from.Sandbox.Close()
	tasks := func(ctx context.Context) iter.Seq2[readTask, error] { return reader.readTasks(ctx, diff.files) }
	err := parallelMapOrdered(ctx, r.Concurrency, tasks, readTask.weight, reader.readTask, func(d readResult) error {
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
