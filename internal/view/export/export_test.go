package export

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"testing"

	"github.com/neorag/neorag/internal/graph"
)

// awkward are names that some format could misread.
var awkward = []string{
	`plain`, `a "quoted" name`, `it's`, `back\slash`, `\u0027 ends`, `\\u0027`, `trailing\`, "line\nbreak", "tab\tbed", "carriage\r\nreturn",
	`<b>&amp;</b>`, `]]>`, `<!-- -->`, `</script><script>alert(1)</script>`, `{"json": 1}`, `; MATCH (n) DETACH DELETE n;`, "';\nMATCH (n) DETACH DELETE n;\n//",
	`$parameter`, `%s %d`, `=cmd|'/c calc'!A1`, `a,b;c`, `日本語 🎩 ñ`, `\n \l \N`, `&lt;`, "``", "\u2028\u2029", "\uFEFFbom", " padded ", `C:\users\unicode`,
}

// unprintable are names with characters that no format can carry.
var unprintable = map[string]string{
	"nul\x00byte": "nul\uFFFDbyte", "escape\x1b[31m": "escape\uFFFD[31m", "bad\xff\xfeutf": "bad\uFFFD\uFFFDutf", "c1\u0085x": "c1\uFFFDx", "non\uFFFEchar": "non\uFFFDchar",
}

func seqOf[T any](items []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, item := range items {
			if !yield(item, nil) {
				return
			}
		}
	}
}

// sample returns a graph with an entity for each name, a chain of relationships, and
// two levels of communities. The last entity is in no community.
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
	return Graph{Corpus: corpus, Communities: communities, Entities: seqOf(entities), Relationships: seqOf(relationships), Reports: seqOf(reports)}
}

func write(t *testing.T, name string, g Graph) string {
	t.Helper()
	f, ok := FindFormat(name)
	if !ok {
		t.Fatalf("no format %s", name)
	}
	var b bytes.Buffer
	if err := f.Write(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// names returns the names of the entities of a graph, sanitized.
func names(g Graph) []string {
	var all []string
	for e, err := range g.Entities {
		if err != nil {
			panic(err)
		}
		all = append(all, storable(e.Name))
	}
	return all
}

func edges(g Graph) []string {
	var all []string
	for r, err := range g.Relationships {
		if err != nil {
			panic(err)
		}
		all = append(all, storable(graph.Local(r.Source)+" → "+graph.Local(r.Target)+" "+r.Description))
	}
	return all
}

func allNames() []string { return slices.Concat(awkward, slices.Sorted(maps.Keys(unprintable))) }

// TestFailures checks that a failing sequence, a full disk and a graph that changes
// meanwhile end the export.
func TestFailures(t *testing.T) {
	broken := errors.New("connection lost")
	failing := func(yield func(graph.Entity, error) bool) { yield(graph.Entity{}, broken) }
	for _, f := range Formats() {
		g := sample("t", awkward)
		if err := f.Write(fullDisk{}, g); !errors.Is(err, errFull) {
			t.Errorf("%s into a full disk: %v", f.Name, err)
		}
		g.Entities = failing
		if err := f.Write(io.Discard, g); !errors.Is(err, broken) {
			t.Errorf("%s of a lost connection: %v", f.Name, err)
		}
		g = sample("t", awkward)
		g.Entities = growing(g)
		if err := f.Write(io.Discard, g); !errors.Is(err, ErrGraphChanged) {
			t.Errorf("%s of a growing graph: %v", f.Name, err)
		}
	}
}

var errFull = errors.New("disk full")

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

// growing yields one entity more each time that it is read.
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
		first, second := write(t, f.Name, sample("t", awkward)), write(t, f.Name, sample("t", awkward))
		if first != second {
			t.Errorf("%s differs", f.Name)
		}
		empty := sample("t", awkward[:2])
		empty.Communities, empty.Reports = nil, seqOf[graph.Report](nil)
		if write(t, f.Name, empty) == "" {
			t.Errorf("%s without communities is empty", f.Name)
		}
	}
}
