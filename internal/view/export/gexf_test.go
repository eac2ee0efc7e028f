package export

import (
	"encoding/xml"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGEXF(t *testing.T) {
	g := sample("t", allNames())
	text := write(t, "gexf", g)
	wellFormed(t, text)
	type attvalue struct {
		For   string `xml:"for,attr"`
		Value string `xml:"value,attr"`
	}
	var doc struct {
		XMLName    xml.Name `xml:"http://gexf.net/1.3 gexf"`
		Version    string   `xml:"version,attr"`
		Attributes []struct {
			Class string `xml:"class,attr"`
			List  []struct {
				ID   string `xml:"id,attr"`
				Type string `xml:"type,attr"`
			} `xml:"attribute"`
		} `xml:"graph>attributes"`
		Nodes []struct {
			ID     string     `xml:"id,attr"`
			Label  string     `xml:"label,attr"`
			Values []attvalue `xml:"attvalues>attvalue"`
			Color  *struct {
				R uint8 `xml:"r,attr"`
			} `xml:"http://gexf.net/1.3/viz color"`
			Position *struct {
				X float64 `xml:"x,attr"`
			} `xml:"http://gexf.net/1.3/viz position"`
			Size *struct {
				Value float64 `xml:"value,attr"`
			} `xml:"http://gexf.net/1.3/viz size"`
		} `xml:"graph>nodes>node"`
		Edges []struct {
			Source string     `xml:"source,attr"`
			Target string     `xml:"target,attr"`
			Weight float64    `xml:"weight,attr"`
			Values []attvalue `xml:"attvalues>attvalue"`
		} `xml:"graph>edges>edge"`
	}
	if err := xml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	declared := map[string]string{}
	for _, a := range doc.Attributes {
		for _, one := range a.List {
			declared[one.ID] = a.Class
			if !slices.Contains([]string{"string", "integer", "double"}, one.Type) {
				t.Errorf("%s has type %q", one.ID, one.Type)
			}
		}
	}
	var got []string
	for _, n := range doc.Nodes {
		got = append(got, n.Label)
		if n.Color == nil || n.Position == nil || n.Size == nil || n.Size.Value <= 0 {
			t.Errorf("%q lacks a colour, position or size", n.Label)
		}
		for _, v := range n.Values {
			if declared[v.For] != "node" {
				t.Errorf("a node has attribute %s, declared for an edge", v.For)
			}
		}
	}
	if diff := cmp.Diff(names(g), got); diff != "" || doc.Version != "1.3" {
		t.Errorf("version %s, names (-want +got):\n%s", doc.Version, diff)
	}
	got = nil
	for _, e := range doc.Edges {
		for _, v := range e.Values {
			if v.For == "edge_description" && e.Weight > 0 && declared[v.For] == "edge" {
				got = append(got, e.Source+" → "+e.Target+" "+v.Value)
			}
		}
	}
	if diff := cmp.Diff(edges(g), got); diff != "" {
		t.Errorf("edges (-want +got):\n%s", diff)
	}
}
