package usercypher

import (
	"encoding/hex"
	"fmt"
	"maps"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// A Table is the result of a statement. Values are nil, bool, int64, float64, string,
// []any, map[string]any, Node, Edge or Path; times and points are texts.
type Table struct {
	Columns []string
	Rows    [][]any
	More    bool // there are more rows than the limit
}

// A Node is a node of the database.
type Node struct {
	ID         string         `json:"id"` // element id, valid until the node is deleted
	Labels     []string       `json:"labels"`
	Properties map[string]any `json:"properties"`
}

// An Edge is a relationship of the database.
type Edge struct {
	Type       string         `json:"type"`
	Start      string         `json:"start"` // element id of a node
	End        string         `json:"end"`
	Properties map[string]any `json:"properties"`
}

// A Path is a path of nodes and the edges between them.
type Path struct {
	Nodes []Node `json:"nodes"`
	Edges []Edge `json:"edges"`
}

// plainValue converts a value of the driver to a value of a Table.
func plainValue(value any) any {
	switch v := value.(type) {
	case nil, bool, int64, float64, string:
		return v
	case []byte:
		return hex.EncodeToString(v)
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = plainValue(item)
		}
		return list
	case map[string]any:
		return plainMap(v)
	case neo4j.Node:
		return plainNode(v)
	case neo4j.Relationship:
		return plainEdge(v)
	case neo4j.Path:
		path := Path{Nodes: []Node{}, Edges: []Edge{}}
		for _, n := range v.Nodes {
			path.Nodes = append(path.Nodes, plainNode(n))
		}
		for _, e := range v.Relationships {
			path.Edges = append(path.Edges, plainEdge(e))
		}
		return path
	case time.Time:
		return v.Format(time.RFC3339Nano)
	case fmt.Stringer: // dates, times, durations and points
		return v.String()
	}
	return fmt.Sprint(value)
}

func plainMap(m map[string]any) map[string]any {
	out := maps.Clone(m)
	for name, value := range out {
		out[name] = plainValue(value)
	}
	return out
}

func plainNode(n neo4j.Node) Node {
	return Node{ID: n.ElementId, Labels: n.Labels, Properties: plainMap(n.Props)}
}

func plainEdge(e neo4j.Relationship) Edge {
	return Edge{Type: e.Type, Start: e.StartElementId, End: e.EndElementId, Properties: plainMap(e.Props)}
}
