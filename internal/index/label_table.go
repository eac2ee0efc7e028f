package index

import (
	"iter"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A labelTable has the communities of each clustered entity, with four bytes per level and
// entity.
type labelTable struct {
	all     []labelCommunity
	keys    []string       // of the entities, sorted
	index   map[string]int // of a key in keys
	byLevel [][]int32      // by level and entity: 1 + the index of the community in all, or 0
}

// A labelCommunity is what entities show of a community.
type labelCommunity struct {
	ordinal int
	label   string
	shown   bool // as a label of Neo4j
}

// newLabelTable returns the table of the communities of a generation. all is sorted by
// level and ordinal, so that a limit keeps root levels and large communities.
func newLabelTable(all []graph.Community, o Labels) *labelTable {
	t := &labelTable{all: make([]labelCommunity, len(all)), index: map[string]int{}}
	used, levels := 0, 0
	for i := range all {
		c := &all[i]
		levels = max(levels, c.Level+1)
		shown := used < o.Max && o.Levels >= 0 && (o.Levels == 0 || c.Level < o.Levels)
		if t.all[i] = (labelCommunity{c.Ordinal, c.Label, shown}); shown {
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

// byRoot returns the indexes of all entities by root community, in each in key order.
func (t *labelTable) byRoot() []int32 {
	order := make([]int32, len(t.keys))
	if len(order) == 0 {
		return order
	}
	next := make([]int32, len(t.all)+2) // place of the next entity, by community
	for _, c := range t.byLevel[0] {
		next[c+1]++
	}
	for c := range len(next) - 1 {
		next[c+1] += next[c]
	}
	for i, c := range t.byLevel[0] {
		order[next[c]] = int32(i) //nolint:gosec // no graph has as many entities
		next[c]++
	}
	return order
}

// row returns the communities and labels of an entity by its index in keys.
func (t *labelTable) row(i int) neo4jstore.EntityLabels {
	row := neo4jstore.EntityLabels{Key: t.keys[i], Labels: []string{}}
	for level, communities := range t.byLevel {
		n := communities[i]
		if n == 0 {
			continue
		}
		c := &t.all[n-1]
		row.Communities = append(row.Communities, int64(c.ordinal))
		if level == 0 {
			row.Community = c.label
		}
		if c.shown {
			row.Labels = append(row.Labels, c.label)
		}
	}
	return row
}

// compact returns the table without its index, which since does not need of an old one, and
// with the given sorted keys in place of equal ones, so that these need no memory.
func (t *labelTable) compact(keys []string) *labelTable {
	i := 0
	for _, key := range keys {
		for i < len(t.keys) && t.keys[i] < key {
			i++
		}
		if i < len(t.keys) && t.keys[i] == key {
			t.keys[i] = key
		}
	}
	t.index = nil
	return t
}

// A labelDiff is how the labels of entities differ from a table.
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

// rows iterates over the labels of the entities that differ, the entities of a root community after
// each other, and then empty ones of those that are gone. Entities of a community come from the
// same documents, so that the server finds them near each other; in key order, the rows of
// one transaction are spread over the whole store.
func (d *labelDiff) rows() iter.Seq[neo4jstore.EntityLabels] {
	return func(yield func(neo4jstore.EntityLabels) bool) {
		for _, i := range d.byRoot() {
			if !d.same[i] && !yield(d.row(int(i))) {
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
