package cli

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/community"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/terminal"
)

// Clustering is the shape of `cluster --json`.
type Clustering struct {
	Nodes        int             `json:"nodes"`
	Edges        int             `json:"edges"`    // pairs of nodes, whatever their rows
	Isolated     int             `json:"isolated"` // nodes in no community
	Loops        int             `json:"loops"`
	Skipped      int             `json:"skipped"` // what was no edge
	Seconds      ClusterSeconds  `json:"seconds"`
	Modularity   float64         `json:"modularity"`
	Levels       []ClusterLevel  `json:"levels"`
	Final        int             `json:"final"`        // communities that are not split
	Disconnected int             `json:"disconnected"` // counted, by a walk through each
	Written      *ClusterWritten `json:"written,omitempty"`
}

// ClusterSeconds says how long the parts took.
type ClusterSeconds struct {
	Read    float64 `json:"read"`
	Cluster float64 `json:"cluster"`
}

// ClusterLevel is one level of communities.
type ClusterLevel struct {
	Level       int `json:"level"`
	Communities int `json:"communities"`
	Largest     int `json:"largest"`
}

// ClusterWritten says what --write changed.
type ClusterWritten struct {
	Prefix string `json:"prefix"`
	Writes int64  `json:"writes"`
}

// clustering counts what was found.
func clustering(ctx context.Context, g index.UserGraph, tree *community.Tree) (Clustering, error) {
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

// tellSkipped names the first of the lines that were left out.
func (c *command) tellSkipped(cc *ucli.Context, g index.UserGraph) {
	if g.Skipped == 0 {
		return
	}
	for _, bad := range g.Bad {
		if bad.Line == 0 {
			c.note(cc, "skipped: %s", terminal.Sanitize(bad.Reason))
		} else {
			c.note(cc, "skipped: %s", terminal.Sanitize(bad.Error()))
		}
	}
	c.note(cc, "%d that are no edge were left out", g.Skipped)
}

func (c *command) printClustering(d Clustering) {
	c.printf("%d nodes, %d edges", d.Nodes, d.Edges)
	for _, n := range []struct {
		n    int
		what string
	}{{d.Isolated, "nodes without an edge to another"}, {d.Loops, "edges from a node to itself"}, {d.Skipped, "skipped"}} {
		if n.n > 0 {
			c.printf(", %d %s", n.n, n.what)
		}
	}
	c.printf("; read in %.2f s, clustered in %.2f s\n", d.Seconds.Read, d.Seconds.Cluster)
	c.printf("modularity %.4f\n", d.Modularity)
	c.printf("%5s  %11s  %7s\n", "level", "communities", "largest")
	for _, l := range d.Levels {
		c.printf("%5d  %11d  %7d\n", l.Level, l.Communities, l.Largest)
	}
	c.printf("%d communities are final, %d are disconnected\n", d.Final, d.Disconnected)
	if w := d.Written; w != nil {
		if w.Writes == 0 {
			c.printf("The graph has these communities already; nothing was written.\n")
		} else {
			c.printf("Written under %s: %d writes; `neorag cluster --undo --prefix %s` takes them away.\n", w.Prefix, w.Writes, w.Prefix)
		}
	}
}

// clusterCSV writes a row for each node and level, nodes in their order.
func (c *command) clusterCSV(cc *ucli.Context, names []string, tree *community.Tree) error {
	return c.writeTo(cc.String("output"), func(out io.Writer) error { return writeClusterCSV(cc.Context, out, names, tree) })
}

func writeClusterCSV(ctx context.Context, out io.Writer, names []string, tree *community.Tree) error {
	var b strings.Builder
	b.WriteString("node,level,community,parent,final\n")
	for v, name := range names {
		if v%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		name = csvField(name)
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
				return fmt.Errorf("write the communities: %w", err)
			}
			b.Reset()
		}
	}
	if _, err := io.WriteString(out, b.String()); err != nil {
		return fmt.Errorf("write the communities: %w", err)
	}
	return nil
}

// csvField quotes a name where it must be, so that --csv can be read again.
func csvField(name string) string {
	if name == "" || strings.ContainsAny(name, ",\"\r\n") || strings.TrimSpace(name) != name || name[0] == '#' || name[0] == '%' {
		return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	}
	return name
}
