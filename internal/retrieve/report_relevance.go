package query

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/textproc"
)

// closeHits is how many reports a search for the closest ones gives.
const closeHits = 300

// closeness says how near the reports of communities are to a question, as a
// share of the nearest, from 0 to 1. It is found in one search over all levels.
type closeness struct {
	own    map[string]float64 // of a community's own report
	reach  map[string]float64 // the most of its own and of all below it
	parent map[string]string
	least  float64 // below which a report has little to do with the question
}

// Shares of the nearest report below which another counts as far: scores of
// words fall off steeply, cosines of vectors lie close together.
const (
	leastWords  = .35
	leastCosine = .85
)

// close measures reports by the vectors of a model where the corpus has those,
// else by their words.
func (h Hierarchy) close(ctx context.Context, question string) (closeness, []string, error) {
	hits, least, notes, err := h.closeHits(ctx, question)
	if err != nil {
		return closeness{}, nil, err
	}
	communities, err := h.store.Communities(ctx, h.corpus.Name, h.corpus.generation, false)
	if err != nil {
		return closeness{}, nil, err
	}
	return newCloseness(hits, communities, least), notes, nil
}

func (h Hierarchy) closeHits(ctx context.Context, question string) (hits []neo4jstore.Hit, least float64, notes []string, err error) {
	if h.corpus.Embedder != nil {
		vectors, err := h.corpus.Embedder.Embed(ctx, []string{question})
		if err == nil {
			hits, err = h.store.SearchVector(ctx, h.corpus.Name, graph.KindReport, vectors[0], closeHits)
			return hits, leastCosine, nil, err
		}
		if ctx.Err() != nil {
			return nil, 0, nil, err
		}
		notes = append(notes, "The question could not be embedded, so that reports were found by their words: "+err.Error())
	}
	hits, err = h.store.SearchTerms(ctx, h.corpus.Name, []graph.Kind{graph.KindReport}, textproc.ReadQuestion(question).Lucene(), closeHits)
	return hits, leastWords, notes, err
}

// newCloseness brings the scores of reports up the hierarchy.
func newCloseness(hits []neo4jstore.Hit, communities []graph.Community, least float64) closeness {
	c := closeness{own: map[string]float64{}, reach: map[string]float64{}, parent: make(map[string]string, len(communities)), least: least}
	for _, k := range communities {
		c.parent[k.Key] = k.Parent
	}
	best := 0.
	for _, h := range hits {
		best = math.Max(best, h.Score)
	}
	if best <= 0 {
		return c
	}
	for _, h := range hits {
		share := max(0, h.Score/best)
		c.own[h.Owner] = max(c.own[h.Owner], share)
		at := h.Owner
		for range maxDescent {
			if at == "" || c.reach[at] >= share {
				break
			}
			c.reach[at] = share
			at = c.parent[at]
		}
	}
	return c
}

// order puts the reports first that reach nearest to the question; a question
// about the whole has the largest first.
func (c closeness) order(reports []neo4jstore.ReportRow, overview bool) {
	slices.SortStableFunc(reports, func(a, b neo4jstore.ReportRow) int {
		if d := cmp.Compare(c.reach[b.Community.Key], c.reach[a.Community.Key]); d != 0 && !overview {
			return d
		}
		return cmp.Or(cmp.Compare(b.Size, a.Size), cmp.Compare(a.Key, b.Key))
	})
}

// related reports that one community lies inside the other.
func (c closeness) related(a, b string) bool { return c.inside(a, b) || c.inside(b, a) }

func (c closeness) inside(a, b string) bool {
	for range maxDescent {
		if a == b {
			return true
		}
		if a = c.parent[a]; a == "" {
			return false
		}
	}
	return false
}

// closest are the communities whose own reports are nearest, best first, none
// of which lies inside another.
func (c closeness) closest(n int) []string {
	keys := slices.SortedFunc(maps.Keys(c.own), func(a, b string) int {
		return cmp.Or(cmp.Compare(c.own[b], c.own[a]), cmp.Compare(a, b))
	})
	var out []string
	for _, key := range keys {
		far := c.own[key] < c.least
		if !far && len(out) < n && !slices.ContainsFunc(out, func(o string) bool { return c.related(o, key) }) {
			out = append(out, key)
		}
	}
	return out
}
