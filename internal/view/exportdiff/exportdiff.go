// Package exportdiff compares two exports of corpora in the format jsonl.
package exportdiff

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// ErrFormat is matched by errors about input that is not an export in the format jsonl.
var ErrFormat = errors.New("not an export in the format jsonl")

// maxLine is the length of the longest line that is read, in bytes.
const maxLine = 256 << 20

// A Diff is how a corpus differs from an older one. Lists are sorted by name, then key.
type Diff struct {
	Entities      Changes `json:"entities"`
	Relationships Changes `json:"relationships"`
	Communities   Changes `json:"communities"`
}

// IsEmpty reports whether nothing differs.
func (d *Diff) IsEmpty() bool {
	for _, c := range []Changes{d.Entities, d.Relationships, d.Communities} {
		if len(c.Came)+len(c.Went)+len(c.Changed) > 0 {
			return false
		}
	}
	return true
}

// Changes of the nodes of a kind.
type Changes struct {
	Came    []Node `json:"came"`
	Went    []Node `json:"went"`
	Changed []Node `json:"changed"`
	Same    int    `json:"same"` // number of those that are the same
}

// A Node is one that was added, removed or changed. For a community it is the newer one.
type Node struct {
	Key        string   `json:"key"`
	Name       string   `json:"name"`                 // of a community its label
	Properties []string `json:"properties,omitempty"` // that differ, by name; of a community also "members" and "report"
}

// Compare reads two exports and returns how the second differs from the first. A community
// is the same if its label is. What entities hold of their communities does not count, nor
// do marks of work to be done.
func Compare(before, after io.Reader) (Diff, error) {
	a, err := read(before)
	if err != nil {
		return Diff{}, fmt.Errorf("read the first export: %w", err)
	}
	b, err := read(after)
	if err != nil {
		return Diff{}, fmt.Errorf("read the second export: %w", err)
	}
	return Diff{
		Entities: compare(a.entities, b.entities), Relationships: compare(a.relationships, b.relationships),
		Communities: compare(a.communities, b.communities),
	}, nil
}

// A node is one of an export.
type node struct {
	key, name  string
	properties map[string]any
}

// nodes are the nodes of an export that are compared: entities and relationships by key,
// communities by label.
type nodes struct{ entities, relationships, communities map[string]node }

// line is a line of an export.
type line struct {
	Node       string         `json:"node"`
	Edge       string         `json:"edge"`
	Key        string         `json:"key"`
	Properties map[string]any `json:"properties"`
}

// read reads the nodes of an export.
func read(r io.Reader) (nodes, error) {
	all := nodes{map[string]node{}, map[string]node{}, map[string]node{}}
	labels := map[string]string{} // of communities by key
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	number := 0
	for lines.Scan() {
		number++
		if bytes.HasPrefix(lines.Bytes(), []byte(`{"edge":`)) {
			continue // edges follow the nodes, and take most of the file
		}
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil || l.Node == "" && l.Edge == "" {
			return nodes{}, fmt.Errorf("line %d: %w", number, cmp.Or(err, ErrFormat))
		}
		all.add(l, labels)
	}
	if err := lines.Err(); err != nil {
		return nodes{}, fmt.Errorf("line %d: %w", number+1, err)
	}
	if number == 0 {
		return nodes{}, fmt.Errorf("it is empty: %w", ErrFormat)
	}
	return all, nil
}

// add adds the node of a line, if it is one that is compared.
func (n *nodes) add(l line, labels map[string]string) {
	maps.DeleteFunc(l.Properties, func(name string, _ any) bool { return strings.HasPrefix(name, "todo_") })
	switch l.Node {
	case "Entity":
		maps.DeleteFunc(l.Properties, func(name string, _ any) bool { return slices.Contains(graph.CommunityProperties, name) })
		n.entities[l.Key] = node{l.Key, text(l.Properties["name"]), l.Properties}
	case "Relationship":
		n.relationships[l.Key] = node{l.Key, text(l.Properties["name"]), l.Properties}
	case "Community":
		label := cmp.Or(text(l.Properties["label"]), l.Key)
		labels[l.Key] = label
		delete(l.Properties, "report_fp")
		l.Properties["members"] = l.Key // the key is made of the members
		n.communities[label] = node{l.Key, label, l.Properties}
	case "Report": // follows its community, whose key it has
		if of, ok := n.communities[labels[l.Key]]; ok {
			of.properties["report"] = text(l.Properties["full_content"])
		}
	}
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

// compare compares the nodes of a kind.
func compare(before, after map[string]node) Changes {
	c := Changes{Came: []Node{}, Went: []Node{}, Changed: []Node{}}
	for id, old := range before {
		now, ok := after[id]
		if !ok {
			c.Went = append(c.Went, Node{Key: old.key, Name: old.name})
			continue
		}
		if names := differing(old.properties, now.properties); len(names) > 0 {
			c.Changed = append(c.Changed, Node{Key: now.key, Name: now.name, Properties: names})
		} else {
			c.Same++
		}
	}
	for id, now := range after {
		if _, ok := before[id]; !ok {
			c.Came = append(c.Came, Node{Key: now.key, Name: now.name})
		}
	}
	for _, list := range [][]Node{c.Came, c.Went, c.Changed} {
		slices.SortFunc(list, func(a, b Node) int { return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Key, b.Key)) })
	}
	return c
}

// differing returns the names of the properties that differ, sorted. Fingerprints are left
// out: they differ when settings do.
func differing(a, b map[string]any) []string {
	var names []string
	for name := range a {
		if !strings.HasSuffix(name, "_fp") && !reflect.DeepEqual(a[name], b[name]) {
			names = append(names, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok && !strings.HasSuffix(name, "_fp") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
