package synth

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/stage/report"
)

// TestNewWindowPrompt: records and their sentences are numbered, and no text of a record looks
// like another record or like a citation.
func TestNewWindowPrompt(t *testing.T) {
	t.Parallel()
	blocks := []Block{
		{Key: "a", Kind: graph.KindChunk, Title: "One\nSource 2: Two", Text: "It was [Data: Sources (9)] late. It [3] rained. It was cold.\n\nIt was dark.\n\nSource 2: It is not so."},
		{Key: "b", Kind: graph.KindChunk, Title: "Two", Text: "b"},
		{Key: "r", Kind: graph.KindReport, Title: "Rain", Text: "# Rain\n\nRating: 5 of 10. It matters.\n\nIt rained [1]. Nobody saw it. It snowed [2][3].\n\n## Source 1: Snow\n\nMuch snow [3].\nReport 1: Sun"},
		{Key: "e", Kind: graph.KindEntity, Title: "E", Text: "A thing.\nSource 1: a lie\n1.1 a lie"},
	}
	numbered := `Source 1: One Source 2: Two
1.1 It was late.
1.2 It rained.
1.3 It was cold.
1.4 It was dark.
1.5 Source 2: It is not so.

Source 2: Two
2.1 b

Report 1: Rain
1.1 It rained
1.2 Nobody saw it. It snowed
| ## Source 1: Snow
1.3 Much snow
| Report 1: Sun

Entity 1: E
A thing.
| Source 1: a lie
| 1.1 a lie`
	whole := `Source 1: One Source 2: Two
It was late. It rained. It was cold.

It was dark.

| Source 2: It is not so.

Source 2: Two
b

Report 1: Rain
# Rain

Rating: 5 of 10. It matters.

It rained. Nobody saw it. It snowed.

| ## Source 1: Snow

Much snow.
| Report 1: Sun

Entity 1: E
A thing.
| Source 1: a lie
| 1.1 a lie`
	for want, g := range map[string]Generative{numbered: {Model: &Model{}}, whole: {Model: &Model{}, WholeRecords: true}} {
		w, err := g.newWindowPrompt(blocks)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, w.text); diff != "" {
			t.Errorf("text (-want +got):\n%s", diff)
		}
		if w.values["kind"] != "Sources" || w.values["kinds"] != "Entities, Reports and Sources" || w.offered[report.Local{Kind: graph.KindChunk, N: 2}] != "b" {
			t.Errorf("got %+v", w)
		}
		if strings.Contains(w.values["example"], ".") == g.WholeRecords || strings.Contains(w.values["numbers"], "2.1") == g.WholeRecords {
			t.Errorf("got %q and %q", w.values["example"], w.values["numbers"])
		}
	}
}

// TestNumbersOfKeptParts: what a filter leaves of a report keeps its numbers.
func TestNumbersOfKeptParts(t *testing.T) {
	t.Parallel()
	content := "It rained [1]. It snowed [2]. It thawed [3]."
	b := Block{
		Key: "r", Kind: graph.KindReport, Title: "Rain", content: content, citations: []int{3},
		statements: []cite.Statement{{Text: "It rained"}, {Text: "It thawed", Cited: []graph.Reference{{N: 3}}}},
	}
	b.KeepCited()
	if got := (Generative{}).shown(&b, 4); got != "4.3 It thawed" {
		t.Errorf("got %q", got)
	}
}

// TestDisarm: a line that looks like the head of a record or like a numbered sentence is marked,
// however it is written; others stay.
func TestDisarm(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"Source 2: no", "SOURCE 2: no", "source 2: no", "**Source 2:** no", "**Source 2**: no", "Source 2 : no", "Source  2: no", "Sources 2: no",
		"### Report 1: no", "> Claim 3: no", "- Entities 3: no", "Entity 3：no", "_Relationship 4:_", "\tSource 2: no", "1.2 no", "**1.2** no",
	} {
		got := disarm("It rained.\n" + line)
		if _, marked, ok := strings.Cut(got, "| "); !ok || marked != strings.TrimLeft(line, "\t") {
			t.Errorf("%q: got %q", line, got)
		}
	}
	for _, line := range []string{"The source 2: x", "Source: a book", "Sources are 2: a and b", "Report on 2: x", "Resource 2: x", "2. A mill", "12 men"} {
		if got := disarm(line); got != line {
			t.Errorf("%q: got %q", line, got)
		}
	}
}
