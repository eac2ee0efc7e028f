package cli

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/cli/table"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/stage/community"
)

// Clustering is the shape of `cluster --json`.
type Clustering struct {
	Nodes        int             `json:"nodes"`    // nodes of the graph
	Edges        int             `json:"edges"`    // pairs of different nodes, however many rows they have
	Isolated     int             `json:"isolated"` // nodes without a community
	Loops        int             `json:"loops"`    // edges from a node to itself, as they were read
	Skipped      int             `json:"skipped"`  // lines or rows that are not edges
	Seconds      ClusterSeconds  `json:"seconds"`
	Modularity   float64         `json:"modularity"`        // of level 0, at the resolution that was asked for
	Levels       []ClusterLevel  `json:"levels"`            // from the root level down
	Final        int             `json:"final"`             // communities without children; each node that is not isolated is in exactly one
	Disconnected int             `json:"disconnected"`      // communities whose nodes are not connected, found by a walk through each
	Written      *ClusterWritten `json:"written,omitempty"` // with --write
}

// ClusterSeconds is how long the parts took.
type ClusterSeconds struct {
	Read    float64 `json:"read"`    // until the graph was in memory
	Cluster float64 `json:"cluster"` // of the hierarchy alone
}

// A ClusterLevel is one level of communities.
type ClusterLevel struct {
	Level       int `json:"level"`
	Communities int `json:"communities"`
	Largest     int `json:"largest"` // nodes in the largest community
}

// ClusterWritten is what --write or --undo changed.
type ClusterWritten struct {
	Prefix string `json:"prefix"`
	Writes int64  `json:"writes"` // changes that the server counted; 0 if the graph had them already
}

// clusteringOf counts nodes, edges and communities.
func clusteringOf(ctx context.Context, g index.UserGraph, tree *community.Tree) (Clustering, error) {
	d := Clustering{
		Nodes: g.Graph.Nodes(), Edges: g.Graph.Edges(), Isolated: g.Graph.Nodes() - len(tree.Order), Loops: g.Loops, Skipped: g.Skipped,
		Modularity: tree.Modularity, Levels: []ClusterLevel{}, Final: tree.Finals(),
	}
	for level, communities := range tree.Levels {
		d.Levels = append(d.Levels, ClusterLevel{Level: level, Communities: len(communities), Largest: tree.Largest(level)})
	}
	var err error
	d.Disconnected, err = tree.Disconnected(ctx, g.Graph)
	return d, err
}

// noteSkipped notes the first of the lines that were skipped, and how many were.
func noteSkipped(env *environment, g index.UserGraph) {
	if g.Skipped == 0 {
		return
	}
	for _, bad := range g.Bad {
		if bad.Line == 0 {
			env.note("skipped: %s", bad.Reason)
		} else {
			env.note("skipped: %s", bad.Error())
		}
	}
	env.note("%d lines or rows that are not edges were skipped", g.Skipped)
}

func printClustering(env *environment, d Clustering) {
	env.printf("%d nodes, %d edges", d.Nodes, d.Edges)
	for _, n := range []struct {
		n    int
		what string
	}{{d.Isolated, "nodes without an edge to another"}, {d.Loops, "edges from a node to itself"}, {d.Skipped, "skipped"}} {
		if n.n > 0 {
			env.printf(", %d %s", n.n, n.what)
		}
	}
	env.printf("; read in %.2f s, clustered in %.2f s\n", d.Seconds.Read, d.Seconds.Cluster)
	env.printf("modularity %.4f\n", d.Modularity)
	env.printf("%5s  %11s  %7s\n", "level", "communities", "largest")
	for _, l := range d.Levels {
		env.printf("%5d  %11d  %7d\n", l.Level, l.Communities, l.Largest)
	}
	env.printf("%d communities are final, %d are disconnected\n", d.Final, d.Disconnected)
	if w := d.Written; w != nil {
		if w.Writes == 0 {
			env.printf("The graph already has these communities; nothing was written.\n")
		} else {
			env.printf("Written under %s: %d writes; `neorag cluster --undo --prefix %s` removes them.\n", w.Prefix, w.Writes, w.Prefix)
		}
	}
}

// writeClusterCSV writes a row for each node and level, nodes in their order. With raw it
// writes their names verbatim, otherwise as table.CSVCell returns them.
func writeClusterCSV(ctx context.Context, out io.Writer, names []string, tree *community.Tree, raw bool) error {
	var b strings.Builder
	b.WriteString("node,level,community,parent,final\n")
	for v, name := range names {
		if v%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		name = csvField(table.CSVCell(name, raw))
		for level, homes := range tree.Homes {
			if homes[v] == community.Outside {
				break
			}
			parent := ""
			if level > 0 {
				parent = strconv.Itoa(int(tree.Homes[level-1][v]))
			}
			final := level+1 == len(tree.Homes) || tree.Homes[level+1][v] == community.Outside
			fmt.Fprintf(&b, "%s,%d,%d,%s,%t\n", name, level, homes[v], parent, final)
		}
		if b.Len() > 1<<16 {
			if _, err := io.WriteString(out, b.String()); err != nil {
				return fmt.Errorf("write communities: %w", err)
			}
			b.Reset()
		}
	}
	if _, err := io.WriteString(out, b.String()); err != nil {
		return fmt.Errorf("write communities: %w", err)
	}
	return nil
}

// csvField quotes a name where necessary, so that the CSV can be read as edges.
func csvField(name string) string {
	if name == "" || strings.ContainsAny(name, ",\"\r\n") || strings.TrimSpace(name) != name || name[0] == '#' || name[0] == '%' {
		return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	}
	return name
}
