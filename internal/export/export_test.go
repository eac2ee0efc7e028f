package export

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
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
	for e, err := range g.Entities {
		if err != nil {
			panic(err)
		}
		all = append(all, clean(e.Name))
	}
	return all
}

func edges(g Graph) []string {
	var all []string
	for r, err := range g.Relationships {
		if err != nil {
			panic(err)
		}
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
		for e, err := range first {
			if !yield(e, err) {
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
		first, second := write(t, f.Name, sample("t", nasty)), write(t, f.Name, sample("t", nasty))
		if first != second {
			t.Errorf("%s differs", f.Name)
		}
		empty := sample("t", nasty[:2])
		empty.Communities, empty.Reports = nil, of[graph.Report](nil)
		if write(t, f.Name, empty) == "" {
			t.Errorf("%s without communities is empty", f.Name)
		}
	}
}
