package index

import (
	"context"
	"fmt"
	"math"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/qcg"
	"github.com/neorag/neorag/internal/store/neo4jstore"
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
	kept, err := r.store.KeptQueries(ctx, r.Corpus)
	if err != nil {
		return err
	}
	limit := r.Queries.ExactPairs
	if limit == 0 {
		limit = exactPairs
	}
	if kept > limit {
		return r.linkByIndex(ctx, s)
	}
	l := linker{set: qcg.NewSet(r.Embedder.Dimension(), kept), bound: qcg.Bound{K: r.queries.Neighbours}}
	if err := r.store.QueryNodes(ctx, r.Corpus, func(n neo4jstore.QueryNode) {
		if !n.Kept {
			n.Vector = nil
		}
		l.add(n.Key, n.Vector, n.Marked, n.Neighbours)
	}); err != nil {
		return err
	}
	before, err := l.relink(ctx, l.marked, r.Concurrency)
	if err != nil {
		return err
	}
	if err := r.noteScale(ctx, l.set.Scale(l.lists)); err != nil {
		return err
	}
	return l.write(ctx, s, before, s.writer.WriteNeighbours)
}

// noteScale stores where the cosines of the pairs lie, if that changed.
func (r *run) noteScale(ctx context.Context, scale qcg.Scale) error {
	if before := (qcg.Scale{Unrelated: r.queries.Unrelated, Near: r.queries.Near}); scale != before {
		preset, err := qcg.FindPreset(r.queries.Preset)
		if err != nil {
			return err
		}
		r.addNote("question-answer pairs: unrelated ones have a mean cosine of %.3f, nearest neighbours of %.3f; the gamma %.3g of the preset %s is %.3f here",
			scale.Unrelated, scale.Near, preset.Gamma, preset.Name, scale.Calibrate(preset.Gamma))
	}
	settings := r.queries
	settings.Unrelated, settings.Near = scale.Unrelated, scale.Near
	return r.writer.SetQueries(ctx, settings)
}

// linkByIndex links the marked pairs by the vector index of the server. The lists of other
// pairs stay as they are.
func (r *run) linkByIndex(ctx context.Context, s *stage) error {
	for after := graph.Key(r.Corpus, ""); ; {
		page, err := r.store.MarkedQueries(ctx, r.Corpus, after, linkPage)
		if err != nil || len(page) == 0 {
			return err
		}
		after = page[len(page)-1].Key
		rows := make([]neo4jstore.Linked, len(page))
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
func (r *run) nearestByIndex(ctx context.Context, n neo4jstore.QueryNode) (neo4jstore.Linked, error) {
	out := neo4jstore.Linked{Key: n.Key}
	if !n.Kept || len(n.Vector) == 0 {
		return out, nil
	}
	hits, err := r.store.NearestQueries(ctx, r.Corpus, n.Vector, max(indexCandidates, r.queries.Neighbours+1))
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
		out.Neighbours = append(out.Neighbours, neo4jstore.Neighbour{Key: e.Key, Score: e.Score})
	}
	return out, nil
}
