package resolve

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/graph"
)

var chunk = graph.Chunk{Key: "t/chunk"}

func TestMerge(t *testing.T) {
	t.Parallel()
	x := graph.Extraction{
		Entities: []graph.EntityRecord{
			{Name: "SCROOGE", Type: "Person", Description: "a miser"},
			{Name: "Scrooge", Type: "person", Description: "a miser"},
			{Name: "\"\"", Type: "person"},
			{Name: strings.Repeat("long ", 60), Type: "person"},
		},
		Relationships: []graph.RelationshipRecord{
			{Source: "Scrooge", Target: "Bob", Description: "employs", Keywords: []string{"work", " "}, Strength: 800},
			{Source: "bob", Target: "scrooge", Description: "works for", Keywords: []string{"work"}, Strength: 300},
			{Source: "Scrooge", Target: "scrooge ", Strength: 100},
		},
		Claims: []graph.ClaimRecord{
			{Subject: "Fred", Object: "NONE", Type: "kindness", Status: "TRUE", StartDate: "NONE", Description: "is kind"},
			{Subject: "Fred", Type: "kindness", Status: "TRUE", Description: "is kind"},
			{Subject: "none", Description: "nobody"},
		},
	}
	got := Merge("t", chunk, x)
	claim := graph.ClaimRecord{Subject: "Fred", Type: "kindness", Status: "TRUE", Description: "is kind"}
	want := Mentions{
		Entities: []EntityMention{
			{Key: "t/bob", Name: "Bob", Names: []string{"Bob"}, Types: []string{"unknown"}, Descriptions: []string{""}},
			{Key: "t/fred", Name: "Fred", Names: []string{"Fred"}, Types: []string{"unknown"}, Descriptions: []string{""}},
			{Key: "t/scrooge", Name: "SCROOGE", Names: []string{"SCROOGE", "Scrooge"}, Types: []string{"person", "person"}, Descriptions: []string{"a miser", "a miser"}},
		},
		Relationships: []RelationshipMention{{
			Key: graph.RelationshipKey("t", "t/bob", "t/scrooge"), Source: "t/bob", Target: "t/scrooge",
			Descriptions: []string{"employs", "works for"}, Keywords: []string{"work", "work"}, Strength: 1100, Count: 2, Forward: 1,
		}},
		Claims:  []graph.Claim{{Key: graph.ClaimKey("t", "t/chunk", claim), Chunk: "t/chunk", Subject: "t/fred", ClaimRecord: claim}},
		Dropped: Dropped{SelfLoops: 1, LongNames: 1, EmptyNames: 2},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Merge (-want +got):\n%s", diff)
	}
}

func drawExtraction(t *rapid.T) graph.Extraction {
	name := rapid.SampledFrom([]string{"Scrooge", "SCROOGE", "Bob", "bob", "Fred", "", "Tiny Tim", "NONE"})
	text := rapid.SampledFrom([]string{"", "a", "b", "c"})
	var x graph.Extraction
	for range rapid.IntRange(0, 6).Draw(t, "entities") {
		x.Entities = append(x.Entities, graph.EntityRecord{Name: name.Draw(t, "name"), Type: rapid.SampledFrom([]string{"person", "unknown", "concept", ""}).Draw(t, "type"), Description: text.Draw(t, "text")})
	}
	for range rapid.IntRange(0, 6).Draw(t, "relationships") {
		x.Relationships = append(x.Relationships, graph.RelationshipRecord{Source: name.Draw(t, "source"), Target: name.Draw(t, "target"), Description: text.Draw(t, "text"), Keywords: rapid.SliceOfN(text, 0, 3).Draw(t, "keywords"), Strength: rapid.IntRange(100, 1000).Draw(t, "strength")})
	}
	for range rapid.IntRange(0, 4).Draw(t, "claims") {
		x.Claims = append(x.Claims, graph.ClaimRecord{Subject: name.Draw(t, "subject"), Object: name.Draw(t, "object"), Status: text.Draw(t, "status"), Description: text.Draw(t, "text")})
	}
	return x
}

func shuffle[T any](r *rand.Rand, in []T) []T {
	out := slices.Clone(in)
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

func TestMergeIgnoresOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := drawExtraction(t)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		y := graph.Extraction{Entities: shuffle(r, x.Entities), Relationships: shuffle(r, x.Relationships), Claims: shuffle(r, x.Claims)}
		got := Merge("t", chunk, x)
		if diff := cmp.Diff(got, Merge("t", chunk, y)); diff != "" {
			t.Fatalf("Merge depends on the order of records:\n%s", diff)
		}
		if Sum(x) != Sum(y) {
			t.Fatal("Sum depends on the order of records")
		}
		known := map[string]bool{}
		for _, e := range got.Entities {
			known[e.Key] = true
			if len(e.Names) == 0 || len(e.Names) != len(e.Types) || len(e.Names) != len(e.Descriptions) {
				t.Fatalf("lists of %+v are not parallel", e)
			}
		}
		for _, rel := range got.Relationships {
			if !known[rel.Source] || !known[rel.Target] || rel.Source >= rel.Target || rel.Count != len(rel.Descriptions) || rel.Forward > rel.Count {
				t.Fatalf("relationship %+v", rel)
			}
		}
		for _, c := range got.Claims {
			if !known[c.Subject] || c.Object != "" && !known[c.Object] {
				t.Fatalf("claim %+v has an end that is not a mention", c)
			}
		}
	})
}
