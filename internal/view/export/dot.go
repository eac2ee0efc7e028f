package export

import (
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// writeDOT writes an undirected Graphviz graph. neato -n and fdp keep its places;
// other layout engines, such as sfdp, may move nodes.
func writeDOT(w *writer) error {
	w.print("graph ", dotText(w.graph.Corpus), " {\n",
		"  graph [outputorder=edgesfirst, bgcolor=\"#FFFFFF\"];\n",
		"  node [shape=circle, style=filled, fixedsize=true, fontname=\"Helvetica\", fontsize=9, penwidth=0.5];\n",
		"  edge [color=\"#A5ABB680\", penwidth=0.5];\n")
	members := make([][]string, len(w.drawing.Communities))
	err := w.nodes(func(n Node) {
		id := dotText(graph.Local(n.Key))
		w.print("  ", id, " [label=", dotText(n.Name), ", type=", dotText(n.Type), ", tooltip=", dotText(n.Description),
			", degree=", formatInt(n.Degree), ", fillcolor=\"", n.Color.Hex(), "\", color=\"", n.Color.Border().Hex(), "\", fontcolor=\"", n.Color.Ink(),
			"\", width=", formatDecimal(2*n.R/72), ", height=", formatDecimal(2*n.R/72), ", pos=\"", formatDecimal(n.X), ",", formatDecimal(-n.Y), "!\"];\n")
		if len(n.Path) > 0 {
			deepest := n.Path[len(n.Path)-1]
			members[deepest] = append(members[deepest], id)
		}
	})
	if err != nil {
		return err
	}
	children := make([][]int32, len(w.drawing.Communities))
	for i, c := range w.drawing.Communities {
		if c.ParentIndex >= 0 {
			children[c.ParentIndex] = append(children[c.ParentIndex], int32(i))
		}
	}
	for i, c := range w.drawing.Communities {
		if c.ParentIndex < 0 {
			w.cluster(int32(i), children, members)
		}
	}
	err = w.edges(func(r graph.Relationship) {
		w.print("  ", dotText(graph.Local(r.Source)), " -- ", dotText(graph.Local(r.Target)), " [weight=", formatInt(max(r.Weight, 0)),
			", strength=", formatDecimal(float64(r.Strength)/100), ", tooltip=", dotText(r.Description), ", keywords=", dotText(strings.Join(r.Keywords, ", ")), "];\n")
	})
	w.print("}\n")
	return err
}

// cluster writes a community as a cluster that contains its children.
func (w *writer) cluster(i int32, children [][]int32, members [][]string) {
	c := w.drawing.Communities[i]
	indent := strings.Repeat("  ", c.Level+1)
	w.print(indent, "subgraph ", dotText("cluster_"+c.Label), " {\n",
		indent, "  label=", dotText(c.Title), ";\n", indent, "  color=\"", c.Color.Hex(), "\";\n", indent, "  bgcolor=\"", c.Color.Hex(), "18\";\n")
	for _, m := range members[i] {
		w.print(indent, "  ", m, ";\n")
	}
	for _, child := range children[i] {
		w.cluster(child, children, members)
	}
	w.print(indent, "}\n")
}

// dotEscapes escapes all that Graphviz would read as an escape sequence or entity.
var dotEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r\n", `\n`, "\n", `\n`, "\r", `\n`, "&", "&amp;", "<", "&lt;", ">", "&gt;")

// dotText returns a quoted id or label. Graphviz resolves HTML entities in labels.
func dotText(text string) string { return `"` + dotEscapes.Replace(storable(text)) + `"` }
