package table

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore/usercypher"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/ui/terminal"
)

const (
	maxListedNumbers    = 20 // a longer list of numbers is a vector
	maxListedProperties = 4  // of a node that has no name
)

// cellText returns a value of a result as text for a person.
func cellText(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case usercypher.Node:
		return nodeText(v)
	case usercypher.Edge:
		return edgeText(v)
	case usercypher.Path:
		return pathText(v)
	case []any:
		if n := len(v); n > maxListedNumbers && !slices.ContainsFunc(v, func(item any) bool { _, ok := item.(float64); return !ok }) {
			return fmt.Sprintf("[%d numbers]", n)
		}
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = cellText(item)
		}
		return strings.Join(items, ", ")
	case map[string]any:
		return mapText(v, len(v))
	}
	return fmt.Sprint(value)
}

// mapText returns at most limit entries of a map, by name.
func mapText(m map[string]any, limit int) string {
	var items []string
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if len(items) == limit {
			items = append(items, "…")
			break
		}
		items = append(items, name+": "+cellText(m[name]))
	}
	return "{" + strings.Join(items, ", ") + "}"
}

// nodeText returns the caption of a node and its labels, except the labels of the
// corpus and of communities.
func nodeText(n usercypher.Node) string {
	parts := []string{caption(n)}
	corpus, _ := n.Properties["corpus"].(string)
	communities, _ := n.Properties["labels_set"].([]any)
	for _, label := range n.Labels {
		if corpus != "" && strings.HasSuffix(label, "_"+corpus) || slices.Contains(communities, any(label)) {
			continue
		}
		parts = append(parts, ":"+label)
	}
	return "(" + strings.TrimSpace(strings.Join(parts, " ")) + ")"
}

// caption returns the name that identifies a node best, as in Neo4j Browser.
func caption(n usercypher.Node) string {
	for _, property := range []string{"name", "title", "label"} {
		if name, ok := n.Properties[property].(string); ok && name != "" {
			return text.Shorten(terminal.OneLine(name), 60)
		}
	}
	if key, ok := n.Properties["key"].(string); ok {
		return graph.Local(key)
	}
	if len(n.Properties) == 0 {
		return ""
	}
	return mapText(n.Properties, maxListedProperties)
}

// edgeText returns the type of a relationship and the first of its numbers.
func edgeText(a usercypher.Edge) string {
	parts := []string{":" + a.Type}
	for _, name := range []string{"weight", "count", "n", "level", "score"} {
		if value, ok := a.Properties[name]; ok {
			parts = append(parts, name+" "+cellText(value))
			break
		}
	}
	return "[" + strings.Join(parts, " ") + "]"
}

// pathText returns a path with arrows in the direction of its relationships.
func pathText(p usercypher.Path) string {
	var b strings.Builder
	for i, n := range p.Nodes {
		if i > 0 {
			a := p.Edges[i-1]
			if a.Start == p.Nodes[i-1].ID {
				b.WriteString("-[:" + a.Type + "]->")
			} else {
				b.WriteString("<-[:" + a.Type + "]-")
			}
		}
		b.WriteString("(" + caption(n) + ")")
	}
	return b.String()
}

// csvText returns a whole value: lists, maps, nodes and relationships as JSON.
func csvText(value any) string {
	switch value.(type) {
	case nil, string, bool, int64, float64:
		return cellText(value)
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(jsonValue(value)); err != nil {
		return cellText(value)
	}
	return strings.TrimSpace(b.String())
}

// jsonValue replaces numbers that JSON cannot represent, such as NaN, by texts.
func jsonValue(value any) any {
	switch v := value.(type) {
	case float64:
		if v != v || v-v != 0 {
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = jsonValue(item)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, item := range v {
			out[name] = jsonValue(item)
		}
		return out
	}
	return value
}
