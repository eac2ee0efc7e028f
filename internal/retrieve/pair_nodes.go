package retrieve

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strconv"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/qcg"
	"github.com/neorag/neorag/internal/textproc"
)

// maxNodes is how many nodes searchNodes compares at most.
const maxNodes = 200_000

// searchNodes searches nodes that have no vectors in the store: the questions, the answers, or
// the sentences of the chunks. It reads all texts of the scope and hashes them, so that it works
// for hashed vectors only; it is meant for comparisons.
func (r Reader) searchNodes(ctx context.Context, c Corpus, q PairQuery, scale PairScale, vector []float32) ([]PairHit, error) {
	if c.Embedder != nil {
		return nil, fmt.Errorf("corpus %s: %w: with an embedding model only pairs are embedded; search with the node choice %s", c.Name, ErrNodes, NodePair)
	}
	read := r.pairTexts
	if q.Node == NodeSentence {
		read = r.sentenceNodes
	}
	nodes, texts, err := read(ctx, c, q.Node)
	if err != nil {
		return nil, err
	}
	if len(nodes) > maxNodes {
		return nil, fmt.Errorf("corpus %s: %w: %d nodes are more than the %d that are compared: search with the node choice %s", c.Name, ErrNodes, len(nodes), maxNodes, NodePair)
	}
	set := qcg.NewSet(textproc.Dimension, len(nodes))
	hits := make([]qcg.Hit, 0, len(nodes))
	for i, text := range texts {
		if i%1000 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		v := textproc.Vector(text)
		set.Add(nodes[i].Key, v)
		hits = append(hits, qcg.Hit{Key: nodes[i].Key, Score: 1 + qcg.Cosine(v, vector)})
	}
	found, err := set.Expand(ctx, qcg.Seeds(hits, scale.Least, scale.Seeds), vector, neighboursOf(q), q.hops(), runtime.NumCPU())
	if err != nil {
		return nil, err
	}
	out := make([]PairHit, len(found))
	for i, h := range found {
		at, _ := set.Find(h.Key)
		out[i] = nodes[at]
		out[i].Score, out[i].Hop = h.Score, h.Hop
	}
	return out, nil
}

func neighboursOf(q PairQuery) int {
	if q.Neighbours > 0 {
		return q.Neighbours
	}
	return qcg.DefaultNeighbours
}

// pairTexts reads the kept pairs of a scope, and of each the part that is the node.
func (r Reader) pairTexts(ctx context.Context, c Corpus, node string) (nodes []PairHit, texts []string, err error) {
	inScope := scopeOf(c.Filter)
	err = r.store.QueryTexts(ctx, c.Name, func(h neo4jstore.QueryHit) {
		if !h.Kept || !inScope(h.Document, h.Chunk) {
			return
		}
		text := h.Query
		if node == NodeAnswer {
			text = h.Answer
		}
		nodes = append(nodes, PairHit{Key: h.Key, Query: h.Query, Answer: h.Answer, Chunk: h.Chunk, Document: h.Document, Title: h.Title, ChunkIndex: h.ChunkIndex})
		texts = append(texts, text)
	})
	return nodes, texts, err
}

// scopeOf returns a function that reports whether a chunk is in a scope.
func scopeOf(w *neo4jstore.Scope) func(document, chunk string) bool {
	if w == nil {
		return func(string, string) bool { return true }
	}
	documents, chunks := map[string]bool{}, map[string]bool{}
	for _, key := range w.Documents {
		documents[key] = true
	}
	for _, key := range w.Chunks {
		chunks[key] = true
	}
	return func(document, chunk string) bool { return documents[document] && (w.Chunks == nil || chunks[chunk]) }
}

// sentenceNodes reads the sentences of the chunks of a scope.
func (r Reader) sentenceNodes(ctx context.Context, c Corpus, _ string) (nodes []PairHit, texts []string, err error) {
	for after := graph.Key(c.Name, ""); ; {
		page, err := r.store.ChunkRowPageInScope(ctx, c.Name, c.Filter, after, chunkPage)
		if err != nil {
			return nil, nil, err
		}
		if len(page) == 0 {
			break
		}
		after = page[len(page)-1].Key
		for _, row := range page {
			for _, s := range textproc.Sentences(row.Text) {
				text := row.Text[s.Start:s.End]
				nodes = append(nodes, PairHit{
					Key: row.Key + "#" + strconv.Itoa(1_000_000+s.Start), Answer: text, Chunk: row.Key, Document: row.Document, Title: row.DocumentTitle, ChunkIndex: row.Index,
				})
				texts = append(texts, text)
			}
		}
	}
	if !slices.IsSortedFunc(nodes, func(a, b PairHit) int { return cmpKeys(a.Key, b.Key) }) {
		return nil, nil, fmt.Errorf("read sentences of corpus %s: they are not in order", c.Name)
	}
	return nodes, texts, nil
}

func cmpKeys(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
