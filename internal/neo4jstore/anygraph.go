package neo4jstore

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
)

// graphTimeout ends a transaction that reads a whole graph.
const graphTimeout = 30 * time.Minute

// ErrGraphRow is matched by errors about a row that is no edge.
var ErrGraphRow = errors.New("not an edge")

// A GraphSource says which nodes and relationships of a database are a graph,
// whoever made them. Relationships count in both directions.
type GraphSource struct {
	Labels []string // of nodes, one of them; none: all nodes that have a relationship
	Types  []string // of relationships, one of them; none: all
	Weight string   // property of relationships; empty: each weighs 1
	Key    string   // property that names nodes; empty: their element ids do

	// Cypher is a statement in place of labels, types and weight. It returns
	// source, target and, if it likes, weight: the ends are nodes, or texts or
	// whole numbers that stand for nodes, such as element ids.
	Cypher string
	// Elements says that the ends of Cypher are element ids of nodes, even
	// where Key does not ask for a property of them.
	Elements bool

	SkipBad bool // leave out rows that are no edge, and count them
}

// A GraphRead is a graph as it came: nodes have numbers in no special order.
type GraphRead struct {
	IDs     []string // what stands for each node: its element id, or what Cypher gave
	Names   []string // of each node; the ids where no Key was given
	Edges   *leiden.Builder
	Rows    int // relationships
	Loops   int // rows among them that join a node with itself
	Skipped int // rows that are no edge
	Bad     []string
}

// shownBad is how many bad rows are kept to be shown.
const shownBad = 10

// ReadGraph reads a graph in one read transaction, in which a statement of the
// user can write nothing. It holds 8 to 16 bytes for each relationship.
func (s *Store) ReadGraph(ctx context.Context, from GraphSource) (GraphRead, error) {
	var g *graphReader
	err := retry(ctx, s.logger, nil, func() error {
		return s.attemptWithin(ctx, neo4j.AccessModeRead, graphTimeout, func(tx *transaction) error {
			g = &graphReader{from: from, tx: tx, out: GraphRead{Edges: leiden.NewBuilder(0)}}
			if from.Cypher != "" {
				return g.statement(ctx)
			}
			return g.pattern(ctx)
		})
	})
	if err != nil {
		return GraphRead{}, fmt.Errorf("read the graph: %w", err)
	}
	return g.out, nil
}

// graphReader is the state of one read.
type graphReader struct {
	from GraphSource
	tx   *transaction
	out  GraphRead
}

// skip counts a bad row, or returns it as an error.
func (g *graphReader) skip(reason string) error {
	if !g.from.SkipBad {
		return fmt.Errorf("%w: %s", ErrGraphRow, reason)
	}
	g.out.Skipped++
	if len(g.out.Bad) < shownBad {
		g.out.Bad = append(g.out.Bad, reason)
	}
	return nil
}

// pattern reads the nodes, then the relationships between them.
func (g *graphReader) pattern(ctx context.Context) error {
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
	err = g.tx.run(ctx, cypher.ReadGraphNodes, nodes, map[string]any{"key": g.from.Key}, func(r *neo4j.Record) error {
		list, _ := r.Values[0].([]any)
		for _, item := range list {
			id, _ := item.(int64)
			ids = append(ids, id)
		}
		g.out.IDs = append(g.out.IDs, values{"ids": r.Values[1]}.texts("ids")...)
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
	position := positions(ids)
	return g.tx.run(ctx, st, edges, params, func(r *neo4j.Record) error { return g.row(position, r.Values) })
}

// row adds the relationships of a row.
func (g *graphReader) row(position func(int64) (uint32, bool), row []any) error {
	return eachArc(position, row, func(u, v uint32, given any) error {
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

func (g *graphReader) edge(u, v uint32, weight float64) error {
	g.out.Rows++
	if u == v {
		g.out.Loops++
	}
	return g.out.Edges.Add(u, v, weight)
}

// weightOf is a value as a weight, or why it is none.
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

// statement reads what the user's statement returns.
func (g *graphReader) statement(ctx context.Context) error {
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
	err := g.tx.run(ctx, "--cypher", g.from.Cypher, nil, func(r *neo4j.Record) error {
		if columns == nil {
			columns = []int{slices.Index(r.Keys, "source"), slices.Index(r.Keys, "target"), slices.Index(r.Keys, "weight")}
		}
		if columns[0] < 0 || columns[1] < 0 {
			return fmt.Errorf("%w: the statement returns %q; it must return source, target and perhaps weight", ErrGraphRow, r.Keys)
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

// idOf is what stands for a node, or empty.
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

// elements finds the nodes of element ids, and their names.
func (g *graphReader) elements(ctx context.Context, known map[string]uint32) error {
	keys, found := make([]any, len(g.out.IDs)), make([]bool, len(g.out.IDs))
	text, err := cypher.ReadGraphNames.Text("")
	if err != nil {
		return err
	}
	for part := range slices.Chunk(g.out.IDs, writeRows) {
		params := map[string]any{"ids": part, "key": g.from.Key}
		err := g.tx.run(ctx, cypher.ReadGraphNames, text, params, func(r *neo4j.Record) error {
			id, _ := r.Values[0].(string)
			keys[known[id]], found[known[id]] = r.Values[1], true
			return nil
		})
		if err != nil {
			return err
		}
	}
	if i := slices.Index(found, false); i >= 0 {
		return fmt.Errorf("%w: %q is the element id of no node: let the statement return elementId(a) AS source, elementId(b) AS target", ErrGraphRow, g.out.IDs[i])
	}
	return g.name(keys)
}

// name gives nodes their names, which must be there and differ.
func (g *graphReader) name(keys []any) error {
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
			return fmt.Errorf("%w: node %s has no text or whole number as its property %s", ErrGraphRow, g.out.IDs[i], g.from.Key)
		case seen[name]:
			return fmt.Errorf("%w: two nodes have %.100q as their property %s, which must tell them apart", ErrGraphRow, name, g.from.Key)
		}
		seen[name], g.out.Names[i] = true, name
	}
	return nil
}
