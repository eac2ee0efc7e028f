package communitycolor

import (
	"cmp"
	"slices"

	"github.com/neorag/neorag/internal/graph"
)

// Tree returns the colours of the communities of a tree, by key. It does not depend
// on the order of the communities.
func Tree(all []graph.Community) map[string]Color {
	sorted := slices.Clone(all)
	slices.SortFunc(sorted, func(a, b graph.Community) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Ordinal, b.Ordinal), cmp.Compare(a.Key, b.Key))
	})
	colors := make(map[string]Color, len(sorted))
	for _, c := range sorted {
		if parent, ok := colors[c.Parent]; ok {
			colors[c.Key] = parent.Child(c.Level, c.Ordinal)
		} else {
			colors[c.Key] = Root(c.Ordinal)
		}
	}
	return colors
}
