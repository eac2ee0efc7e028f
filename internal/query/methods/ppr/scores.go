package ppr

import (
	"cmp"
	"slices"

	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/retrieve/snapshot"
)

// pprScale are the edges that walks follow: those between entities, by the number of records of
// their relationship, those between chunks and the entities that they mention, and in a corpus
// with synonyms those between entities with similar names, by the cosine of the names.
var pprScale = []float64{snapshot.Related: 1, snapshot.Mentioned: 1, snapshot.Stated: 0, snapshot.End: 0, snapshot.Next: 0, snapshot.Synonym: 1}

// A pprFact is a relationship with its score and the entities at its ends.
type pprFact struct {
	score float64
	ends  []uint32
}

// pprEntities returns the entities that walks start at, at most limit, by weight: the mean of
// the scores of their facts, each divided by the number of chunks that mention the entity
// (HippoRAG 2, section 3.3).
func pprEntities(g retrieve.WalkedGraph, facts []pprFact, limit int) []rank.Seed {
	sum, count := map[uint32]float64{}, map[uint32]int{}
	for _, f := range facts {
		for _, e := range f.ends {
			sum[e] += f.score
			count[e]++
		}
	}
	seeds := make([]rank.Seed, 0, len(sum))
	for e, total := range sum {
		chunks := 0
		g.Neighbours(e, func(_ uint32, kind uint8, _ float32) {
			if kind == snapshot.Mentioned {
				chunks++
			}
		})
		seeds = append(seeds, rank.Seed{Node: e, Weight: total / float64(count[e]) / float64(max(chunks, 1))})
	}
	slices.SortFunc(seeds, func(a, b rank.Seed) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Node, b.Node))
	})
	return seeds[:min(limit, len(seeds))]
}

// pprScores returns the personalised PageRank of each node from entities and, with a part of
// their weight, from chunks by their similarity with the question, from 0 to 1. An edge between a
// chunk and an entity has the weight 1.
func pprScores(g retrieve.WalkedGraph, entities []rank.Seed, similar map[uint32]float64, part float64) []float64 {
	seeds := slices.Clone(entities)
	for node, share := range similar { // PageRank sorts the seeds
		seeds = append(seeds, rank.Seed{Node: node, Weight: float64(part * share)})
	}
	return g.PageRank(seeds, rank.PageRankOptions{
		Damping: pprDamping, Scale: pprScale,
		Weigh: func(_, _ uint32, kind uint8, weight float32) float64 {
			if kind == snapshot.Mentioned {
				return 1
			}
			return float64(weight)
		},
	})
}
