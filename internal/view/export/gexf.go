package export

import (
	"github.com/neorag/neorag/internal/graph"
)

// gexfTypes are the names of attribute types in GEXF.
var gexfTypes = map[string]string{"string": "string", "int": "integer", "double": "double"}

// writeGEXF writes GEXF 1.3 with the viz module.
func writeGEXF(w *writer) error {
	w.print(`<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://gexf.net/1.3 http://gexf.net/1.3/gexf.xsd" version="1.3">
<meta><creator>NeoRAG</creator><description>`, xmlText("Corpus "+w.graph.Corpus), `</description></meta>
<graph defaultedgetype="undirected" mode="static">
`)
	for _, owner := range []string{"node", "edge"} {
		w.print(`<attributes class="`, owner, "\">\n")
		for _, a := range w.attributes() {
			// Nodes and edges have label and weight as XML attributes.
			if a.owner == owner && a.id != "label" && a.id != "weight" {
				w.print(`<attribute id="`, a.id, `" title="`, a.name, `" type="`, gexfTypes[a.kind], "\"/>\n")
			}
		}
		w.print("</attributes>\n")
	}
	w.print("<nodes>\n")
	if err := w.nodes(w.gexfNode); err != nil {
		return err
	}
	w.print("</nodes>\n<edges>\n")
	if err := w.edges(w.gexfEdge); err != nil {
		return err
	}
	w.print("</edges>\n</graph>\n</gexf>\n")
	return nil
}

func (w *writer) value(id, value string) {
	if value != "" {
		w.print(`<attvalue for="`, id, `" value="`, xmlText(value), `"/>`)
	}
}

func (w *writer) gexfNode(n Node) {
	w.print(`<node id="`, xmlText(graph.Local(n.Key)), `" label="`, xmlText(n.Name), `"><attvalues>`)
	w.nodeValues(n, w.value)
	r, g, b := n.Color.RGB()
	w.print(`</attvalues><viz:color r="`, formatInt(int(r)), `" g="`, formatInt(int(g)), `" b="`, formatInt(int(b)),
		`"/><viz:position x="`, formatDecimal(n.X), `" y="`, formatDecimal(-n.Y), `" z="0.0"/><viz:size value="`, formatDecimal(2*n.R), "\"/></node>\n")
}

// gexfEdge writes an edge. The format requires a weight above 0.
func (w *writer) gexfEdge(r graph.Relationship) {
	w.print(`<edge id="`, xmlText(graph.Local(r.Key)), `" source="`, xmlText(graph.Local(r.Source)), `" target="`, xmlText(graph.Local(r.Target)),
		`" weight="`, formatInt(max(r.Weight, 1)), `"><attvalues>`)
	edgeValues(r, w.value)
	w.print("</attvalues></edge>\n")
}
