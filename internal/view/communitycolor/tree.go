package communitycolor

import (
	"cmp"
	"slices"
)

// A Community is a node of the tree of communities.
type Community struct {
	Key     string
	Parent  string // key; empty or unknown at the root level
	Level   int    // from 0, the root level
	Ordinal int    // within its level, from 0
}

// Tree returns the colours of the communities of a tree, by key. It does not depend
// on the order of the communities.
func Tree(all []Community) map[string]Color {
	sorted := slices.Clone(all)
	slices.SortFunc(sorted, func(a, b Community) int {
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
