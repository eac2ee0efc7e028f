package export

import (
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// writeDOT writes an undirected Graphviz graph. Places are fixed for neato -n
// and fdp; a layout of Graphviz's own (sfdp) may move them.
func writeDOT(w *writer) error {
	w.print("graph ", dotText(w.graph.Corpus), " {\n",
		"  graph [outputorder=edgesfirst, bgcolor=\"#FFFFFF\"];\n",
		"  node [shape=circle, style=filled, fixedsize=true, fontname=\"Helvetica\", fontsize=9, penwidth=0.5];\n",
		"  edge [color=\"#A5ABB680\", penwidth=0.5];\n")
	members := make([][]string, len(w.picture.Communities))
	err := w.nodes(func(n Node) {
		id := dotText(graph.Local(n.Key))
		w.print("  ", id, " [label=", dotText(n.Name), ", type=", dotText(n.Type), ", tooltip=", dotText(n.Description),
			", degree=", whole(n.Degree), ", fillcolor=\"", n.Color.Hex(), "\", color=\"", n.Color.Border().Hex(), "\", fontcolor=\"", n.Color.Ink(),
			"\", width=", real(2*n.R/72), ", height=", real(2*n.R/72), ", pos=\"", real(n.X), ",", real(-n.Y), "!\"];\n")
		if len(n.Path) > 0 {
			deepest := n.Path[len(n.Path)-1]
			members[deepest] = append(members[deepest], id)
		}
	})
	if err != nil {
		return err
	}
	children := make([][]int32, len(w.picture.Communities))
	for i, c := range w.picture.Communities {
		if c.Up >= 0 {
			children[c.Up] = append(children[c.Up], int32(i))
		}
	}
	for i, c := range w.picture.Communities {
		if c.Up < 0 {
			w.cluster(int32(i), children, members)
		}
	}
	err = w.edges(func(r graph.Relationship) {
		w.print("  ", dotText(graph.Local(r.Source)), " -- ", dotText(graph.Local(r.Target)), " [weight=", whole(max(r.Weight, 0)),
			", strength=", real(float64(r.Strength)/100), ", tooltip=", dotText(r.Description), ", keywords=", dotText(strings.Join(r.Keywords, ", ")), "];\n")
	})
	w.print("}\n")
	return err
}

// cluster writes a community as a cluster, with those below it inside.
func (w *writer) cluster(i int32, children [][]int32, members [][]string) {
	c := w.picture.Communities[i]
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

// dotEscapes leave nothing of a text that Graphviz reads as an escape.
var dotEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r\n", `\n`, "\n", `\n`, "\r", `\n`, "&", "&amp;", "<", "&lt;", ">", "&gt;")

// dotText is a quoted id or label. Graphviz reads HTML's names of characters in
// labels, so that an ampersand needs one.
func dotText(text string) string { return `"` + dotEscapes.Replace(clean(text)) + `"` }
