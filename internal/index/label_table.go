package index

import (
	"iter"
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

// A labelDiff is what the labels of entities lack to be those of a table.
type labelDiff struct {
	*labelTable

	same []bool   // of the entities of the table, those that have its labels
	gone []string // entities that have labels but are not in the table
}

// since returns the difference to the labels of another table.
func (t *labelTable) since(old *labelTable) labelDiff {
	d := labelDiff{labelTable: t, same: make([]bool, len(t.keys))}
	for i, key := range old.keys {
		d.compare(key, func() neo4jstore.EntityLabels { return old.row(i) })
	}
	return d
}

// compare adds an entity that has labels.
func (d *labelDiff) compare(key string, labels func() neo4jstore.EntityLabels) {
	if i, clustered := d.index[key]; clustered {
		d.same[i] = d.row(i).Equal(labels())
	} else {
		d.gone = append(d.gone, key)
	}
}

// size returns how many entities differ.
func (d *labelDiff) size() int {
	n := len(d.gone)
	for _, same := range d.same {
		if !same {
			n++
		}
	}
	return n
}

// rows iterates over the labels of the entities that differ, empty ones of those that are
// gone.
func (d *labelDiff) rows() iter.Seq[neo4jstore.EntityLabels] {
	return func(yield func(neo4jstore.EntityLabels) bool) {
		for i, same := range d.same {
			if !same && !yield(d.row(i)) {
				return
			}
		}
		for _, key := range d.gone {
			if !yield(neo4jstore.EntityLabels{Key: key, Labels: []string{}}) {
				return
			}
		}
	}
}
