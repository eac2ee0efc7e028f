package index

import (
	"context"
	"fmt"
	"math"

	"github.com/neorag/neorag/internal/stage/qcg"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A pairLinker is the stage link.
type pairLinker struct{ *stage }

// run gives the marked pairs edges to their nearest neighbours, and changes the lists of the
// other pairs that a marked one enters. What lost a neighbour is marked.
func (s *pairLinker) run(ctx context.Context) error {
	n, err := s.announcePending(ctx)
	if err != nil || n == 0 && !s.shared.textsGone {
		return err
	}
	kept, err := s.store.KeptQueries(ctx, s.Corpus)
	if err != nil {
		return err
	}
	limit := s.Queries.ExactPairs
	if limit == 0 {
		limit = exactPairs
	}
	if kept > limit {
		return s.linkByIndex(ctx)
	}
	l := linker{set: qcg.NewSet(s.Embedder.Dimension(), kept), bound: qcg.Bound{K: s.queries.Neighbours}}
	if err := s.store.QueryNodes(ctx, s.Corpus, func(n neo4jstore.QueryNode) {
		if !n.Kept {
			n.Vector = nil
		}
		l.add(n.Key, n.Vector, n.Marked, n.Neighbours)
	}); err != nil {
		return err
	}
	before, err := l.relink(ctx, l.marked, s.Concurrency)
	if err != nil {
		return err
	}
	if err := s.noteScale(ctx, l.set.Scale(l.lists)); err != nil {
		return err
	}
	return l.write(ctx, s.stage, before, s.writer.WriteNeighbours)
}

// noteScale stores where the cosines of the pairs lie, if that changed.
func (s *pairLinker) noteScale(ctx context.Context, scale qcg.Scale) error {
	if before := (qcg.Scale{Unrelated: s.queries.Unrelated, Near: s.queries.Near}); scale != before {
		preset, err := qcg.FindPreset(s.queries.Preset)
		if err != nil {
			return err
		}
		s.shared.addNote("question-answer pairs: unrelated ones have a mean cosine of %.3f, nearest neighbours of %.3f; the gamma %.3g of the preset %s is %.3f here",
			scale.Unrelated, scale.Near, preset.Gamma, preset.Name, scale.Calibrate(preset.Gamma))
	}
	settings := s.queries
	settings.Unrelated, settings.Near = scale.Unrelated, scale.Near
	return s.writer.SetQueries(ctx, settings)
}

// linkByIndex links the marked pairs by the vector index of the server. The lists of other
// pairs stay as they are.
func (s *pairLinker) linkByIndex(ctx context.Context) error {
	for page, err := range pages(ctx, s.Corpus, s.store.MarkedQueries, linkPage, func(n neo4jstore.QueryNode) string { return n.Key }) {
		if err != nil {
			return err
		}
		rows := make([]neo4jstore.Linked, len(page))
		for i, n := range page {
			if rows[i], err = s.nearestByIndex(ctx, n); err != nil {
				return err
			}
		}
		if err := s.writer.WriteNeighbours(ctx, rows); err != nil {
			return fmt.Errorf("write neighbours: %w", err)
		}
		s.addDone(len(rows))
	}
	return nil
}

// indexCandidates is how many pairs the vector index is asked for: of more of them, more of the
// nearest are among them.
const indexCandidates = 50

// nearestByIndex asks the vector index for the neighbours of a pair.
func (s *pairLinker) nearestByIndex(ctx context.Context, n neo4jstore.QueryNode) (neo4jstore.Linked, error) {
	out := neo4jstore.Linked{Key: n.Key}
	if !n.Kept || len(n.Vector) == 0 {
		return out, nil
	}
	hits, err := s.store.NearestQueries(ctx, s.Corpus, n.Vector, max(indexCandidates, s.queries.Neighbours+1))
	if err != nil {
		return out, err
	}
	var list []qcg.Neighbour
	for _, h := range hits {
		if h.Key != n.Key {
			list = qcg.Insert(list, qcg.Neighbour{Key: h.Key, Score: math.Round(1e6*h.Cosine) / 1e6}, s.queries.Neighbours)
		}
	}
	for _, e := range list {
		out.Neighbours = append(out.Neighbours, neo4jstore.Neighbour{Key: e.Key, Score: e.Score})
	}
	return out, nil
}
