package export

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// wellFormed reads all of an XML document.
func wellFormed(t *testing.T, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestGraphML(t *testing.T) {
	g := sample("t", everything())
	text := write(t, "graphml", g)
	wellFormed(t, text)
	type data struct {
		Key      string `xml:"key,attr"`
		Text     string `xml:",chardata"`
		Geometry struct {
			Width  float64 `xml:"width,attr"`
			Height float64 `xml:"height,attr"`
			Y      float64 `xml:"y,attr"`
		} `xml:"http://www.yworks.com/xml/graphml ShapeNode>Geometry"`
		Label string `xml:"http://www.yworks.com/xml/graphml ShapeNode>NodeLabel"`
	}
	var doc struct {
		XMLName xml.Name `xml:"http://graphml.graphdrawing.org/xmlns graphml"`
		Keys    []struct {
			ID  string `xml:"id,attr"`
			For string `xml:"for,attr"`
		} `xml:"key"`
		Nodes []struct {
			ID   string `xml:"id,attr"`
			Data []data `xml:"data"`
		} `xml:"graph>node"`
		Edges []struct {
			Source string `xml:"source,attr"`
			Target string `xml:"target,attr"`
			Data   []data `xml:"data"`
		} `xml:"graph>edge"`
	}
	if err := xml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	declared := map[string]string{}
	for _, k := range doc.Keys {
		if declared[k.ID] != "" {
			t.Errorf("key %s is declared twice", k.ID)
		}
		declared[k.ID] = k.For
	}
	ids := map[string]bool{}
	var got []string
	for _, n := range doc.Nodes {
		if ids[n.ID] {
			t.Errorf("two nodes are %q", n.ID)
		}
		ids[n.ID] = true
		up := 0. // plain attributes go up, the geometry of yFiles down
		for _, d := range n.Data {
			if d.Key == "y" {
				up, _ = strconv.ParseFloat(d.Text, 64)
			}
			if d.Key == "graphics" && math.Abs(d.Geometry.Y+d.Geometry.Height/2+up) > .02 {
				t.Errorf("%q is at %v, its picture at %v", n.ID, up, d.Geometry)
			}
			if declared[d.Key] != "node" {
				t.Errorf("a node has %s, which is for %q", d.Key, declared[d.Key])
			}
			if d.Key == "label" {
				got = append(got, d.Text)
			}
			if d.Key == "graphics" && (d.Geometry.Width <= 0 || d.Label != got[len(got)-1]) {
				t.Errorf("the picture of %q is %v", got[len(got)-1], d)
			}
		}
	}
	if diff := cmp.Diff(names(g), got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	got = nil
	for _, e := range doc.Edges {
		if !ids[e.Source] || !ids[e.Target] {
			t.Errorf("an edge joins %q and %q", e.Source, e.Target)
		}
		for _, d := range e.Data {
			if declared[d.Key] != "edge" {
				t.Errorf("an edge has %s", d.Key)
			}
			if d.Key == "edge_description" {
				got = append(got, e.Source+" → "+e.Target+" "+d.Text)
			}
		}
	}
	if diff := cmp.Diff(edges(g), got); diff != "" {
		t.Errorf("edges (-want +got):\n%s", diff)
	}
}

func TestGEXF(t *testing.T) {
	g := sample("t", everything())
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
			t.Errorf("%q has no picture", n.Label)
		}
		for _, v := range n.Values {
			if declared[v.For] != "node" {
				t.Errorf("a node has %s", v.For)
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
