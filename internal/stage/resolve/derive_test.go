package resolve

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestEntity(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name     string
		mentions []EntityRecords
		want     EntityValues
	}{
		{"unknown never outvotes", []EntityRecords{
			{Names: []string{"Bob", "Bob"}, Types: []string{"unknown", "unknown"}},
			{Names: []string{"bob"}, Types: []string{"person"}},
		}, EntityValues{Name: "Bob", Type: "person", Frequency: 2}},
		{"ties go to the first in byte order", []EntityRecords{
			{Names: []string{"bob", "Bob"}, Types: []string{"person", "location"}},
		}, EntityValues{Name: "Bob", Type: "location", Frequency: 1}},
		{"nothing known", []EntityRecords{{Names: []string{"Bob"}, Types: []string{"unknown"}}}, EntityValues{Name: "Bob", Type: "unknown", Frequency: 1}},
	} {
		got := Entity(tc.mentions, "")
		if diff := cmp.Diff(tc.want, got, cmpopts.IgnoreFields(EntityValues{}, "Fingerprint")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestRelationship(t *testing.T) {
	t.Parallel()
	many := RelationshipRecords{Keywords: []string{"z"}, Count: 1, Strength: 100}
	for c := 'a'; c <= 'x'; c++ {
		many.Keywords = append(many.Keywords, string(c))
	}
	got := Relationship([]RelationshipRecords{many, {Keywords: []string{"z", "q"}, Count: 2, Strength: 250, Forward: 1}})
	if got.Weight != 3 || got.Strength != 350 {
		t.Errorf("weight %d, strength %d, want 3, 350", got.Weight, got.Strength)
	}
	want := []string{"q", "z", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n"}
	if diff := cmp.Diff(want, got.Keywords); diff != "" {
		t.Errorf("keywords (-want +got):\n%s", diff)
	}
}

func TestDerivationIgnoresOrder(t *testing.T) {
	t.Parallel()
	word := rapid.SampledFrom([]string{"", "a", "b", "B", "unknown"})
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		var entities []EntityRecords
		var relationships []RelationshipRecords
		for range rapid.IntRange(1, 6).Draw(t, "chunks") {
			n := rapid.IntRange(1, 4).Draw(t, "records")
			draw := func(what string) []string { return rapid.SliceOfN(word, n, n).Draw(t, what) }
			entities = append(entities, EntityRecords{draw("names"), draw("types"), draw("descriptions"), rapid.Bool().Draw(t, "absent")})
			relationships = append(relationships, RelationshipRecords{Descriptions: draw("descriptions"), Keywords: draw("keywords"), Strength: n * 100, Count: n})
		}
		if diff := cmp.Diff(Entity(entities, ""), Entity(shuffle(r, entities), "")); diff != "" {
			t.Fatalf("Entity depends on the order of mentions:\n%s", diff)
		}
		if diff := cmp.Diff(Relationship(relationships), Relationship(shuffle(r, relationships))); diff != "" {
			t.Fatalf("Relationship depends on the order of mentions:\n%s", diff)
		}
	})
}

func TestFingerprints(t *testing.T) {
	t.Parallel()
	entity := func(name, typ, description string) string {
		return Entity([]EntityRecords{{Names: []string{name}, Types: []string{typ}, Descriptions: []string{description}}}, "").Fingerprint
	}
	base := entity("a", "b", "c")
	for _, other := range []string{entity("x", "b", "c"), entity("a", "x", "c"), entity("a", "b", "x"), entity("a", "b", "")} {
		if other == base {
			t.Error("a value derived from mentions does not change the fingerprint")
		}
	}
	one := RelationshipRecords{Descriptions: []string{"a"}, Keywords: []string{"k"}, Strength: 100, Count: 1}
	two := one
	two.Descriptions = []string{"b"}
	if Relationship([]RelationshipRecords{one}).Fingerprint == Relationship([]RelationshipRecords{two}).Fingerprint {
		t.Error("a description does not change the fingerprint of a relationship")
	}
}

func TestTypeLabel(t *testing.T) {
	t.Parallel()
	configured := []string{"person", "Natural Phenomenon", "chunk", "3d model", "über-held"}
	for _, tc := range []struct{ typ, want string }{
		{"person", "Person"},
		{"natural phenomenon", "NaturalPhenomenon"},
		{"natural_phenomenon", "NaturalPhenomenon"},
		{"chunk", ""},
		{"animal", ""},
		{"3d model", ""},
		{"", ""},
		{"unknown", ""},
		{"über-held", "ÜberHeld"},
	} {
		if got := TypeLabel(tc.typ, configured); got != tc.want {
			t.Errorf("TypeLabel(%q) = %q, want %q", tc.typ, got, tc.want)
		}
	}
}

// TestAliases: the name that is shown is not among the other names, and the one of the key is.
func TestAliases(t *testing.T) {
	t.Parallel()
	mentions := []EntityRecords{
		{Names: []string{"Bob Cratchit", "Bob Cratchit", "bob"}},
		{Names: []string{"Bob", "Bob", "BOB CRATCHIT"}},
		{Names: []string{"Bob Cratchit", "Robert"}},
	}
	if diff := cmp.Diff([]string{"Bob", "Robert"}, Aliases("Bob Cratchit", mentions)); diff != "" {
		t.Errorf("aliases (-want +got):\n%s", diff)
	}
}
