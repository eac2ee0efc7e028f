package retrieve

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
)

const (
	reportHits = 300 // of the search for relevant reports
	// maxDepth bounds the walk up a hierarchy.
	maxDepth = 32
)

// ReportRelevance holds how relevant the reports of a hierarchy are to a question, from 0
// to 1, the relevance of the most relevant report.
type ReportRelevance struct {
	own     map[string]float64 // by community: of the report itself
	subtree map[string]float64 // by community: the highest of its report and all below it
	parent  map[string]string
	least   float64
}

// Shares of the best score from which a report is relevant: scores of words fall
// off steeply, cosines of vectors lie close together.
const (
	leastWordShare   = .35
	leastCosineShare = .85
)

// HasVectors reports whether a model embeds the reports.
func (h Hierarchy) HasVectors() bool { return h.corpus.Embedder != nil }

// Relevance scores the reports of all levels in one search: by the vectors of the corpus'
// model, of which it takes the mean for the question and for passages that could answer
// it, or by the words of the question without one. When the question cannot be embedded, it
// searches by words and says so in a note.
func (h Hierarchy) Relevance(ctx context.Context, question string, passages ...string) (ReportRelevance, []string, error) {
	hits, least, notes, err := h.searchReports(ctx, question, passages)
	if err != nil {
		return ReportRelevance{}, nil, err
	}
	communities, err := h.store.Communities(ctx, h.corpus.Name, h.corpus.Generation, false)
	if err != nil {
		return ReportRelevance{}, nil, err
	}
	return newReportRelevance(hits, communities, least), notes, nil
}

// searchReports returns the hits, and the share of the best score from which one is relevant.
func (h Hierarchy) searchReports(ctx context.Context, question string, passages []string) (hits []neo4jstore.Hit, least float64, notes []string, err error) {
	if h.corpus.Embedder != nil {
		vectors, err := h.corpus.Embedder.Embed(ctx, append([]string{question}, passages...))
		if err == nil {
			hits, err = h.store.SearchVector(ctx, h.corpus.Name, graph.KindReport, mean(vectors), reportHits)
			return hits, leastCosineShare, nil, err
		}
		if ctx.Err() != nil {
			return nil, 0, nil, err
		}
		notes = append(notes, NotEmbedded(err))
	}
	hits, err = h.store.SearchTerms(ctx, h.corpus.Name, []graph.Kind{graph.KindReport}, textproc.ReadQuestion(question).Lucene(), reportHits)
	return hits, leastWordShare, notes, err
}

// newReportRelevance propagates the scores of reports up the hierarchy.
func newReportRelevance(hits []neo4jstore.Hit, communities []graph.Community, least float64) ReportRelevance {
	r := ReportRelevance{own: map[string]float64{}, subtree: map[string]float64{}, parent: make(map[string]string, len(communities)), least: least}
	for _, k := range communities {
		r.parent[k.Key] = k.Parent
	}
	best := 0.
	for _, h := range hits {
		best = math.Max(best, h.Score)
	}
	if best <= 0 {
		return r
	}
	for _, h := range hits {
		share := max(0, h.Score/best)
		r.own[h.Owner] = max(r.own[h.Owner], share)
		at := h.Owner
		for range maxDepth {
			if at == "" || r.subtree[at] >= share {
				break
			}
			r.subtree[at] = share
			at = r.parent[at]
		}
	}
	return r
}

// Relevant reports whether a community's report, or one below it, is relevant.
func (r ReportRelevance) Relevant(community string) bool { return r.subtree[community] >= r.least }

// Sort sorts reports by the relevance of their subtree, the most relevant first; for an
// overview question it sorts them by size, the largest first.
func (r ReportRelevance) Sort(reports []neo4jstore.ReportRow, overview bool) {
	slices.SortStableFunc(reports, func(a, b neo4jstore.ReportRow) int {
		if d := cmp.Compare(r.subtree[b.Community.Key], r.subtree[a.Community.Key]); d != 0 && !overview {
			return d
		}
		return cmp.Or(cmp.Compare(b.Size, a.Size), cmp.Compare(a.Key, b.Key))
	})
}

// Top returns at most n communities whose own reports are relevant, best first,
// none of which contains another.
func (r ReportRelevance) Top(n int) []string {
	keys := slices.SortedFunc(maps.Keys(r.own), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.own[b], r.own[a]), cmp.Compare(a, b))
	})
	var out []string
	for _, key := range keys {
		if len(out) < n && r.own[key] >= r.least && !slices.ContainsFunc(out, func(o string) bool { return r.nested(o, key) }) {
			out = append(out, key)
		}
	}
	return out
}

// nested reports whether one of two communities contains the other, or is the other.
func (r ReportRelevance) nested(a, b string) bool { return r.inside(a, b) || r.inside(b, a) }

func (r ReportRelevance) inside(a, b string) bool {
	for range maxDepth {
		if a == b {
			return true
		}
		if a = r.parent[a]; a == "" {
			return false
		}
	}
	return false
}
