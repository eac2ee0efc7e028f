package fused

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
)

// length returns the logarithm of one more than the number of passages of a document.
func (f *fusion) length(s *partSearch, document string) float64 {
	return math.Log1p(float64(s.hits.PassageCounts[document]))
}

// fuse ranks the documents and chunks by all features. Scores are sums of weighted features.
func (f *fusion) fuse() Result {
	out := Result{Ranking: retrieve.Ranking{Notes: f.notes}}
	if len(f.searches) == 0 {
		return out
	}
	whole := f.searches[0]
	out.Documents = f.rankedDocuments(f.weights)
	out.Chunks = f.scores(f.weights, func(s *partSearch) map[string]*rank.Features { return s.chunks })
	if f.uses(retrieve.PathText) {
		out.Chunks = rankedAbove(out.Chunks, retrieve.ScoredKeys(retrieve.RankChunks(whole.hits.SearchResult, rank.DefaultWeights)))
	}
	for _, s := range out.Chunks[:min(retrieve.CandidateChunks, len(out.Chunks))] {
		if e := whole.chunks[s.Key]; e != nil {
			out.Sources = append(out.Sources, Source{Key: s.Key, Paths: f.byPath(*e)})
		}
	}
	return out
}

// rankedDocuments ranks the documents by weights. Those that were not compared are last.
func (f *fusion) rankedDocuments(weights rank.Features) []rank.Scored {
	if len(f.searches) == 0 {
		return nil
	}
	documents := f.scores(weights, func(s *partSearch) map[string]*rank.Features { return s.documents })
	if f.uses(retrieve.PathText) {
		documents = rankedAbove(documents, retrieve.ScoredKeys(f.searches[0].found))
	}
	return documents
}

// scores returns the scores of all that was compared with the question; without PathText, of
// what another path found. Each event of a question about the order of events has its own
// documents, so that these are ranked by the question or by the event that they describe best.
func (f *fusion) scores(weights rank.Features, of func(*partSearch) map[string]*rank.Features) []rank.Scored {
	scored := func(s *partSearch) (scores map[string]float64, top float64) {
		scores, top = map[string]float64{}, math.Inf(-1)
		for key, e := range of(s) {
			scores[key] = e.Score(weights)
			top = max(top, scores[key])
		}
		return scores, top
	}
	scores, top := scored(f.searches[0])
	for _, p := range f.searches[1:] {
		own, ownTop := scored(p)
		for key, score := range own {
			if now, ok := scores[key]; ok {
				scores[key] = max(now, top+(score-ownTop)-eventDeduction)
			}
		}
	}
	out := make([]rank.Scored, 0, len(scores))
	for key, score := range scores {
		if score == 0 && !f.uses(retrieve.PathText) {
			continue
		}
		out = append(out, rank.Scored{Key: key, Score: score})
	}
	slices.SortFunc(out, retrieve.ByScore)
	return out
}

// rankedAbove appends keys that are not ranked, in their order, below those that are.
func rankedAbove(ranked []rank.Scored, others []string) []rank.Scored {
	seen := make(map[string]bool, len(ranked))
	last := 0.
	for _, s := range ranked {
		seen[s.Key] = true
		last = s.Score
	}
	for _, key := range others {
		if !seen[key] {
			last -= .01
			ranked = append(ranked, rank.Scored{Key: key, Score: last})
		}
	}
	return ranked
}

// byPath returns what each path adds to a score.
func (f *fusion) byPath(e rank.Features) map[string]float64 {
	out := map[string]float64{}
	weights := f.weights
	parts := e.Named()
	named := weights.Named()
	for _, name := range slices.Sorted(maps.Keys(named)) {
		if added := float64(*parts[name] * *named[name]); added != 0 {
			out[pathOf(name)] += added
		}
	}
	for path, added := range out {
		out[path] = math.Round(added*1000) / 1000
	}
	return out
}

// finish gives the best chunk and document the score 1.
func (r *Result) finish() {
	for _, ranked := range [][]rank.Scored{r.Chunks, r.Documents} {
		for i := len(ranked) - 1; i >= 0; i-- {
			ranked[i].Score = math.Exp(ranked[i].Score - ranked[0].Score)
		}
	}
	place := retrieve.PlacesOf(retrieve.ScoredKeys(r.Chunks))
	for i := range r.Sources {
		r.Sources[i].Score = r.Chunks[place[r.Sources[i].Key]].Score
	}
	slices.SortFunc(r.Sources, func(a, b Source) int { return cmp.Compare(place[a.Key], place[b.Key]) })
}

// sortedValues returns the values of a map in the order of its keys.
func sortedValues[K cmp.Ordered](m map[K]float64) []float64 {
	out := make([]float64, 0, len(m))
	for _, key := range slices.Sorted(maps.Keys(m)) {
		out = append(out, m[key])
	}
	return out
}
