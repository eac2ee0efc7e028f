package export

import (
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// An attribute is a declared property of nodes or edges.
type attribute struct{ id, owner, name, kind string }

// attributes returns the attributes of both XML formats. Gephi gives the names x, y,
// size, r, g, b, label and weight a meaning in GraphML.
func (w *writer) attributes() []attribute {
	all := []attribute{
		{"label", "node", "label", "string"},
		{"type", "node", "type", "string"},
		{"description", "node", "description", "string"},
		{"degree", "node", "degree", "int"},
		{"frequency", "node", "frequency", "int"},
		{"community", "node", "community", "string"},
	}
	for level := range w.drawing.Levels {
		name := "community_" + formatInt(level)
		all = append(all, attribute{name, "node", name, "string"})
	}
	return append(all, attribute{"weight", "edge", "weight", "double"}, attribute{"strength", "edge", "strength", "double"},
		attribute{"edge_description", "edge", "description", "string"}, attribute{"keywords", "edge", "keywords", "string"})
}

// nodeValues puts the values of the attributes of a node, except for its label.
func (w *writer) nodeValues(n Node, put func(id, value string)) {
	title, labels := w.communityNames(n)
	put("type", n.Type)
	put("description", n.Description)
	put("degree", formatInt(n.Degree))
	put("frequency", formatInt(n.Frequency))
	put("community", title)
	for level, label := range labels {
		put("community_"+formatInt(level), label)
	}
}

// edgeValues puts the values of the attributes of an edge, except for its weight.
func edgeValues(r graph.Relationship, put func(id, value string)) {
	put("strength", formatDecimal(float64(r.Strength)/100))
	put("edge_description", r.Description)
	put("keywords", strings.Join(r.Keywords, ", "))
}

// communityNames returns the title of the root community of an entity, and the labels
// of its communities by level.
func (w *writer) communityNames(n Node) (title string, labels []string) {
	for i, c := range n.Path {
		labels = append(labels, w.drawing.Communities[c].Label)
		if i == 0 {
			title = w.drawing.Communities[c].Title
		}
	}
	return title, labels
}

// writeGraphML writes GraphML 1.0 with both plain attributes and yFiles geometry.
func writeGraphML(w *writer) error {
	w.print(`<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:y="http://www.yworks.com/xml/graphml" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://www.yworks.com/xml/schema/graphml/1.1/ygraphml.xsd">
`)
	for _, a := range w.attributes() {
		w.print(`<key id="`, a.id, `" for="`, a.owner, `" attr.name="`, a.name, `" attr.type="`, a.kind, "\"/>\n")
	}
	for _, name := range []string{"x", "y", "size"} {
		w.print(`<key id="`, name, `" for="node" attr.name="`, name, "\" attr.type=\"double\"/>\n")
	}
	for _, name := range []string{"r", "g", "b"} {
		w.print(`<key id="`, name, `" for="node" attr.name="`, name, "\" attr.type=\"int\"/>\n")
	}
	w.print(`<key id="color" for="node" attr.name="color" attr.type="string"/>
<key id="graphics" for="node" yfiles.type="nodegraphics"/>
<graph id="`, xmlText(w.graph.Corpus), "\" edgedefault=\"undirected\">\n")
	if err := w.nodes(w.graphMLNode); err != nil {
		return err
	}
	if err := w.edges(w.graphMLEdge); err != nil {
		return err
	}
	w.print("</graph>\n</graphml>\n")
	return nil
}

func (w *writer) data(key, value string) {
	if value != "" {
		w.print(`<data key="`, key, `">`, xmlText(value), `</data>`)
	}
}

func (w *writer) graphMLNode(n Node) {
	w.print(`<node id="`, xmlText(graph.Local(n.Key)), `">`)
	w.data("label", n.Name)
	w.nodeValues(n, w.data)
	w.data("x", formatDecimal(n.X))
	w.data("y", formatDecimal(-n.Y)) // upwards, as in Gephi and plots; y of yFiles grows downwards
	w.data("size", formatDecimal(2*n.R))
	r, g, b := n.Color.RGB()
	w.data("r", formatInt(int(r)))
	w.data("g", formatInt(int(g)))
	w.data("b", formatInt(int(b)))
	w.data("color", n.Color.Hex())
	w.print(`<data key="graphics"><y:ShapeNode><y:Geometry height="`, formatDecimal(2*n.R), `" width="`, formatDecimal(2*n.R),
		`" x="`, formatDecimal(n.X-n.R), `" y="`, formatDecimal(n.Y-n.R), `"/><y:Fill color="`, n.Color.Hex(), `" transparent="false"/><y:BorderStyle color="`,
		n.Color.Border().Hex(), `" type="line" width="1.0"/><y:NodeLabel modelName="sides" modelPosition="s">`, xmlText(n.Name),
		"</y:NodeLabel><y:Shape type=\"ellipse\"/></y:ShapeNode></data></node>\n")
}

func (w *writer) graphMLEdge(r graph.Relationship) {
	w.print(`<edge id="`, xmlText(graph.Local(r.Key)), `" source="`, xmlText(graph.Local(r.Source)), `" target="`, xmlText(graph.Local(r.Target)), `">`)
	w.data("weight", formatInt(r.Weight))
	edgeValues(r, w.data)
	w.print("</edge>\n")
}
