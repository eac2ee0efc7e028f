package index

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/resolve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
	"github.com/neorag/neorag/internal/text/tokens"
)

// documentPage is the number of documents with pending chunks that are read at a time.
const documentPage = 128

// extractionBytes is how much extractions weigh that are written together. Others are made
// meanwhile.
const extractionBytes = 2 << 20

// A documentResult holds the extractions of one document, ready to be written.
type documentResult struct {
	writes  []neo4jstore.ExtractionWrite
	failed  map[string]string // reasons by key, of chunks that could not be extracted
	dropped resolve.Dropped
}

// An extraction is the stage extract.
type extraction struct{ *stage }

// run extracts the pending chunks: chunk by chunk with a model, else document by
// document with rules.
func (s *extraction) run(ctx context.Context) error {
	if s.shared.documentsWritten != nil {
		return s.extractChunks(ctx)
	}
	if n, err := s.announcePending(ctx); err != nil || n == 0 {
		return err
	}
	if s.extractor != nil {
		return s.extractChunks(ctx)
	}
	var writes []neo4jstore.ExtractionWrite
	weight, failed := 0, map[string]string{}
	flush := func() error {
		err := s.writeExtractions(ctx, writes, failed)
		clear(writes)
		writes, weight, failed = writes[:0], 0, map[string]string{}
		return err
	}
	err := parallelMapOrdered(ctx, s.Concurrency, s.pendingDocuments, textSize, s.extractDocument, func(e documentResult) error {
		s.shared.dropped.Add(e.dropped)
		maps.Copy(failed, e.failed)
		writes = append(writes, e.writes...)
		for i := range e.writes {
			weight += e.writes[i].Bytes()
		}
		if weight >= extractionBytes {
			return flush()
		}
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}

// pendingDocuments iterates over the documents with pending chunks.
func (s *extraction) pendingDocuments(ctx context.Context) iter.Seq2[neo4jstore.PendingDocument, error] {
	return inPages(s.Corpus, func(ctx context.Context, corpus, after string, n int) ([]neo4jstore.PendingDocument, error) {
		page, err := s.store.PendingDocuments(ctx, corpus, after, n)
		if err != nil {
			err = fmt.Errorf("list documents with pending chunks: %w", err)
		}
		return page, err
	}, documentPage, func(d neo4jstore.PendingDocument) string { return d.Key })(ctx)
}

// bytesPerToken is the size of the text of a token, at most in common languages.
const bytesPerToken = 5

// textSize returns about the size of the text of a document in bytes.
func textSize(d neo4jstore.PendingDocument) int64 { return int64(d.NTokens) * bytesPerToken }

// writeExtractions writes extractions and the reasons of chunks that failed.
func (s *extraction) writeExtractions(ctx context.Context, writes []neo4jstore.ExtractionWrite, failed map[string]string) error {
	if err := s.writer.WriteExtractions(ctx, writes); err != nil {
		return fmt.Errorf("write extractions: %w", err)
	}
	s.addDone(len(writes))
	if len(failed) == 0 {
		return nil
	}
	for _, key := range sortedKeys(failed) {
		s.addFailure(key, errors.New(failed[key]))
	}
	return s.writer.FailStage(ctx, graph.KindChunk, "extract", failed)
}

// placeOf returns the document and the number of a chunk, for messages.
func placeOf(c graph.Chunk) string {
	return fmt.Sprintf("%s, chunk %d", graph.Local(c.Document), c.Index+1)
}

// extractDocument extracts the pending chunks of one document by rules. It rebuilds the
// text of the document from its chunks, so the file is not read again.
func (s *extraction) extractDocument(ctx context.Context, pending neo4jstore.PendingDocument) (documentResult, error) {
	document := pending.Key
	states, err := s.store.DocumentChunks(ctx, s.Corpus, document)
	if err != nil {
		return documentResult{}, fmt.Errorf("read chunks of %s: %w", document, err)
	}
	chunks := make([]graph.Chunk, len(states))
	for i, c := range states {
		chunks[i] = c.Chunk
	}
	whole := joinChunks(chunks)
	for i := range chunks { // so that a large text is in memory once
		c := &chunks[i]
		c.Text = whole[c.Start : c.Start+len(c.Text)]
		states[i].Chunk = *c
	}
	fp := graph.Hash(s.settings["extract"], whole)
	var out documentResult
	var todo bool
	for _, c := range states {
		if c.Pending && c.ExtractFP == fp {
			out.writes = append(out.writes, neo4jstore.ExtractionWrite{Chunk: c.Key, FP: fp, Sum: c.ExtractSum, Unchanged: true})
		}
		todo = todo || c.Pending && c.ExtractFP != fp
	}
	if !todo {
		return out, nil
	}
	found, err := catchPanic(ctx, chunks, func(ctx context.Context, chunks []graph.Chunk) ([]graph.Extraction, error) {
		return s.Rules.Document(ctx, whole, chunks)
	})
	if ctx.Err() != nil {
		return documentResult{}, context.Cause(ctx)
	}
	for i, c := range states {
		switch {
		case !c.Pending || c.ExtractFP == fp:
		case err != nil:
			if out.failed == nil {
				out.failed = map[string]string{}
			}
			out.failed[c.Key] = placeOf(c.Chunk) + ": " + text.FirstLine(err.Error())
		default:
			w, dropped := s.mentions(c, found[i], fp)
			out.writes = append(out.writes, w)
			out.dropped.Add(dropped)
		}
	}
	return out, nil
}

// mentions merges one extraction into mentions for the store, and returns the counts of
// what the graph cannot hold.
func (s *extraction) mentions(c neo4jstore.ChunkState, x graph.Extraction, fp string) (neo4jstore.ExtractionWrite, resolve.Dropped) {
	if s.nameRules != resolve.EarlierNameRules {
		x = resolve.WithoutSymbols(x)
	}
	w := neo4jstore.ExtractionWrite{Chunk: c.Key, FP: fp, Sum: resolve.Sum(x)}
	if w.Sum == c.ExtractSum {
		w.Unchanged = true
		return w, resolve.Dropped{}
	}
	m := resolve.Merge(s.Corpus, c.Chunk, x)
	if s.folds {
		s.introduce(c.Text, &m)
	}
	made := extractionWrite(m, s.counter)
	made.Chunk, made.FP, made.Sum = w.Chunk, w.FP, w.Sum
	return made, m.Dropped
}

// extractionWrite returns mentions for the store.
func extractionWrite(m resolve.Mentions, counter *tokens.Counter) neo4jstore.ExtractionWrite {
	var w neo4jstore.ExtractionWrite
	for _, n := range m.Entities {
		w.Entities = append(w.Entities, neo4jstore.EntityMention{Entity: n.Key, Name: n.Name, Names: n.Names, Types: n.Types, Descriptions: n.Descriptions, Absent: n.Absent, Same: n.Same})
	}
	for _, l := range m.Relationships {
		w.Relationships = append(w.Relationships, neo4jstore.RelationshipMention{
			Relationship: l.Key, Source: l.Source, Target: l.Target, Descriptions: l.Descriptions,
			Keywords: l.Keywords, Strength: l.Strength, Count: l.Count, Forward: l.Forward,
		})
	}
	for _, k := range m.Claims {
		k.NTokens = counter.Count(k.Description)
		w.Claims = append(w.Claims, neo4jstore.ClaimWrite{Claim: k, Terms: indexTerms(k.ClaimRecord.Subject, k.ClaimRecord.Object, k.Description)})
	}
	return w
}

// joinChunks returns the text of a document from its chunks, which overlap. What no
// chunk covers is white space; spaces replace it, so that the offsets of chunks hold.
func joinChunks(chunks []graph.Chunk) string {
	var b strings.Builder
	if n := len(chunks); n > 0 {
		b.Grow(chunks[n-1].Start + len(chunks[n-1].Text))
	}
	for _, c := range chunks {
		b.WriteString(strings.Repeat(" ", max(0, c.Start-b.Len())))
		if from := b.Len() - c.Start; from <= len(c.Text) {
			b.WriteString(c.Text[from:])
		}
	}
	return b.String()
}

// indexTerms returns the index terms of texts, separated by spaces.
func indexTerms(texts ...string) string {
	return strings.Join(textproc.Terms(strings.Join(texts, " ")), " ")
}
