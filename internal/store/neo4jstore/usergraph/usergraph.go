// Package usergraph reads graphs that NeoRAG did not create, and writes communities to
// their nodes. It never changes what others wrote.
package usergraph

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/leiden"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/store/neo4jstore/internal/arcs"
)

// readTimeout ends a transaction that reads a whole graph.
const readTimeout = 30 * time.Minute

// ErrRow is matched by errors about a row that is not an edge.
var ErrRow = errors.New("not an edge")

// A Source selects the nodes and relationships of a database that are the graph.
// Relationships count in both directions.
type Source struct {
	Labels []string // a node has one of them; none: all nodes that have a relationship
	Types  []string // a relationship has one of them; none: all
	Weight string   // property of relationships; empty: each weighs 1
	Key    string   // property that identifies nodes; empty: their element ids do

	// Cypher is a statement that replaces labels, types and weight. It returns
	// source, target and optionally weight: the ends are nodes, or texts or whole
	// numbers that identify nodes, such as element ids.
	Cypher string
	// Elements is set when the ends that Cypher returns are element ids of nodes.
	// It is implied by Key.
	Elements bool

	SkipBad bool // skip and count rows that are not edges
}

// A Graph is a graph as the server returned it: nodes have numbers in no special order.
type Graph struct {
	IDs     []string // of each node: its element id, or what Cypher returned
	Names   []string // of each node; its id without a Key
	Edges   *leiden.Builder
	Rows    int // relationships
	Loops   int // rows among them that join a node with itself
	Skipped int // rows that are not edges
	Bad     []string
}

// lookupRows is how many nodes one statement looks up.
const lookupRows = 2000

// maxBad is how many reasons Graph.Bad holds.
const maxBad = 10

// Read reads a graph in one read transaction. The statement of Cypher must be one
// that Store.RunReadOnly allows. It holds 8 to 16 bytes for each relationship.
func Read(ctx context.Context, store *neo4jstore.Store, from Source) (Graph, error) {
	var g *reader
	err := store.ReadTransaction(ctx, readTimeout, func(tx *neo4jstore.ReadTx) error {
		g = &reader{from: from, tx: tx, out: Graph{Edges: leiden.NewBuilder(0)}}
		if from.Cypher != "" {
			return g.statement(ctx)
		}
		return g.pattern(ctx)
	})
	if err != nil {
		return Graph{}, fmt.Errorf("read the graph: %w", err)
	}
	return g.out, nil
}

// reader is the state of one read.
type reader struct {
	from Source
	tx   *neo4jstore.ReadTx
	out  Graph
}

// skip counts a bad row, or returns an error when bad rows are not skipped.
func (g *reader) skip(reason string) error {
	if !g.from.SkipBad {
		return fmt.Errorf("%w: %s", ErrRow, reason)
	}
	g.out.Skipped++
	if len(g.out.Bad) < maxBad {
		g.out.Bad = append(g.out.Bad, reason)
	}
	return nil
}

// pattern reads the nodes that match the source, then the relationships between them.
func (g *reader) pattern(ctx context.Context) error {
	nodes, err := cypher.ReadGraphNodes.Pattern(g.from.Labels, g.from.Types)
	if err != nil {
		return err
	}
	st := cypher.ReadGraphEdges
	var params map[string]any
	if g.from.Weight != "" {
		st, params = cypher.ReadGraphEdgesWeighted, map[string]any{"weight": g.from.Weight}
	}
	edges, err := st.Pattern(g.from.Labels, g.from.Types)
	if err != nil {
		return err
	}
	var ids []int64
	var keys []any
	err = g.tx.Run(ctx, cypher.ReadGraphNodes, nodes, map[string]any{"key": g.from.Key}, func(r *neo4j.Record) error {
		list, _ := r.Values[0].([]any)
		for _, item := range list {
			id, _ := item.(int64)
			ids = append(ids, id)
		}
		g.out.IDs = append(g.out.IDs, texts(r.Values[1])...)
		if named, _ := r.Values[2].([]any); g.from.Key != "" {
			keys = append(keys, named...)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := g.name(keys); err != nil {
		return err
	}
	g.out.Edges.Grow(len(ids))
	position := arcs.Positions(ids)
	return g.tx.Run(ctx, st, edges, params, func(r *neo4j.Record) error { return g.row(position, r.Values) })
}

// row adds the relationships of a row of lists.
func (g *reader) row(position func(int64) (uint32, bool), row []any) error {
	return arcs.Each(position, row, func(u, v uint32, given any) error {
		if g.from.Weight == "" {
			return g.edge(u, v, 1)
		}
		weight, reason := weightOf(given)
		if reason != "" {
			return g.skip(fmt.Sprintf("relationship of %s and %s: property %s %s", g.out.IDs[u], g.out.IDs[v], g.from.Weight, reason))
		}
		return g.edge(u, v, weight)
	})
}

func (g *reader) edge(u, v uint32, weight float64) error {
	g.out.Rows++
	if u == v {
		g.out.Loops++
	}
	return g.out.Edges.Add(u, v, weight)
}

// weightOf returns a value as a weight, or the reason why it is not one.
func weightOf(value any) (weight float64, reason string) {
	switch w := value.(type) {
	case int64:
		weight = float64(w)
	case float64:
		weight = w
	default:
		return 0, "is missing or not a number"
	}
	if !(weight >= 0) || weight > math.MaxFloat32 {
		return 0, fmt.Sprintf("is %v: weights are numbers from 0", weight)
	}
	return weight, ""
}

// statement reads the rows of the statement of the user.
func (g *reader) statement(ctx context.Context) error {
	known := map[string]uint32{}
	node := func(id string) uint32 {
		at, ok := known[id]
		if !ok {
			at = uint32(len(g.out.IDs))
			known[id] = at
			g.out.IDs = append(g.out.IDs, id)
			g.out.Edges.Grow(len(g.out.IDs))
		}
		return at
	}
	columns := []int(nil)
	err := g.tx.RunUser(ctx, "--cypher", g.from.Cypher, func(r *neo4j.Record) error {
		if columns == nil {
			columns = []int{slices.Index(r.Keys, "source"), slices.Index(r.Keys, "target"), slices.Index(r.Keys, "weight")}
		}
		if columns[0] < 0 || columns[1] < 0 {
			return fmt.Errorf("%w: the statement returns %q; it must return source, target and perhaps weight", ErrRow, r.Keys)
		}
		source, target := idOf(r.Values[columns[0]]), idOf(r.Values[columns[1]])
		if source == "" || target == "" {
			return g.skip(fmt.Sprintf("row %d: source and target must be nodes, texts or whole numbers", g.out.Rows+g.out.Skipped+1))
		}
		weight := 1.0
		if columns[2] >= 0 {
			w, reason := weightOf(r.Values[columns[2]])
			if reason != "" {
				return g.skip(fmt.Sprintf("row %d: weight %s", g.out.Rows+g.out.Skipped+1, reason))
			}
			weight = w
		}
		return g.edge(node(source), node(target), weight)
	})
	if err != nil || g.from.Key == "" && !g.from.Elements {
		g.out.Names = g.out.IDs
		return err
	}
	return g.elements(ctx, known)
}

// idOf returns the id that a value is, "" if it is not one.
func idOf(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case neo4j.Node:
		return v.ElementId
	}
	return ""
}

// elements looks the nodes up by their element ids, and reads their names.
func (g *reader) elements(ctx context.Context, known map[string]uint32) error {
	keys, found := make([]any, len(g.out.IDs)), make([]bool, len(g.out.IDs))
	text, err := cypher.ReadGraphNames.Text("")
	if err != nil {
		return err
	}
	for part := range slices.Chunk(g.out.IDs, lookupRows) {
		params := map[string]any{"ids": part, "key": g.from.Key}
		err := g.tx.Run(ctx, cypher.ReadGraphNames, text, params, func(r *neo4j.Record) error {
			id, _ := r.Values[0].(string)
			keys[known[id]], found[known[id]] = r.Values[1], true
			return nil
		})
		if err != nil {
			return err
		}
	}
	if i := slices.Index(found, false); i >= 0 {
		return fmt.Errorf("%w: %q is not the element id of a node: let the statement return elementId(a) AS source, elementId(b) AS target", ErrRow, g.out.IDs[i])
	}
	return g.name(keys)
}

// name sets the names of nodes, which must exist and differ.
func (g *reader) name(keys []any) error {
	if g.from.Key == "" {
		g.out.Names = g.out.IDs
		return nil
	}
	seen := make(map[string]bool, len(keys))
	g.out.Names = make([]string, len(keys))
	for i, key := range keys {
		name := ""
		if _, isNode := key.(neo4j.Node); !isNode {
			name = idOf(key)
		}
		switch {
		case name == "":
			return fmt.Errorf("%w: node %s has no text or whole number as its property %s", ErrRow, g.out.IDs[i], g.from.Key)
		case seen[name]:
			return fmt.Errorf("%w: two nodes have %.100q as their property %s, which must identify a node", ErrRow, name, g.from.Key)
		}
		seen[name], g.out.Names[i] = true, name
	}
	return nil
}

// texts returns a list of the server as texts.
func texts(value any) []string {
	list, _ := value.([]any)
	out := make([]string, len(list))
	for i, item := range list {
		out[i], _ = item.(string)
	}
	return out
}
