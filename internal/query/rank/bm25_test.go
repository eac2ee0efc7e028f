package rank_test

import (
	"maps"
	"math"
	"slices"

	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/text/textproc"
)

// A field is an inverted index with the scores of Lucene's default similarity (BM25 with
// k1 1.2, b .75, without the constant factor), as in a full-text index of the database,
// but in memory and exact.
type field struct {
	keys, owners []string
	lengths      []float64
	postings     map[string][]posting
	total        float64
}

type posting struct {
	unit  int
	count float64
}

func newField() *field { return &field{postings: map[string][]posting{}} }

func (f *field) add(key, owner string, terms []string) {
	unit := len(f.keys)
	f.keys, f.owners = append(f.keys, key), append(f.owners, owner)
	f.lengths = append(f.lengths, float64(len(terms)))
	f.total += float64(len(terms))
	counts := map[string]float64{}
	for _, t := range terms {
		counts[t]++
	}
	for t, n := range counts {
		f.postings[t] = append(f.postings[t], posting{unit, n})
	}
}

// search scores every unit that contains a term of the query.
func (f *field) search(query []textproc.WeightedTerm) []rank.Hit {
	const k1, b = 1.2, .75
	n := float64(len(f.keys))
	mean := max(f.total/max(n, 1), 1e-9)
	scores := map[int]float64{}
	for _, q := range query {
		list := f.postings[q.Term]
		df := float64(len(list))
		idf := math.Log(1 + (n-df+.5)/(df+.5))
		for _, p := range list {
			scores[p.unit] += q.Weight * idf * p.count / (p.count + k1*(1-b+b*f.lengths[p.unit]/mean))
		}
	}
	hits := make([]rank.Hit, 0, len(scores))
	for _, unit := range slices.Sorted(maps.Keys(scores)) {
		hits = append(hits, rank.Hit{Key: f.keys[unit], Owner: f.owners[unit], Score: scores[unit]})
	}
	return hits
}

// limited returns the best hits, as a full-text query with a limit does.
func limited(hits []rank.Hit, limit int) []rank.Hit {
	slices.SortStableFunc(hits, func(a, b rank.Hit) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
	return hits[:min(len(hits), limit)]
}
