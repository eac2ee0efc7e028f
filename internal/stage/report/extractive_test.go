package report

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
)

// checkReport checks what every report without a model promises.
func checkReport(r graph.Report, c Context) error {
	if r.NTokens > 400 {
		return fmt.Errorf("%s: %d tokens", r.Title, r.NTokens)
	}
	offered := map[target]bool{}
	for l, key := range c.References {
		offered[target{Kind: l.Kind, Key: key}] = true
	}
	for i, ref := range r.References {
		if ref.N != i+1 || !offered[target{Kind: ref.Kind, Key: ref.Key}] {
			return fmt.Errorf("%s: reference %+v is not in the context", r.Title, ref)
		}
	}
	next := 1
	for _, m := range numbered.FindAllStringSubmatch(r.FullContent, -1) {
		switch n, _ := strconv.Atoi(m[1]); {
		case n > next || n < 1:
			return fmt.Errorf("[%d] comes before [%d] in\n%s", n, next, r.FullContent)
		case n == next:
			next++
		}
	}
	if next != len(r.References)+1 {
		return fmt.Errorf("%d of %d references are used", next-1, len(r.References))
	}
	if len(r.Findings) > 5 || r.Rating < 0 || r.Rating > 10 || strings.TrimSpace(r.FullContent) != r.FullContent {
		return fmt.Errorf("report breaks a bound:\n%s", r.FullContent)
	}
	texts := []string{r.Summary}
	for _, f := range r.Findings {
		texts = append(texts, f.Explanation)
	}
	for i, text := range texts {
		plain, _, _ := cutMarks(text, r)
		if plain == "" && i > 0 {
			return errors.New("empty finding")
		}
		if i > 0 && slices.Contains(texts[:i], text) {
			return fmt.Errorf("repeated text: %s", text)
		}
	}
	return nil
}

// family returns a small community that a person can judge.
func family() Input {
	e := func(name, typ, description string) graph.Entity {
		return graph.Entity{Key: "t/" + strings.ToLower(name), Name: name, Type: typ, Description: description}
	}
	r := func(a, b, description string) graph.Relationship {
		if b < a {
			a, b = b, a
		}
		return graph.Relationship{Key: graph.RelationshipKey("t", "t/"+strings.ToLower(a), "t/"+strings.ToLower(b)), Source: "t/" + strings.ToLower(a), Target: "t/" + strings.ToLower(b), SourceName: a, TargetName: b, Description: description, Weight: 2}
	}
	in := Input{
		Entities: []graph.Entity{
			e("Scrooge", "person", "Scrooge is a miser who owns a counting-house. He hates Christmas."),
			e("Bob Cratchit", "person", "Bob Cratchit, his clerk, works in a cold cell."),
			e("Fred", "person", "Fred, Scrooge's nephew, invites his uncle to dinner every year."),
			e("Tiny Tim", "person", ""),
			e("counting-house", "location", "The counting-house stands in the City [12]."),
		},
		Relationships: []graph.Relationship{
			r("Scrooge", "Bob Cratchit", "Scrooge employs Bob Cratchit for fifteen shillings a week."),
			r("Scrooge", "Fred", "Scrooge answers his nephew Fred with a humbug."),
			r("Bob Cratchit", "Tiny Tim", "Bob Cratchit carries Tiny Tim home on his shoulder."),
			r("Scrooge", "counting-house", "Scrooge is a miser who owns a counting-house."),
		},
		Claims: []graph.Claim{{Key: "t/c1", Subject: "t/scrooge", ClaimRecord: graph.ClaimRecord{Subject: "Scrooge", Type: "lack of generosity", Status: "TRUE", Description: "Scrooge gives nothing to the two gentlemen who collect for the poor."}}},
	}
	for _, e := range in.Entities {
		in.Community.Members = append(in.Community.Members, e.Key)
	}
	in.Community.Key, in.Community.Weight, in.Community.Final = graph.CommunityKey("t", 0, in.Community.Members), 8, true
	return in
}

func TestExtractiveReport(t *testing.T) {
	t.Parallel()
	in, x := family(), Extractive{Counter: counter(t)}
	c := Pack(in, Options{}, x.Counter)
	r, err := x.Report(context.Background(), in, c)
	if err != nil {
		t.Fatal(err)
	}
	if err := checkReport(r, c); err != nil {
		t.Fatal(err)
	}
	want := `# Scrooge and Bob Cratchit`
	if got, _, _ := strings.Cut(r.FullContent, "\n"); got != want {
		t.Errorf("title %q, want %q", got, want)
	}
	if !strings.HasPrefix(r.Summary, "Scrooge is a miser who owns a counting-house [1][2].") {
		t.Errorf("summary %q: want the sentence that says who Scrooge is, with both of its records", r.Summary)
	}
	if strings.Contains(r.FullContent, "[12]") {
		t.Errorf("a number of the source reads as a reference:\n%s", r.FullContent)
	}
	if strings.Count(r.FullContent, "humbug") > 1 || strings.Count(r.FullContent, "who owns a counting-house") > 1 {
		t.Errorf("a sentence is repeated:\n%s", r.FullContent)
	}
	for _, want := range []string{"fifteen shillings", "Tiny Tim home", "two gentlemen", "Fred"} {
		if !strings.Contains(r.FullContent, want) {
			t.Errorf("%q is missing in\n%s", want, r.FullContent)
		}
	}
	if r.Size != 5 || r.Weight != 8 || !r.Final || r.Model != ExtractiveModel {
		t.Errorf("report %+v does not describe its community", r)
	}
	t.Logf("\n%s", r.FullContent)
}

func TestReportWithoutDescriptions(t *testing.T) {
	t.Parallel()
	in, x := family(), Extractive{Counter: counter(t)}
	for i := range in.Entities {
		in.Entities[i].Description = ""
	}
	for i := range in.Relationships {
		in.Relationships[i].Description = ""
	}
	in.Claims = nil
	c := Pack(in, Options{}, x.Counter)
	r, err := x.Report(context.Background(), in, c)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(r.Summary, "Mentioned together: Scrooge, ") || len(r.References) == 0 {
		t.Errorf("summary %q with %d references", r.Summary, len(r.References))
	}
	if err := checkReport(r, c); err != nil {
		t.Error(err)
	}
}

// TestParentReport checks that a parent cites what its children cite.
func TestParentReport(t *testing.T) {
	t.Parallel()
	x := Extractive{Counter: counter(t)}
	child := family()
	cc := Pack(child, Options{}, x.Counter)
	cr, err := x.Report(context.Background(), child, cc)
	if err != nil {
		t.Fatal(err)
	}
	cr.Key = "t/report"
	parent := family()
	parent.Children = []Child{{Report: cr, Members: child.Community.Members}}
	for i := range parent.Entities {
		parent.Entities[i].NTokens = 5000 // too much for any context
	}
	c := Pack(parent, Options{}, x.Counter)
	r, err := x.Report(context.Background(), parent, c)
	if err != nil {
		t.Fatal(err)
	}
	if err := checkReport(r, c); err != nil {
		t.Fatal(err)
	}
	kinds := map[graph.Kind]bool{}
	for _, ref := range r.References {
		kinds[ref.Kind] = true
	}
	if !kinds[graph.KindEntity] || !kinds[graph.KindRelationship] || kinds[graph.KindReport] {
		t.Errorf("references %v: want those of the child's evidence", r.References)
	}
}

func TestTitles(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		names []string
		want  string
	}{
		{[]string{"EBENEZER SCROOGE", "GHOST OF CHRISTMAS PAST"}, "Ebenezer Scrooge and the Ghost of Christmas Past"},
		{[]string{"Scrooge", "The City", "Bob"}, "Scrooge, the City and Bob"},
		{[]string{"counting-house", "IBM"}, "Counting-house and IBM"},
		{[]string{"www.gutenberg.org/donate", "Donors"}, "www.gutenberg.org/donate and Donors"},
	} {
		var es []graph.Entity
		for _, n := range tc.names {
			es = append(es, graph.Entity{Name: n})
		}
		capitals := inCapitals(es)
		var shown []string
		for _, n := range tc.names {
			shown = append(shown, displayName(n, capitals))
		}
		if got := joinNames(shown); got != tc.want {
			t.Errorf("title of %q = %q, want %q", tc.names, got, tc.want)
		}
	}
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	got := Markdown(graph.Report{Title: "T", Summary: "S [1].", Rating: 2.5, RatingExplanation: "Why.", Findings: []graph.Finding{{Summary: "F", Explanation: "E [2]."}}})
	want := "# T\n\nS [1].\n\nRating: 2.5 of 10. Why.\n\n## F\n\nE [2]."
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("markdown (-want +got):\n%s", diff)
	}
}
