package neo4jstore

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"

	"github.com/neorag/neorag/internal/graph"
)

// A documentDiff is a document to write, compared with the stored one.
type documentDiff struct {
	key    string
	set    map[string]any
	chunks []chunkDiff
	stale  []string // keys of stored chunks that it no longer has
	bytes  int
}

// A chunkDiff is a chunk to write, with its passages and its predecessor.
type chunkDiff struct {
	chunk     graph.Chunk
	before    string // key of the previous chunk, or of its document
	name      string
	title     string // of its document
	reextract bool
	exists    bool // it is stored, possibly with other passages
	embedFP   string
	vector    []float64 // nil if it is made later
	passages  []graph.Passage
}

func (c chunkDiff) weight() int {
	n := len(c.chunk.Text) + 9*len(c.vector) + 300
	for _, p := range c.passages {
		n += len(p.Terms) + len(p.Pairs) + 300
	}
	return max(n, (1+len(c.passages))*(documentBytes/documentRows))
}

func (d documentDiff) weight() int { return d.bytes }

func (d documentDiff) large() bool { return d.bytes > documentBytes || len(d.stale) > chunksGone }

func (w *Writer) storedDocuments(ctx context.Context, keys []string) (map[string]documentContentsRow, error) {
	all := map[string]documentContentsRow{}
	err := batches(keys, w.store.pageOf(writeRows), countRow, func(part []string) error {
		return eachRow(ctx, w.store, readDocumentContents, w.corpus, map[string]any{"keys": part}, func(row documentContentsRow) { all[row.Key] = row })
	})
	return all, wrap(err, "read documents of corpus "+w.corpus)
}

// diffDocuments compares documents with the stored ones.
func (w *Writer) diffDocuments(ctx context.Context, documents []DocumentWrite) ([]documentDiff, error) {
	keys := make([]string, len(documents))
	for i := range documents {
		keys[i] = documents[i].Document.Key
		if i > 0 && keys[i] == keys[i-1] {
			return nil, fmt.Errorf("write documents of corpus %s: %s is repeated", w.corpus, keys[i])
		}
	}
	stored, err := w.storedDocuments(ctx, keys)
	if err != nil {
		return nil, err
	}
	diffs := make([]documentDiff, len(documents))
	for i := range documents {
		diffs[i], err = diffDocument(&documents[i], stored[keys[i]])
		if err != nil {
			return nil, fmt.Errorf("write document %s: %w", keys[i], err)
		}
	}
	return diffs, nil
}

func diffDocument(w *DocumentWrite, stored documentContentsRow) (documentDiff, error) {
	d := documentDiff{key: w.Document.Key, set: documentProperties(w, stored.Meta)}
	title := cmp.Or(w.Document.Title, path.Base(w.Document.URI))
	old := make(map[string]bool, len(stored.Chunks))
	for _, key := range stored.Chunks {
		old[key] = true
	}
	passages := map[string][]graph.Passage{}
	for _, p := range w.Passages {
		passages[p.Chunk] = append(passages[p.Chunk], p)
	}
	chunks := slices.Clone(w.Chunks)
	slices.SortFunc(chunks, func(a, b graph.Chunk) int { return cmp.Compare(a.Index, b.Index) })
	before := d.key
	d.bytes = len(w.Terms) + len(w.Lead) + 1000
	for _, c := range chunks {
		p := chunkDiff{
			chunk: c, before: before, name: title + " #" + strconv.Itoa(c.Index+1), title: w.Document.Title, reextract: w.Reextract,
			exists: old[c.Key], passages: passages[c.Key],
		}
		if v, ok := w.Vectors[c.Key]; ok && !p.exists {
			list, err := vectorOf(v.Vector, 0)
			if err != nil {
				return d, fmt.Errorf("vector of chunk %s: %w", c.Key, err)
			}
			p.embedFP, p.vector = v.EmbedFP, list
		}
		d.chunks = append(d.chunks, p)
		d.bytes += p.weight()
		delete(old, c.Key)
		delete(passages, c.Key)
		before = c.Key
	}
	for key := range passages {
		return d, fmt.Errorf("passages of chunk %s: %w", key, ErrMissingEnd)
	}
	for _, key := range stored.Chunks {
		if old[key] {
			d.stale = append(d.stale, key)
		}
	}
	slices.Sort(d.stale)
	return d, nil
}

// documentProperties returns the properties of a document. Metadata that it no longer
// has is null, which removes it.
func documentProperties(w *DocumentWrite, old []string) map[string]any {
	set := map[string]any{
		"uri": w.Document.URI, "root": optional(w.Document.Root), "title": w.Document.Title, "sha256": w.Document.SHA256,
		"mime": w.Document.MIME, "date": optional(w.Document.Date), "language": optional(w.Document.Language), "n_tokens": w.NTokens, "source_fp": w.SourceFP,
		"chunk_fp": w.ChunkFP, "terms": w.Terms, "lead": w.Lead, "passages": len(w.Passages), "row": nil, "line": nil,
	}
	if at := w.Document.Places; at.Row > 0 {
		set["row"], set["line"] = at.Row, at.Line
	}
	for _, name := range old {
		set[name] = nil
	}
	names := make([]string, 0, len(w.Document.Metadata))
	for name := range w.Document.Metadata {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		property, value := metaName(name), w.Document.Metadata[name]
		if before, ok := set[property].(string); ok {
			value = before + "; " + value
		}
		set[property] = value
	}
	return set
}
