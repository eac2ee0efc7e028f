// Package tune makes the domain of a collection of documents from a sample of its chunks: a
// model says what the documents are about and which types of entities they name, and finds the
// records of example passages. Compare shows what that changes in the extraction.
package tune

import (
	"math/rand/v2"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/qcg"
)

// A Sampler keeps a random sample of the chunks that it is given (reservoir sampling). The same
// seed and chunks give the same sample.
type Sampler struct {
	Seen int // chunks so far
	most int
	from *rand.Rand
	kept []sampled
}

type sampled struct {
	at    int // number of the chunk
	chunk graph.Chunk
}

// NewSampler returns a sampler that keeps at most n chunks.
func NewSampler(n int, seed uint64) *Sampler {
	return &Sampler{most: n, from: rand.New(rand.NewPCG(seed, uint64(n)))} //nolint:gosec // not for secrets
}

// Add offers a chunk.
func (s *Sampler) Add(c graph.Chunk) {
	s.Seen++
	item := sampled{s.Seen, c}
	if len(s.kept) < s.most {
		s.kept = append(s.kept, item)
		return
	}
	if i := s.from.IntN(s.Seen); i < s.most {
		s.kept[i] = item
	}
}

// Chunks returns the sample in the order in which the chunks were given.
func (s *Sampler) Chunks() []graph.Chunk {
	sorted := slices.SortedFunc(slices.Values(s.kept), func(a, b sampled) int { return a.at - b.at })
	out := make([]graph.Chunk, len(sorted))
	for i, item := range sorted {
		out[i] = item.chunk
	}
	return out
}

// Spread returns the indexes of at most n vectors of length 1 that are far from each other: the
// first one, then each time the one whose nearest chosen vector is farthest. Vectors that are
// nil are taken last.
func Spread(vectors [][]float32, n int) []int {
	nearest := make([]float64, len(vectors)) // the largest cosine with a chosen vector
	for i, v := range vectors {
		if nearest[i] = -1; v == nil {
			nearest[i] = 1
		}
	}
	var chosen []int
	for len(chosen) < min(n, len(vectors)) {
		next := -1
		for i := range vectors {
			if !slices.Contains(chosen, i) && (next < 0 || nearest[i] < nearest[next]) {
				next = i
			}
		}
		chosen = append(chosen, next)
		for i, v := range vectors {
			if v != nil && vectors[next] != nil {
				nearest[i] = max(nearest[i], qcg.Cosine(v, vectors[next]))
			}
		}
	}
	slices.Sort(chosen)
	return chosen
}
