package index

import (
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// A labelTable has the communities of each clustered entity, with four bytes per level and
// entity.
type labelTable struct {
	all     []graph.Community
	shown   []bool         // communities that are labels
	keys    []string       // of the entities, sorted
	index   map[string]int // of a key in keys
	byLevel [][]int32      // by level and entity: 1 + the index of the community in all, or 0
}

// newLabelTable returns the table of the communities of a generation. all is sorted by
// level and ordinal, so that a limit keeps root levels and large communities.
func newLabelTable(all []graph.Community, o Labels) *labelTable {
	t := &labelTable{all: all, shown: make([]bool, len(all)), index: map[string]int{}}
	used, levels := 0, 0
	for i := range all {
		c := &all[i]
		levels = max(levels, c.Level+1)
		if t.shown[i] = used < o.Max && o.Levels >= 0 && (o.Levels == 0 || c.Level < o.Levels); t.shown[i] {
			used++
		}
		for _, key := range c.Members {
			if _, seen := t.index[key]; !seen {
				t.index[key] = 0
				t.keys = append(t.keys, key)
			}
		}
	}
	slices.Sort(t.keys)
	for i, key := range t.keys {
		t.index[key] = i
	}
	t.byLevel = make([][]int32, levels)
	for level := range t.byLevel {
		t.byLevel[level] = make([]int32, len(t.keys))
	}
	for i := range all {
		for _, key := range all[i].Members {
			t.byLevel[all[i].Level][t.index[key]] = int32(i) + 1 //nolint:gosec // no graph has as many communities
		}
	}
	return t
}

// row returns the communities and labels of an entity by its index in keys.
func (t *labelTable) row(i int) neo4jstore.EntityLabels {
	row := neo4jstore.EntityLabels{Key: t.keys[i], Labels: []string{}}
	for _, communities := range t.byLevel {
		n := communities[i]
		if n == 0 {
			continue
		}
		c := &t.all[n-1]
		row.Communities = append(row.Communities, int64(c.Ordinal))
		if c.Level == 0 {
			row.Community = c.Label
		}
		if t.shown[n-1] {
			row.Labels = append(row.Labels, c.Label)
		}
	}
	return row
}
