// Package snapshottest has graphs made by hand for tests of walks.
package snapshottest

import "github.com/neorag/neorag/internal/query/rank"

// A Graph is a graph to be walked, as a snapshot.Snapshot is.
type Graph struct{ rank.Graph }

// Neighbours calls each with the neighbours of a node.
func (g Graph) Neighbours(node uint32, each func(neighbour uint32, kind uint8, weight float32)) {
	for e := g.Start[node]; e < g.Start[node+1]; e++ {
		each(g.Graph.Neighbours[e], g.Kinds[e], g.Weights[e])
	}
}

// PageRank is rank.PageRank, exact enough to compare with figures worked out by hand.
func (g Graph) PageRank(seeds []rank.Seed, o rank.PageRankOptions) []float64 {
	o.Cutoff = 1e-12
	return rank.PageRank(g.Graph, seeds, o)
}
