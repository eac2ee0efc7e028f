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

// maxAbout is how long the metadata may be that are searched with a document, in bytes.
const maxAbout = 400

// A documentReader reads files, and splits their documents into chunks.
type documentReader struct {
	*effective

	from source.Options // how files are read
}

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

// readTasks iterates over the files, and over the documents of files of records.
func (r documentReader) readTasks(ctx context.Context, files []fileToRead) iter.Seq2[readTask, error] {
	return func(yield func(readTask, error) bool) {
		for _, f := range files {
			if !source.HasRecords(f.File) {
				if !yield(readTask{file: f}, nil) {
					return
				}
				continue
			}
			// Failures of records are in the diff already.
			_, err := source.Documents(ctx, f.File, r.from, func(d graph.Document) error {
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

// readTask reads and splits a document. A failure is part of the result, because one bad
// file does not end the run; the error is only the error of the context.
func (r documentReader) readTask(ctx context.Context, t readTask) (readResult, error) {
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
		out.failures, out.err = source.Documents(ctx, t.file.File, r.from, add)
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
func (r documentReader) chunkDocument(d graph.Document) (neo4jstore.DocumentWrite, error) {
	d.Key = graph.DocumentKey(r.Corpus, d.URI)
	chunks, err := chunk.Split(r.Corpus, d, r.counter, r.Chunk)
	if err != nil {
		return neo4jstore.DocumentWrite{}, fmt.Errorf("chunk %s: %w", d.URI, err)
	}
	l := language.Of(d.Text)
	d.Language = string(l)
	lead := textproc.HeaderTerms(l, d.Title, about(d.Metadata), d.Text, d.Date)
	passages, terms := chunk.Passages(r.Corpus, d, chunks, lead)
	tokens := 0
	for _, c := range chunks {
		tokens += c.NTokens
	}
	w := neo4jstore.DocumentWrite{
		Document: d, NTokens: tokens, SourceFP: r.Source.Fingerprint(), ChunkFP: r.chunkFP(),
		Terms: strings.TrimSpace(terms + " " + lead), Lead: lead,
		Chunks: chunks, Passages: passages, Reextract: r.extractor == nil,
	}
	if !r.embedsLater() {
		w.Vectors = make(map[string]neo4jstore.Embedded, len(chunks))
		for _, c := range chunks {
			w.Vectors[c.Key] = neo4jstore.Embedded{EmbedFP: r.embedFP(c.Text), Vector: textproc.Vector(c.Text)}
		}
	}
	return w, nil
}
