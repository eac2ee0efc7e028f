package neo4jstore

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// A documentPlan is a document as it will be written, next to what stands.
type documentPlan struct {
	key    string
	set    map[string]any
	chunks []chunkPlan
	stale  []string // keys of chunks that it no longer has
	bytes  int
}

// A chunkPlan is a chunk with its passages and the node that links to it.
type chunkPlan struct {
	chunk     graph.Chunk
	before    string // key of the chunk before it, or of its document
	name      string
	reextract bool
	stands    bool // it is there already, perhaps with other passages
	passages  []graph.Passage
}

func (c chunkPlan) weight() int {
	n := len(c.chunk.Text) + 300
	for _, p := range c.passages {
		n += len(p.Terms) + len(p.Pairs) + 300
	}
	return max(n, (1+len(c.passages))*(documentBytes/documentRows))
}

func (d documentPlan) weight() int { return d.bytes }

func (d documentPlan) large() bool { return d.bytes > documentBytes || len(d.stale) > chunksGone }

// contents is what a document has in the store.
type contents struct {
	chunks []string
	meta   []string // names of metadata properties
}

func (l *Writer) contents(ctx context.Context, keys []string) (map[string]contents, error) {
	all := map[string]contents{}
	err := l.store.read(ctx, cypher.ReadDocumentContents, l.corpus, map[string]any{"keys": keys}, eachRow(func(v values) {
		all[v.text("key")] = contents{chunks: v.texts("chunks"), meta: v.texts("meta")}
	}))
	if err != nil {
		return nil, fmt.Errorf("read documents of corpus %s: %w", l.corpus, err)
	}
	return all, nil
}

// plan compares documents with what stands.
func (l *Writer) plan(ctx context.Context, documents []DocumentWrite) ([]documentPlan, error) {
	keys := make([]string, len(documents))
	for i := range documents {
		keys[i] = documents[i].Document.Key
		if i > 0 && keys[i] == keys[i-1] {
			return nil, fmt.Errorf("write documents of corpus %s: %s comes twice", l.corpus, keys[i])
		}
	}
	stand, err := l.contents(ctx, keys)
	if err != nil {
		return nil, err
	}
	plans := make([]documentPlan, len(documents))
	for i := range documents {
		plans[i], err = planOf(&documents[i], stand[keys[i]])
		if err != nil {
			return nil, fmt.Errorf("write document %s: %w", keys[i], err)
		}
	}
	return plans, nil
}

func planOf(w *DocumentWrite, stand contents) (documentPlan, error) {
	d := documentPlan{key: w.Document.Key, set: documentSet(w, stand.meta)}
	title := cmp.Or(w.Document.Title, path.Base(w.Document.URI))
	old := make(map[string]bool, len(stand.chunks))
	for _, key := range stand.chunks {
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
		p := chunkPlan{
			chunk: c, before: before, name: title + " #" + strconv.Itoa(c.Index+1), reextract: w.Reextract,
			stands: old[c.Key], passages: passages[c.Key],
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
	for _, key := range stand.chunks {
		if old[key] {
			d.stale = append(d.stale, key)
		}
	}
	slices.Sort(d.stale)
	return d, nil
}

// documentSet is the properties of a document. Metadata that it had and no
// longer has is set to null, which removes it.
func documentSet(w *DocumentWrite, old []string) map[string]any {
	set := map[string]any{
		"uri": w.Document.URI, "root": optional(w.Document.Root), "title": w.Document.Title, "sha256": w.Document.SHA256,
		"mime": w.Document.MIME, "date": optional(w.Document.Date), "n_tokens": w.NTokens, "source_fp": w.SourceFP,
		"chunk_fp": w.ChunkFP, "terms": w.Terms, "lead": w.Lead, "passages": len(w.Passages),
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
