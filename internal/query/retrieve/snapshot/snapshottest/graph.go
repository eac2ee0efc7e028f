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

// Spread is rank.Spread, exact enough to compare with figures worked out by hand.
func (g Graph) Spread(seeds []rank.Seed, o rank.SpreadOptions) []float64 {
	o.Cutoff = 1e-12
	return rank.Spread(g.Graph, seeds, o)
}
