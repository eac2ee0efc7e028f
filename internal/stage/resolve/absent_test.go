package resolve

import (
	"testing"

	"github.com/neorag/neorag/internal/graph"
)

// TestAbsentNames: an entity of a chunk is absent if no spelling of its name, as an entity or as
// an end, is in the chunk; one that any chunk holds is not.
func TestAbsentNames(t *testing.T) {
	t.Parallel()
	x := graph.Extraction{
		Entities: []graph.EntityRecord{{Name: "Clara Hale"}, {Name: "CLARA HALE"}, {Name: "Scrooge"}},
		Relationships: []graph.RelationshipRecord{
			{Source: "Clara Hale", Target: "Jacob Marley", Strength: 100},
			{Source: "“Tobias Reed”", Target: "Clara Hale", Strength: 100},
		},
		Claims: []graph.ClaimRecord{
			{Subject: "Clara Hale", Object: "Fezziwig", Description: "a", SourceText: "She was here."},
			{Subject: "Clara Hale", Description: "b", SourceText: "She was there."},
		},
		Absent: []string{"CLARA HALE", "Fezziwig", "Jacob Marley", "Scrooge", "She was there.", "“Tobias Reed”"},
	}
	m := Merge("c", graph.Chunk{Key: "c/1"}, x)
	want := map[string]bool{"c/clara hale": false, "c/scrooge": true, "c/jacob marley": true, "c/tobias reed": true, "c/fezziwig": true}
	for _, e := range m.Entities {
		if absent, ok := want[e.Key]; !ok || e.Absent != absent {
			t.Errorf("%s is absent: %t, want %t", e.Key, e.Absent, absent)
		}
	}
	for _, c := range m.Claims {
		if c.Absent != (c.Description == "b") {
			t.Errorf("claim %s is absent: %t", c.Description, c.Absent)
		}
	}
	other := x
	other.Absent = nil
	if len(m.Entities) != len(want) || len(m.Claims) != 2 || Sum(x) == Sum(other) {
		t.Errorf("got %+v; the sum covers absent words: %t", m, Sum(x) != Sum(other))
	}
	records := func(absent ...bool) (all []EntityRecords) {
		for _, a := range absent {
			all = append(all, EntityRecords{Names: []string{"Scrooge"}, Types: []string{"person"}, Descriptions: []string{""}, Absent: a})
		}
		return all
	}
	if !Entity(records(true, true), "").Absent || Entity(records(true, false), "").Absent || Entity(nil, "").Absent {
		t.Error("an entity is absent if all its mentions are")
	}
	if Entity(records(true), "").Fingerprint == Entity(records(false), "").Fingerprint {
		t.Error("the fingerprint does not cover whether an entity is absent")
	}
}
