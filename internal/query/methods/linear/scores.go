package linear

import (
	"maps"
	"math"
	"slices"

	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/retrieve/snapshot"
)

// linearScale are the edges that walks follow: those between chunks and entities, and between
// chunks that follow each other.
var linearScale = []float64{snapshot.Related: 0, snapshot.Mentioned: 1, snapshot.Stated: 0, snapshot.End: 0, snapshot.Next: 1}

// linearScores returns the personalised PageRank of each node from active entities and from
// chunks, given the similarity of chunks with the question, from 0 to 1 (LinearRAG, section
// 3.3). A chunk has a part of an entity's weight: by its similarity, and by the active
// entities that it mentions. An edge between a chunk and an entity has the entity's share of
// all mentions in the chunk as its weight.
func linearScores(g retrieve.WalkedGraph, entities map[uint32]Entity, similar map[uint32]float64, part float64, tuning retrieve.Tuning) []float64 {
	var seeds []rank.Seed
	mentions := map[uint32]float64{}
	for _, node := range slices.Sorted(maps.Keys(entities)) { // sums depend on their order
		e := entities[node]
		seeds = append(seeds, rank.Seed{Node: node, Weight: e.Score})
		g.Neighbours(node, func(chunk uint32, kind uint8, count float32) {
			if kind == snapshot.Mentioned {
				mentions[chunk] += float64(e.Score * math.Log1p(float64(count)) / float64(e.Hop))
			}
		})
	}
	factor := tuning.Value("similar", linearSimilar)
	for node := range similar {
		mentions[node] += 0
	}
	for node, mentioned := range mentions { // PageRank sorts the seeds
		seeds = append(seeds, rank.Seed{Node: node, Weight: float64(part * (float64(factor*similar[node]) + math.Log1p(mentioned)))})
	}
	all := map[uint32]float64{} // mentions in a chunk
	total := func(chunk uint32) float64 {
		sum, known := all[chunk]
		if !known {
			g.Neighbours(chunk, func(_ uint32, kind uint8, count float32) {
				if kind == snapshot.Mentioned {
					sum += float64(count)
				}
			})
			all[chunk] = sum
		}
		return sum
	}
	return g.PageRank(seeds, rank.PageRankOptions{Damping: linearDamping, Scale: linearScale, Weigh: func(from, to uint32, kind uint8, weight float32) float64 {
		if kind == snapshot.Mentioned {
			return float64(weight) / total(max(from, to))
		}
		return float64(weight)
	}})
}
