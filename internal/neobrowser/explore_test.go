package neobrowser

import (
	"archive/zip"
	"bytes"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/communitycolor"
	"github.com/neorag/neorag/internal/graph"
)

// corpus has two communities on the root level, one of which is split.
func corpus() Corpus {
	return Corpus{
		Name: "news", Types: []string{"Person", "Event"},
		Communities: []graph.Community{
			{Key: "a", Level: 0, Ordinal: 0, Label: "C0_0"},
			{Key: "b", Level: 0, Ordinal: 1, Label: "C0_1"},
			{Key: "aa", Parent: "a", Level: 1, Ordinal: 0, Label: "C1_0"},
			{Key: "ab", Parent: "a", Level: 1, Ordinal: 1, Label: "C1_1"},
		},
		Queries: []Query{
			{Name: "entities/card", Title: "Entities: the card of one", About: "What is known.", Text: "// Entities: the card of one\nRETURN '</pre><script>alert(1)</script>'"},
			{Name: "overview/counts", Title: "Overview: what the corpus holds", About: "How many.", Text: "// Overview: what the corpus holds\nRETURN 1"},
		},
	}
}

// A rule of a sheet: its label and its colour.
var rule = regexp.MustCompile(`(?m)^node\.(\S+) \{.*?\bcolor: (#[0-9A-F]{6});.*\}$`)

// rules are the labels of a sheet in their order with their colours.
func rules(sheet string) (labels []string, colors map[string]string) {
	colors = map[string]string{}
	for _, m := range rule.FindAllStringSubmatch(sheet, -1) {
		labels = append(labels, m[1])
		colors[m[1]] = m[2]
	}
	return labels, colors
}

// The Browser gives the first place to a selector that comes again, lets the
// last rule win, and adds colours of its own to labels without a rule unless
// twelve are used up.
func TestSheets(t *testing.T) {
	c, grey := corpus(), communitycolor.None.Hex()
	root, split := communitycolor.Root(0), communitycolor.Root(0).Child(1, 1)
	tests := []struct {
		name, sheet string
		last        []string
		colors      map[string]string
	}{
		{"types", typeSheet(c), []string{"Event", "Person"}, map[string]string{"Event": communitycolor.Root(0).Hex(), "Person": communitycolor.Root(1).Hex(), "C0_0": grey, "Entity": grey}},
		{"evidence", evidenceSheet(c), []string{"C1_0", "C1_1"}, map[string]string{"C0_0": grey, "Person": grey, "Entity": grey, "Report": communitycolor.Root(1).Hex()}},
		{"level 0", levelSheet(c, 0), []string{"C0_0", "C0_1"}, map[string]string{"C0_0": root.Hex(), "C0_1": communitycolor.Root(1).Hex(), "C1_1": grey, "Person": grey}},
		{"level 1", levelSheet(c, 1), []string{"C0_0", "C0_1", "C1_0", "C1_1"}, map[string]string{"C0_0": root.Hex(), "C1_1": split.Hex()}},
	}
	for _, tt := range tests {
		labels, colors := rules(tt.sheet)
		if n := len(slices.Compact(slices.Sorted(slices.Values(labels)))); n != len(labels) {
			t.Errorf("%s: a label has two rules: %v", tt.name, labels)
		}
		if !slices.Equal(labels[len(labels)-len(tt.last):], tt.last) {
			t.Errorf("%s ends with %v, want %v", tt.name, labels, tt.last)
		}
		for label, want := range tt.colors {
			if colors[label] != want {
				t.Errorf("%s: %s is %s, want %s", tt.name, label, colors[label], want)
			}
		}
		for _, label := range []string{"pad0", "pad11", "Entity", "Entity_news", "Chunk_news", "Report", "Community", "Query"} {
			if colors[label] == "" {
				t.Errorf("%s: %s has no colour", tt.name, label)
			}
		}
		if strings.Contains(tt.sheet, "//") || strings.Count(tt.sheet, "{") != strings.Count(tt.sheet, "}") {
			t.Errorf("%s: a comment, or a brace is open:\n%s", tt.name, tt.sheet)
		}
	}
}

// A label that the Browser would misread has no rule, and harms no other.
func TestHostileLabels(t *testing.T) {
	c := corpus()
	clean := typeSheet(c)
	c.Types = append(c.Types, "Ship's", "A.B", "x {color: #000000;}\nnode", "", "`", "a b")
	c.Communities = append(c.Communities, graph.Community{Key: "z", Level: 1, Ordinal: 2, Label: "C1'2"})
	dirty, _ := rules(typeSheet(c))
	want, _ := rules(clean)
	if diff := cmp.Diff(want, dirty); diff != "" {
		t.Errorf("labels (-clean +hostile):\n%s", diff)
	}
}

func TestFilesAreEqualForEqualCorpora(t *testing.T) {
	a, err := Files(corpus(), "http://localhost:1")
	if err != nil {
		t.Fatal(err)
	}
	b, err := Files(corpus(), "http://localhost:1")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("(-first +second):\n%s", diff)
	}
	var names []string
	for _, f := range a {
		names = append(names, f.Name)
	}
	if diff := cmp.Diff([]string{"types.grass", "evidence.grass", "level0.grass", "level1.grass", "favourites.zip", "guide.html"}, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

// A folder of the archive is a folder of the Browser, the first line a name.
func TestFavourites(t *testing.T) {
	body, err := favourites(corpus())
	if err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range r.File {
		open, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(open)
		if err != nil {
			t.Fatal(err)
		}
		got[f.Name], _, _ = strings.Cut(string(text), "\n")
	}
	want := map[string]string{"Entities/card.cypher": "// Entities: the card of one", "Overview/counts.cypher": "// Overview: what the corpus holds"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The guide has ten pages, links to sheets that are there, and shows what a
// query says as text.
func TestGuide(t *testing.T) {
	files, err := Files(corpus(), "http://localhost:7")
	if err != nil {
		t.Fatal(err)
	}
	html := string(files[len(files)-1].Body)
	if n := strings.Count(html, "<slide"); n != 10 {
		t.Errorf("%d pages", n)
	}
	if strings.Contains(html, "<script") || !strings.Contains(html, "RETURN &#39;&lt;/pre&gt;&lt;script&gt;") {
		t.Errorf("a query is not escaped:\n%s", html)
	}
	for _, m := range regexp.MustCompile(`http://localhost:7/([^"<]*)`).FindAllStringSubmatch(html, -1) {
		if !slices.ContainsFunc(files, func(f File) bool { return f.Name == m[1] }) {
			t.Errorf("the guide links to %s, which there is not", m[1])
		}
	}
	if alone, err := guide(corpus(), ""); err != nil || strings.Contains(string(alone), "exec-topic") || !strings.Contains(string(alone), "drop the file level0.grass") {
		t.Errorf("without an address the guide says (%v):\n%s", err, alone)
	}
}

// Every query of the tour is among those for people.
func TestTourIsWhole(t *testing.T) {
	for _, s := range slides(corpus()) {
		for _, name := range s.queries {
			if _, ok := cypher.FindSavedQuery(name); !ok {
				t.Errorf("%s: there is no query %s", s.title, name)
			}
		}
	}
}
