package community

import (
	"slices"

	"github.com/neorag/neorag/internal/graph"
)

// View is the hierarchy as seen from one level: its communities, and the
// childless ones of the levels above it. Every clustered entity is in exactly
// one of them. A level below the deepest gives all childless communities.
func View(all []graph.Community, level int) []graph.Community {
	var view []graph.Community
	for _, c := range all {
		if c.Level == level || c.Level < level && c.Final {
			view = append(view, c)
		}
	}
	slices.SortFunc(view, byLevelAndOrdinal)
	return view
}

// Depth is the number of levels.
func Depth(all []graph.Community) int {
	depth := 0
	for _, c := range all {
		depth = max(depth, c.Level+1)
	}
	return depth
}
