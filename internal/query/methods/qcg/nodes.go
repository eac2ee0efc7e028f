package qcg

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/stage/qcg"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
)

// maxNodes is how many nodes searchNodes compares at most.
const maxNodes = 200_000

// searchNodes searches nodes other than pairs: the questions, the answers, or the sentences of
// the chunks. Those that have no vectors in the store are hashed: it reads all texts of the
// scope, and works for hashed vectors only, which is meant for comparisons.
func searchNodes(ctx context.Context, r retrieve.Reader, c retrieve.Corpus, q Settings, scale scale, vector []float32) ([]hit, error) {
	if q.Node == NodeSentence && scale.sentences {
		return searchSentences(ctx, r, c, q, scale, vector)
	}
	if c.Embedder != nil {
		return nil, fmt.Errorf("corpus %s: %w: with an embedding model only pairs are embedded, and sentences after `neorag index PATH --with sentences`; search with the node choice %s", c.Name, ErrNodes, NodePair)
	}
	read := pairTexts
	if q.Node == NodeSentence {
		read = sentenceNodes
	}
	nodes, texts, err := read(ctx, r, c, q.Node)
	if err != nil {
		return nil, err
	}
	if err := checkNodes(c, len(nodes)); err != nil {
		return nil, err
	}
	set := qcg.NewSet(textproc.Dimension, len(nodes))
	for i, text := range texts {
		if i%1000 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		set.Add(nodes[i].Key, textproc.Vector(text))
	}
	return expandNodes(ctx, q, scale, set, nodes, vector)
}

// checkNodes returns ErrNodes for more nodes than are compared in memory.
func checkNodes(c retrieve.Corpus, n int) error {
	if n <= maxNodes {
		return nil
	}
	return fmt.Errorf("corpus %s: %w: %d nodes are more than the %d that are compared: search with the node choice %s", c.Name, ErrNodes, n, maxNodes, NodePair)
}

// expandNodes returns the nodes of a set that a question finds, and those up to some edges away.
func expandNodes(ctx context.Context, q Settings, scale scale, set *qcg.Set, nodes []hit, vector []float32) ([]hit, error) {
	hits := make([]qcg.Hit, len(nodes))
	for i := range nodes {
		hits[i] = qcg.Hit{Key: nodes[i].Key, Score: 1 + set.Cosine(i, vector)}
	}
	found, err := set.Expand(ctx, qcg.Seeds(hits, scale.Least, scale.Pairs), vector, neighboursOf(q), q.hops(), runtime.NumCPU())
	if err != nil {
		return nil, err
	}
	out := make([]hit, len(found))
	for i, h := range found {
		at, _ := set.Find(h.Key)
		out[i] = nodes[at]
		out[i].Score, out[i].Hop = h.Score, h.Hop
	}
	return out, nil
}

// searchSentences searches the sentences of a corpus that has them, by the vector index of the
// server, or in a scope by comparing all of the scope. Edges lead to the nearest sentences.
func searchSentences(ctx context.Context, r retrieve.Reader, c retrieve.Corpus, q Settings, scale scale, vector []float32) ([]hit, error) {
	if c.Filter == nil {
		hits, err := r.Store.SearchSentences(ctx, c.Name, neo4jstore.QuerySearch{
			Vector: vector, Least: scale.Least - 1, Limit: scale.Pairs, Hops: q.hops(), Neighbours: neighboursOf(q),
		})
		return pairHits(hits), err
	}
	set := qcg.NewSet(len(vector), 0)
	var nodes []hit
	if err := r.Store.SentenceVectors(ctx, c.Name, c.Filter, func(h neo4jstore.QueryHit, v []float32) {
		if len(v) == len(vector) && len(nodes) <= maxNodes {
			set.Add(h.Key, v)
			nodes = append(nodes, pairHit(h))
		}
	}); err != nil {
		return nil, err
	}
	if err := checkNodes(c, len(nodes)); err != nil {
		return nil, err
	}
	return expandNodes(ctx, q, scale, set, nodes, vector)
}

func neighboursOf(q Settings) int { return cmp.Or(max(0, q.Neighbours), qcg.DefaultNeighbours) }

// pairTexts reads the kept pairs of a scope, and of each the part that is the node.
func pairTexts(ctx context.Context, r retrieve.Reader, c retrieve.Corpus, node string) (nodes []hit, texts []string, err error) {
	inScope := c.InScope()
	err = r.Store.QueryTexts(ctx, c.Name, func(h neo4jstore.QueryHit) {
		if !h.Kept || !inScope(h.Chunk, h.Document) {
			return
		}
		text := h.Query
		if node == NodeAnswer {
			text = h.Answer
		}
		nodes = append(nodes, pairHit(h))
		texts = append(texts, text)
	})
	return nodes, texts, err
}

// sentenceNodes reads the sentences of the chunks of a scope, with the keys that they have as
// nodes.
func sentenceNodes(ctx context.Context, r retrieve.Reader, c retrieve.Corpus, _ string) (nodes []hit, texts []string, err error) {
	chunks, err := r.Of(c).AllChunks(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, chunk := range chunks {
		for _, at := range textproc.Statements(chunk.Text) {
			nodes = append(nodes, hit{QueryHit: neo4jstore.QueryHit{
				Key: graph.SentenceKey(c.Name, chunk.Key, at.Start), Answer: chunk.Text[at.Start:at.End],
				Chunk: chunk.Key, Document: chunk.Document, Title: chunk.DocumentTitle, ChunkIndex: chunk.Index,
			}})
		}
	}
	slices.SortFunc(nodes, func(a, b hit) int { return strings.Compare(a.Key, b.Key) })
	for i := range nodes {
		texts = append(texts, nodes[i].Answer)
	}
	return nodes, texts, nil
}
