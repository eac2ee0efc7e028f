package export

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// wellFormed checks that an XML document can be read to its end.
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
	g := sample("t", allNames())
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
			t.Errorf("two nodes have the id %q", n.ID)
		}
		ids[n.ID] = true
		up := 0. // y of plain attributes grows upwards, y of yFiles downwards
		for _, d := range n.Data {
			if d.Key == "y" {
				up, _ = strconv.ParseFloat(d.Text, 64)
			}
			if d.Key == "graphics" && math.Abs(d.Geometry.Y+d.Geometry.Height/2+up) > .02 {
				t.Errorf("%q is at %v, its yFiles geometry at %v", n.ID, up, d.Geometry)
			}
			if declared[d.Key] != "node" {
				t.Errorf("a node has attribute %s, declared for %q", d.Key, declared[d.Key])
			}
			if d.Key == "label" {
				got = append(got, d.Text)
			}
			if d.Key == "graphics" && (d.Geometry.Width <= 0 || d.Label != got[len(got)-1]) {
				t.Errorf("the yFiles node of %q is %v", got[len(got)-1], d)
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
				t.Errorf("an edge has attribute %s, declared for a node", d.Key)
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
