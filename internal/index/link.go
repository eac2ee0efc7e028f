package index

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/qcg"
)

// link gives the marked pairs edges to their nearest neighbours, and changes the lists of the
// other pairs that a marked one enters. What lost a neighbour is marked.
func (r *run) link(ctx context.Context, s *stage) error {
	if !r.hasQueries() {
		return nil
	}
	n, err := s.announcePending(ctx)
	if err != nil || n == 0 && !r.textsGone {
		return err
	}
	kept, err := r.store.KeptQueries(ctx, r.options.Corpus)
	if err != nil {
		return err
	}
	limit := r.options.Queries.ExactPairs
	if limit == 0 {
		limit = exactPairs
	}
	if kept > limit {
		return r.linkByIndex(ctx, s)
	}
	l := linker{set: qcg.NewSet(r.options.Embedder.Dimension(), kept), k: r.queries.Neighbours}
	if err := r.store.QueryNodes(ctx, r.options.Corpus, l.add); err != nil {
		return err
	}
	before, err := l.nearest(ctx, r.options.Concurrency)
	if err != nil {
		return err
	}
	if err := r.noteScale(ctx, l.set.Scale(l.lists)); err != nil {
		return err
	}
	// The marks are removed last: until then an interrupted run compares with all marked pairs
	// again, so that no list misses one.
	if err := s.writer.WriteNeighbours(ctx, l.entered(before)); err != nil {
		return fmt.Errorf("write neighbours: %w", err)
	}
	for part := range slices.Chunk(l.ofMarked(), linkPage) {
		if err := s.writer.WriteNeighbours(ctx, part); err != nil {
			return fmt.Errorf("write neighbours: %w", err)
		}
		s.addDone(len(part))
	}
	return nil
}

// linkPage is how many pairs are linked before progress is reported.
const linkPage = 2000

// noteScale stores where the cosines of the pairs lie, if that changed.
func (r *run) noteScale(ctx context.Context, scale qcg.Scale) error {
	if before := (qcg.Scale{Unrelated: r.queries.Unrelated, Near: r.queries.Near}); scale != before {
		preset, err := qcg.FindPreset(r.queries.Preset)
		if err != nil {
			return err
		}
		r.mu.Lock()
		r.addNote("question-answer pairs: unrelated ones have a mean cosine of %.3f, nearest neighbours of %.3f; the gamma %.3g of the preset %s is %.3f here",
			scale.Unrelated, scale.Near, preset.Gamma, preset.Name, scale.Calibrate(preset.Gamma))
		r.mu.Unlock()
	}
	r.queries.Unrelated, r.queries.Near = scale.Unrelated, scale.Near
	return r.writer.SetQueries(ctx, r.queries)
}

// A linker holds all kept pairs of a corpus with their neighbours, in key order.
type linker struct {
	set    *qcg.Set
	k      int
	lists  [][]qcg.Neighbour
	marked []int
	others []string // keys of marked pairs that are not kept
}

func (l *linker) add(n neo4jstore.QueryNode) {
	if !n.Kept || len(n.Vector) == 0 {
		if n.Marked {
			l.others = append(l.others, n.Key)
		}
		return
	}
	if n.Marked {
		l.marked = append(l.marked, l.set.Len())
	}
	var list []qcg.Neighbour
	for _, e := range n.Neighbours {
		list = qcg.Insert(list, qcg.Neighbour{Key: e.Key, Score: e.Score}, math.MaxInt)
	}
	l.set.Add(n.Key, n.Vector)
	l.lists = append(l.lists, list)
}

// nearest replaces the lists of the marked pairs, and adds marked pairs to the lists of the
// others that they are near enough to. It returns the lists of before.
func (l *linker) nearest(ctx context.Context, workers int) (before [][]qcg.Neighbour, err error) {
	before = slices.Clone(l.lists)
	found, err := l.set.Nearest(ctx, l.marked, l.k, workers)
	if err != nil {
		return nil, err
	}
	isMarked := make([]bool, l.set.Len())
	for i, node := range l.marked {
		isMarked[node], l.lists[node] = true, found[i]
	}
	for node := range l.lists {
		if isMarked[node] {
			continue
		}
		if node%1000 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		list := slices.Clone(l.lists[node])
		for _, other := range l.marked {
			list = qcg.Insert(list, qcg.Neighbour{Key: l.set.Key(other), Score: l.set.Similarity(node, other)}, l.k)
		}
		l.lists[node] = list
	}
	return before, nil
}

// entered returns the lists of pairs without a mark that changed.
func (l *linker) entered(before [][]qcg.Neighbour) []neo4jstore.LinkedQuery {
	var out []neo4jstore.LinkedQuery
	for node, list := range l.lists {
		if _, marked := slices.BinarySearch(l.marked, node); !marked && !slices.Equal(list, before[node]) {
			out = append(out, l.linked(node))
		}
	}
	return out
}

// ofMarked returns the lists of the marked pairs; those that are not kept have none.
func (l *linker) ofMarked() []neo4jstore.LinkedQuery {
	out := make([]neo4jstore.LinkedQuery, 0, len(l.marked)+len(l.others))
	for _, node := range l.marked {
		out = append(out, l.linked(node))
	}
	for _, key := range l.others {
		out = append(out, neo4jstore.LinkedQuery{Key: key})
	}
	return out
}

func (l *linker) linked(node int) neo4jstore.LinkedQuery {
	q := neo4jstore.LinkedQuery{Key: l.set.Key(node)}
	for _, n := range l.lists[node] {
		q.Neighbours = append(q.Neighbours, neo4jstore.SimilarQuery{Key: n.Key, Score: n.Score})
	}
	return q
}

// linkByIndex links the marked pairs by the vector index of the server. The lists of other
// pairs stay as they are.
func (r *run) linkByIndex(ctx context.Context, s *stage) error {
	for after := graph.Key(r.options.Corpus, ""); ; {
		page, err := r.store.MarkedQueries(ctx, r.options.Corpus, after, linkPage)
		if err != nil || len(page) == 0 {
			return err
		}
		after = page[len(page)-1].Key
		rows := make([]neo4jstore.LinkedQuery, len(page))
		for i, n := range page {
			if rows[i], err = r.nearestByIndex(ctx, n); err != nil {
				return err
			}
		}
		if err := s.writer.WriteNeighbours(ctx, rows); err != nil {
			return fmt.Errorf("write neighbours: %w", err)
		}
		s.addDone(len(rows))
	}
}

// indexCandidates is how many pairs the vector index is asked for: of more of them, more of the
// nearest are among them.
const indexCandidates = 50

// nearestByIndex asks the vector index for the neighbours of a pair.
func (r *run) nearestByIndex(ctx context.Context, n neo4jstore.QueryNode) (neo4jstore.LinkedQuery, error) {
	out := neo4jstore.LinkedQuery{Key: n.Key}
	if !n.Kept || len(n.Vector) == 0 {
		return out, nil
	}
	hits, err := r.store.NearestQueries(ctx, r.options.Corpus, n.Vector, max(indexCandidates, r.queries.Neighbours+1))
	if err != nil {
		return out, err
	}
	var list []qcg.Neighbour
	for _, h := range hits {
		if h.Key != n.Key {
			list = qcg.Insert(list, qcg.Neighbour{Key: h.Key, Score: math.Round(1e6*h.Cosine) / 1e6}, r.queries.Neighbours)
		}
	}
	for _, e := range list {
		out.Neighbours = append(out.Neighbours, neo4jstore.SimilarQuery{Key: e.Key, Score: e.Score})
	}
	return out, nil
}
