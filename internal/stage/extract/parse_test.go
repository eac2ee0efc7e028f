package extract_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/testkit/testcorpora"
)

func TestParseTuples(t *testing.T) {
	t.Parallel()
	scrooge := graph.EntityRecord{Name: "Scrooge", Type: "person", Description: "A miser."}
	marley := graph.EntityRecord{Name: "Marley", Type: "person", Description: "Dead (to begin with)."}
	tie := graph.RelationshipRecord{Source: "Scrooge", Target: "Marley", Description: "Partners.", Strength: 900}
	tied := graph.RelationshipRecord{Source: "Scrooge", Target: "Marley", Description: "Partners.", Keywords: []string{"trade", "death"}, Strength: 750}
	two := []graph.EntityRecord{scrooge, marley}
	tests := []struct {
		name, answer string
		want         graph.Extraction
	}{
		{"as asked", `("entity"<|>Scrooge<|>person<|>A miser.)##
("entity"<|>Marley<|>person<|>Dead (to begin with).)##
("relationship"<|>Scrooge<|>Marley<|>Partners.<|>trade, death<|>7.5)<|COMPLETE|>`, graph.Extraction{Entities: two, Relationships: []graph.RelationshipRecord{tied}}},
		{
			"quoted", `("entity"<|>"Scrooge"<|>"person"<|>"A miser.")##("entity"<|>"Marley"<|>"person"<|>"Dead (to begin with).")##("relationship"<|>"Scrooge"<|>"Marley"<|>"Partners."<|>9)<|COMPLETE|>`,
			graph.Extraction{Entities: two, Relationships: []graph.RelationshipRecord{tie}},
		},
		{"end mark right after the strength", `("relationship"<|>Scrooge<|>Marley<|>Partners.<|>9<|COMPLETE|>`, graph.Extraction{Relationships: []graph.RelationshipRecord{tie}}},
		{
			"end mark in the middle", `("entity"<|>Scrooge<|>person<|>A miser.)<|COMPLETE|>("relationship"<|>Scrooge<|>Marley<|>Partners.<|>9)<|COMPLETE|>`,
			graph.Extraction{Entities: two[:1], Relationships: []graph.RelationshipRecord{tie}},
		},
		{"parentheses missing, doubled", "entity<|>Scrooge<|>person<|>A miser.\n((\"entity\"<|>Marley<|>person<|>Dead (to begin with).))", graph.Extraction{Entities: two}},
		{"quotes missing, doubled, curly", `("entity"<|>"Scrooge<|>person"<|>""A miser."")##(“entity”<|>“Marley”<|>“person”<|>“Dead (to begin with).”)`, graph.Extraction{Entities: two}},
		{"blank records, headings, numbers, fences", "```\n**Entities:**\n\n##\n##\n1. (\"ENTITY\"<|>Scrooge<|>PERSON<|>A miser.)\n2. (\"Entity\"<|>Marley<|>Person<|>Dead (to begin with).)\n\n**##**\n```", graph.Extraction{Entities: two}},
		{"prose around", "Here they are:\n(\"entity\"<|>Scrooge<|>person<|>A miser.)\nI hope this helps (really).", graph.Extraction{Entities: two[:1]}},
		{"paragraphs", "(\"entity\"<|>Scrooge<|>person<|>A miser (old)\n\nof the city (London).)\n3. ", graph.Extraction{Entities: []graph.EntityRecord{{Name: "Scrooge", Type: "person", Description: "A miser (old)\n\nof the city (London)."}}}},
		{"a kind as the last word", `("relationship"<|>Scrooge<|>Marley<|>A relationship<|>9)`, graph.Extraction{Relationships: []graph.RelationshipRecord{{Source: "Scrooge", Target: "Marley", Description: "A relationship", Strength: 900}}}},
		{"broken delimiters", `("relationship"<|>"Scrooge"<|>"Marley"<|>"Partners."|>9)`, graph.Extraction{Relationships: []graph.RelationshipRecord{tie}}},
		{"strength in words", `("relationship"<|>Scrooge<|>Marley<|>Partners.<|>strong)`, graph.Extraction{Relationships: []graph.RelationshipRecord{{Source: "Scrooge", Target: "Marley", Description: "Partners.", Strength: 100}}}},
		{"strength out of range", `("relationship"<|>Scrooge<|>Marley<|>Partners.<|>95)##("relationship"<|>Marley<|>Scrooge<|>Partners.<|>-3)`, graph.Extraction{Relationships: []graph.RelationshipRecord{
			{Source: "Scrooge", Target: "Marley", Description: "Partners.", Strength: 1000}, {Source: "Marley", Target: "Scrooge", Description: "Partners.", Strength: 100},
		}}},
		{"no strength", `("relationship"<|>Scrooge<|>Marley<|>Partners.<|>trade, death)`, graph.Extraction{Relationships: []graph.RelationshipRecord{
			{Source: "Scrooge", Target: "Marley", Description: "Partners.", Keywords: []string{"trade", "death"}, Strength: 100},
		}}},
		{"a quote at the end", `("entity"<|>Scrooge<|>person<|>He says "Bah")`, graph.Extraction{Entities: []graph.EntityRecord{{Name: "Scrooge", Type: "person", Description: `He says "Bah"`}}}},
		{"no type", `("entity"<|>Scrooge<|>A miser who keeps a counting-house in the city.)`, graph.Extraction{Entities: []graph.EntityRecord{{Name: "Scrooge", Description: "A miser who keeps a counting-house in the city."}}}},
		{"unread", `("entity"<|>Scrooge)##("relationship"<|>Scrooge<|>Marley)##(person<|>Scrooge<|>A miser.)##("entity"<|>""<|>person<|>x)`, graph.Extraction{Unread: 4}},
		{
			"claims", `("claim"<|>Scrooge<|>NONE<|>debt<|>true<|>1843<|>NONE<|>He owes.<|>"He owes")##(Marley<|>Scrooge<|>trade<|>Maybe<|>NONE<|>NONE<|>They traded.)##(Marley<|>Scrooge<|>trade<|>SUSPECTED<|>NONE<|>NONE<|>They traded.<|>traded)<|COMPLETE|>`,
			graph.Extraction{Unread: 1, Claims: []graph.ClaimRecord{
				{Subject: "Scrooge", Object: "NONE", Type: "debt", Status: "TRUE", StartDate: "1843", EndDate: "NONE", Description: "He owes.", SourceText: "He owes"},
				{Subject: "Marley", Object: "Scrooge", Type: "trade", Status: "SUSPECTED", StartDate: "NONE", EndDate: "NONE", Description: "They traded.", SourceText: "traded"},
			}},
		},
		{"no claims, in prose", "I found no claims.", graph.Extraction{}},
		{"keywords of the whole", `("content_keywords"<|>"trade, death")<|COMPLETE|>`, graph.Extraction{}},
		{"nothing", "<|COMPLETE|>", graph.Extraction{}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, extract.ParseTuples(tt.answer)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestParseJSON(t *testing.T) {
	t.Parallel()
	got, err := extract.ParseJSON(`{"extra": 1, "entities": [{"name": " Scrooge ", "type": "PERSON", "description": "A miser.", "age": 60}, {"name": ""}, "Marley"],
"relationships": [{"source": "Scrooge", "target": "Marley", "keywords": "trade; death", "strength": "8"}, {"source": "Scrooge"}],
"claims": [{"subject": "Scrooge", "status": "false", "description": "He gave."}]}`)
	if err != nil {
		t.Fatal(err)
	}
	want := graph.Extraction{
		Entities:      []graph.EntityRecord{{Name: "Scrooge", Type: "person", Description: "A miser."}},
		Relationships: []graph.RelationshipRecord{{Source: "Scrooge", Target: "Marley", Keywords: []string{"trade", "death"}, Strength: 800}},
		Claims:        []graph.ClaimRecord{{Subject: "Scrooge", Status: "FALSE", Description: "He gave."}},
		Unread:        3,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := extract.ParseJSON(`[]`); err == nil {
		t.Error("a list: got no error")
	}
}

// completions returns recorded answers of a real model.
func completions(t *testing.T) []string {
	t.Helper()
	f, err := os.Open(filepath.Join(testcorpora.Dir(t), "recorded-completions", "completions.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var all []string
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c struct{ Completion string }
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		all = append(all, c.Completion)
	}
	if err := lines.Err(); err != nil || len(all) != 187 {
		t.Fatalf("%d completions, %v", len(all), err)
	}
	return all
}

// TestRecordedCompletions compares the number of parsed records with a count by two
// simple regular expressions.
func TestRecordedCompletions(t *testing.T) {
	t.Parallel()
	entity, relationship := regexp.MustCompile(`(?i)entity["”]?<\|`), regexp.MustCompile(`(?i)relation(?:ship)?["”]?<\|`)
	want := 0
	for i, c := range completions(t) {
		x := extract.ParseTuples(c)
		e, r := len(entity.FindAllString(c, -1)), len(relationship.FindAllString(c, -1))
		want += e + r
		if len(x.Entities) != e || len(x.Relationships) != r || x.Unread != 0 {
			t.Errorf("completion %d: read %d of %d entities, %d of %d relationships, %d records unread; ends in %q", i, len(x.Entities), e, len(x.Relationships), r, x.Unread, c[max(0, len(c)-80):])
		}
		for _, e := range x.Entities {
			if strings.ContainsAny(e.Name, `"<|>`) || strings.Contains(e.Description, "<|") || strings.Contains(e.Description, "##") || e.Description == "" || strings.HasSuffix(e.Description, `")`) {
				t.Errorf("completion %d: %+v", i, e)
			}
		}
		for _, r := range x.Relationships {
			if strings.ContainsAny(r.Source+r.Target, `"<|>`) || strings.Contains(r.Description, "|>") || r.Strength < 100 || r.Strength > 1000 || len(r.Keywords) > 0 {
				t.Errorf("completion %d: %+v", i, r)
			}
		}
	}
	if want < 1000 {
		t.Errorf("the completions have %d records, want at least 1000", want)
	}
}

func FuzzParseTuples(f *testing.F) {
	f.Add(`("entity"<|>"A"<|>"person"<|>"x")##("relationship"<|>A<|>B<|>y<|>9)<|COMPLETE|>`)
	f.Add("entity<|>A<|>b<|>c\nclaim|>x<|y")
	f.Fuzz(func(t *testing.T, answer string) {
		x := extract.ParseTuples(answer)
		for _, e := range x.Entities {
			if strings.TrimSpace(e.Name) == "" || e.Name != strings.TrimSpace(e.Name) {
				t.Errorf("entity %+v of %q", e, answer)
			}
		}
		for _, r := range x.Relationships {
			if r.Source == "" || r.Target == "" || r.Strength < 100 || r.Strength > 1000 {
				t.Errorf("relationship %+v of %q", r, answer)
			}
		}
		for _, c := range x.Claims {
			if c.Subject == "" || c.Status == "" {
				t.Errorf("claim %+v of %q", c, answer)
			}
		}
		if _, err := extract.ParseJSON(answer); err == nil && !json.Valid([]byte(answer)) {
			t.Errorf("%q is accepted as JSON", answer)
		}
	})
}
