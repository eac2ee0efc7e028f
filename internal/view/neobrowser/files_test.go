package neobrowser

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
)

// corpus returns a corpus with two communities on level 0, one of which is split.
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

// TestSameCorpusSameFiles compares the files of two equal corpora, and their names with
// those wanted.
func TestSameCorpusSameFiles(t *testing.T) {
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
