package export

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJSON(t *testing.T) {
	g := sample("t", awkward)
	var doc struct {
		Corpus      string
		Communities []jsonCommunity
		Nodes       []jsonNode
		Edges       []jsonEdge
		Reports     []jsonReport
	}
	d := json.NewDecoder(strings.NewReader(write(t, "json", g)))
	d.DisallowUnknownFields()
	if err := d.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	var gotNames, gotEdges []string
	for _, n := range doc.Nodes {
		gotNames = append(gotNames, n.Name)
	}
	for _, e := range doc.Edges {
		gotEdges = append(gotEdges, e.Source+" → "+e.Target+" "+e.Description)
	}
	if diff := cmp.Diff([][]string{names(g), edges(g)}, [][]string{gotNames, gotEdges}); diff != "" {
		t.Errorf("names and edges (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"root", "left"}, doc.Nodes[0].Communities); diff != "" || doc.Communities[1].Parent != "root" || doc.Communities[0].Title != "On plain" {
		t.Errorf("communities %+v (-want +got):\n%s", doc.Communities, diff)
	}
	if r := doc.Reports[0]; r.Community != "root" || len(r.Findings) != 1 || r.References[0].Kind != "Entity" {
		t.Errorf("report %+v", r)
	}
}
