package neo4jstore

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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

// metaName is the property that holds a piece of metadata: lower case letters,
// digits and underscores.
func metaName(name string) string {
	return "meta_" + strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToLower(strings.TrimSpace(name)))
}

// optional leaves an empty text out of the store.
func optional(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func documentRowsOf(plans []documentPlan) []any {
	rows := make([]any, len(plans))
	for i := range plans {
		rows[i] = map[string]any{"key": plans[i].key, "set": plans[i].set}
	}
	return rows
}

// writeChunks writes chunks of documents that stand, with passages and links.
func (t *transaction) writeChunks(ctx context.Context, corpus string, chunks []chunkPlan) error {
	var rows, stand, first, next, keep, passages []any
	for i := range chunks {
		c := &chunks[i]
		rows = append(rows, map[string]any{
			"document": c.chunk.Document, "key": c.chunk.Key, "text": c.chunk.Text, "reextract": c.reextract,
			"set": map[string]any{"index": c.chunk.Index, "n_tokens": c.chunk.NTokens, "start": c.chunk.Start, "end": c.chunk.End, "name": c.name},
		})
		link := map[string]any{"key": c.chunk.Key, "before": c.before}
		if c.before == c.chunk.Document {
			first = append(first, link)
		} else {
			next = append(next, link)
		}
		keys := make([]string, len(c.passages))
		for j := range c.passages {
			keys[j] = c.passages[j].Key
			passages = append(passages, passageRow(c, &c.passages[j]))
		}
		if c.stands {
			stand = append(stand, link)
			keep = append(keep, map[string]any{"key": c.chunk.Key, "keep": keys})
		}
	}
	for _, step := range []struct {
		statement cypher.Statement
		rows      []any
		counted   bool
	}{
		{cypher.WriteChunks, rows, true},
		{cypher.WriteChunkLinksGone, stand, false},
		{cypher.WriteFirstChunks, first, true},
		{cypher.WriteChunkLinks, next, true},
		{cypher.WritePassagesGone, keep, false},
		{cypher.WritePassages, passages, true},
	} {
		if err := t.rows(ctx, step.statement, corpus, step.rows, step.counted); err != nil {
			return err
		}
	}
	return nil
}

// rows runs a statement over rows, if there are any, and compares their number
// where it is counted.
func (t *transaction) rows(ctx context.Context, st cypher.Statement, corpus string, rows []any, counted bool) error {
	switch params := map[string]any{"rows": rows}; {
	case len(rows) == 0:
		return nil
	case counted:
		return t.exactly(ctx, st, corpus, params, len(rows))
	default:
		return t.each(ctx, st, corpus, params, nil)
	}
}

func passageRow(c *chunkPlan, p *graph.Passage) map[string]any {
	return map[string]any{"chunk": p.Chunk, "key": p.Key, "set": map[string]any{
		"terms": p.Terms, "pairs": p.Pairs, "start": p.Start, "end": p.End, "name": snippet(c.chunk.Text, p.Start, p.End, 60),
	}}
}

// snippet is the beginning of text[start:end], at most n runes, as a caption.
func snippet(text string, start, end, n int) string {
	if start < 0 || end > len(text) || start > end {
		return ""
	}
	text = text[start:end]
	if len(text) > 8*n { // enough bytes for n runes and the white space among them
		text = text[:8*n]
	}
	return shorten(strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " "), n)
}

// shorten cuts a text of more than n runes at a space and adds an ellipsis.
func shorten(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	end, runes := 0, 0
	for i := range text {
		if runes == n-1 {
			end = i
			break
		}
		runes++
	}
	if space := strings.LastIndexByte(text[:end], ' '); space > end/2 {
		end = space
	}
	return strings.TrimRight(text[:end], " ,;:") + "…"
}
