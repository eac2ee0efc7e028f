package community

import (
	"slices"

	"github.com/neorag/neorag/internal/graph"
)

// View returns the level view of the hierarchy: the communities of the level and those
// without children of the levels above it. Every clustered entity is in exactly one of
// them. For a level below the deepest, they are all communities without children.
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

// Depth returns the number of levels.
func Depth(all []graph.Community) int {
	depth := 0
	for _, c := range all {
		depth = max(depth, c.Level+1)
	}
	return depth
}
