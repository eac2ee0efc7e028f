package export

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
)

// nasty are names that some form or other takes for something else.
var nasty = []string{
	`plain`, `a "quoted" name`, `it's`, `back\slash`, `\u0027 ends`, `\\u0027`, `trailing\`, "line\nbreak", "tab\tbed", "carriage\r\nreturn",
	`<b>&amp;</b>`, `]]>`, `<!-- -->`, `</script><script>alert(1)</script>`, `{"json": 1}`, `; MATCH (n) DETACH DELETE n;`, "';\nMATCH (n) DETACH DELETE n;\n//",
	`$parameter`, `%s %d`, `=cmd|'/c calc'!A1`, `a,b;c`, `日本語 🎩 ñ`, `\n \l \N`, `&lt;`, "``", "\u2028\u2029", "\uFEFFbom", " padded ", `C:\users\unicode`,
}

// unprintable are names with what no form can carry.
var unprintable = map[string]string{
	"nul\x00byte": "nul\uFFFDbyte", "escape\x1b[31m": "escape\uFFFD[31m", "bad\xff\xfeutf": "bad\uFFFD\uFFFDutf", "c1\u0085x": "c1\uFFFDx", "non\uFFFEchar": "non\uFFFDchar",
}

func of[T any](items []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, item := range items {
			if !yield(item, nil) {
				return
			}
		}
	}
}

// sample has an entity for each name, a chain of relationships, and two levels
// of communities; the last entity is in none.
func sample(corpus string, names []string) Graph {
	var entities []graph.Entity
	var relationships []graph.Relationship
	for i, name := range names {
		e := graph.Entity{Key: graph.EntityKey(corpus, fmt.Sprintf("%03d/%s", i, name)), Name: name, Type: "type of " + name, Description: "About " + name, Degree: 2, Frequency: i}
		if i > 0 && i < len(names)-1 {
			from := entities[i-1]
			relationships = append(relationships, graph.Relationship{
				Key: graph.RelationshipKey(corpus, from.Key, e.Key), Source: from.Key, Target: e.Key, SourceName: from.Name, TargetName: name,
				Description: name + " follows", Keywords: []string{name, "k"}, Weight: i, Strength: 150 * i,
			})
		}
		entities = append(entities, e)
	}
	var keys []string
	for _, e := range entities[:len(entities)-1] {
		keys = append(keys, e.Key)
	}
	half := len(keys) / 2
	communities := []graph.Community{
		{Key: graph.Key(corpus, "root"), Label: "C0_0", Members: keys, Weight: 9},
		{Key: graph.Key(corpus, "left"), Level: 1, Label: "C1_0", Parent: graph.Key(corpus, "root"), Members: keys[:half], Final: true},
		{Key: graph.Key(corpus, "right"), Level: 1, Ordinal: 1, Label: "C1_1", Parent: graph.Key(corpus, "root"), Members: keys[half:], Final: true},
	}
	var reports []graph.Report
	for i, c := range communities {
		name := names[i%len(names)]
		reports = append(reports, graph.Report{
			Key: graph.ReportKey(corpus, c.Key, 1), Community: c.Key, Level: c.Level, Title: "On " + name, Summary: name + " [1]", FullContent: "# " + name,
			Rating: 2.5, Findings: []graph.Finding{{Summary: name, Explanation: name + "."}}, References: []graph.Reference{{N: 1, Kind: graph.KindEntity, Key: keys[0]}},
		})
	}
	return Graph{Corpus: corpus, Communities: communities, Entities: of(entities), Relationships: of(relationships), Reports: of(reports)}
}

func write(t *testing.T, name string, g Graph) string {
	t.Helper()
	f, ok := Find(name)
	if !ok {
		t.Fatalf("there is no format %s", name)
	}
	var b bytes.Buffer
	if err := f.Write(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// names are those of a graph as a form without control characters gives them.
func names(g Graph) []string {
	var all []string
	for e := range g.Entities {
		all = append(all, clean(e.Name))
	}
	return all
}

func edges(g Graph) []string {
	var all []string
	for r := range g.Relationships {
		all = append(all, clean(graph.Local(r.Source)+" → "+graph.Local(r.Target)+" "+r.Description))
	}
	return all
}

func everything() []string { return slices.Concat(nasty, slices.Sorted(maps.Keys(unprintable))) }

func TestCleanReplaces(t *testing.T) {
	for text, want := range unprintable {
		if got := clean(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	for _, text := range nasty {
		if got := clean(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

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
			Width float64 `xml:"width,attr"`
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
		for _, d := range n.Data {
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

func TestJSON(t *testing.T) {
	g := sample("t", nasty)
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

func TestCSV(t *testing.T) {
	g := sample("t", everything())
	text := write(t, "csv", g)
	archive, err := zip.NewReader(strings.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]int{}
	var got []string
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		table, err := csv.NewReader(r).ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		rows[f.Name] = len(table) - 1
		for _, row := range table[1:] {
			if f.Name == "entities.csv" {
				got = append(got, row[1])
			}
		}
	}
	want := map[string]int{"entities.csv": len(everything()), "relationships.csv": len(everything()) - 2, "communities.csv": 3, "reports.csv": 3, "findings.csv": 3}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	wantNames := names(g)
	for i, n := range wantNames {
		wantNames[i] = strings.ReplaceAll(n, "\r\n", "\n") // so does the reader
	}
	if diff := cmp.Diff(wantNames, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

// A failing sequence, a file that is full and a graph that changed meanwhile end the export.
func TestFailures(t *testing.T) {
	broken := errors.New("connection lost")
	failing := func(yield func(graph.Entity, error) bool) { yield(graph.Entity{}, broken) }
	for _, f := range Formats() {
		g := sample("t", nasty)
		if err := f.Write(full{}, g); !errors.Is(err, errFull) {
			t.Errorf("%s into a full disk: %v", f.Name, err)
		}
		g.Entities = failing
		if err := f.Write(io.Discard, g); !errors.Is(err, broken) {
			t.Errorf("%s of a lost connection: %v", f.Name, err)
		}
		g = sample("t", nasty)
		g.Entities = growing(g)
		if err := f.Write(io.Discard, g); !errors.Is(err, ErrMoved) {
			t.Errorf("%s of a growing graph: %v", f.Name, err)
		}
	}
}

var errFull = errors.New("disk full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// growing has one entity more each time that it is read.
func growing(g Graph) iter.Seq2[graph.Entity, error] {
	n, first := 0, g.Entities
	return func(yield func(graph.Entity, error) bool) {
		for e := range first {
			if !yield(e, nil) {
				return
			}
		}
		for i := range n {
			if !yield(graph.Entity{Key: fmt.Sprint("t/new", i)}, nil) {
				return
			}
		}
		n++
	}
}

func TestSameGraphSameBytes(t *testing.T) {
	for _, f := range Formats() {
		if write(t, f.Name, sample("t", nasty)) != write(t, f.Name, sample("t", nasty)) {
			t.Errorf("%s differs", f.Name)
		}
		empty := sample("t", nasty[:2])
		empty.Communities, empty.Reports = nil, of[graph.Report](nil)
		if write(t, f.Name, empty) == "" {
			t.Errorf("%s without communities is empty", f.Name)
		}
	}
}
