package qcg

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Defaults of a search (QCG-RAG, appendix B.3: MultiHop-RAG).
const (
	DefaultSeeds      = 15
	DefaultGamma      = 1.0
	DefaultHops       = 1
	DefaultNeighbours = 3
)

// A Hit is a node that a search found: a pair or a sentence of a chunk.
type Hit struct {
	Key   string
	Chunk string
	Score float64 // cosine with the question plus one, from 0 to 2
	Hop   int     // edges between it and the nearest node that the question found itself
}

// A ChunkScore is the mean score of the nodes of a chunk that a search found.
type ChunkScore struct {
	Chunk string
	Score float64
	Hits  []Hit // best first
}

// Seeds returns the hits with at least the score gamma, at most n, best first.
func Seeds(hits []Hit, gamma float64, n int) []Hit {
	kept := slices.DeleteFunc(slices.Clone(hits), func(h Hit) bool { return h.Score < gamma })
	sortHits(kept)
	return kept[:min(n, len(kept))]
}

// ScoreChunks returns the chunks of the hits, best first, by the mean score of their hits.
func ScoreChunks(hits []Hit) []ChunkScore {
	at := map[string]int{}
	var out []ChunkScore
	for _, h := range hits {
		i, ok := at[h.Chunk]
		if !ok {
			i = len(out)
			at[h.Chunk] = i
			out = append(out, ChunkScore{Chunk: h.Chunk})
		}
		out[i].Hits = append(out[i].Hits, h)
	}
	for i := range out {
		sortHits(out[i].Hits)
		sum := 0.
		for _, h := range out[i].Hits {
			sum += h.Score
		}
		out[i].Score = sum / float64(len(out[i].Hits))
	}
	slices.SortFunc(out, func(a, b ChunkScore) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(len(b.Hits), len(a.Hits)), cmp.Compare(a.Chunk, b.Chunk))
	})
	return out
}

func sortHits(hits []Hit) {
	slices.SortFunc(hits, func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key)) })
}

// Kept returns how many of n nodes of a chunk are kept with a share, rounded up.
func Kept(n int, share float64) int {
	return min(n, int(math.Ceil(float64(n)*share-1e-9)))
}

// Expand returns the seeds and the nodes up to some edges away from them, each once, with
// their scores for a question; the edges are those to the k nearest nodes.
func (s *Set) Expand(ctx context.Context, seeds []Hit, question []float32, k, hops, workers int) ([]Hit, error) {
	out := slices.Clone(seeds)
	seen := map[string]bool{}
	var frontier []int
	for _, h := range seeds {
		if at, ok := s.Find(h.Key); ok && !seen[h.Key] {
			seen[h.Key] = true
			frontier = append(frontier, at)
		}
	}
	for hop := 1; hop <= hops && len(frontier) > 0; hop++ {
		lists, err := s.Nearest(ctx, frontier, k, workers)
		if err != nil {
			return nil, err
		}
		frontier = nil
		for _, list := range lists {
			for _, n := range list {
				if seen[n.Key] {
					continue
				}
				seen[n.Key] = true
				at, _ := s.Find(n.Key)
				frontier = append(frontier, at)
				out = append(out, Hit{Key: n.Key, Score: 1 + Cosine(s.vector(at), question), Hop: hop})
			}
		}
	}
	return out, nil
}
