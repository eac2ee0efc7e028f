package retrieve

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/resolve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// candidatesIn returns what a search finds in a graph that has these names.
func candidatesIn(question string, names ...string) Candidates {
	var c Candidates
	candidates := CandidateNames("c", question)
	for _, s := range candidates {
		for _, name := range names {
			if s.Key == graph.EntityKey("c", resolve.Normalise(name)) {
				c.Hits.Names = append(c.Hits.Names, neo4jstore.Hit{Key: s.Key, Owner: "person", Score: 1})
			}
		}
	}
	c.fuseEntities(candidates)
	return c
}

func TestNames(t *testing.T) {
	t.Parallel()
	q := "Did Bob Cratchit, of Camden Town, meet Marley's ghost or Topper's?"
	got := candidatesIn(q, "Scrooge", "Marley", "Bob Cratchit", "Cratchit", "Camden Town", "Ghost", "Topper").Names()
	want := []Name{
		{"Bob Cratchit", "person", []string{"c/bob cratchit"}},
		{"Camden Town", "person", []string{"c/camden town"}},
		{"Marley", "person", []string{"c/marley"}},
		{"Topper", "person", []string{"c/topper"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names of %q (-want +got):\n%s", q, diff)
	}
}

// TestNamesByAlias: an entity is named by another one of its names, and once.
func TestNamesByAlias(t *testing.T) {
	t.Parallel()
	const key = "c/international business machines"
	hits := neo4jstore.HybridResult{
		Entities: []neo4jstore.Hit{{Key: key, Owner: "organization", Score: 3}, {Key: "c/other", Owner: "concept", Score: 2}},
		Aliases:  map[string][]string{key: {"IBM", "Big Blue"}, "c/other": {"IBM"}},
	}
	for _, tc := range []struct {
		question string
		want     []Name
	}{
		{"Who founded IBM?", []Name{{"IBM", "organization", []string{key}}}},
		{"Is Big Blue the same as IBM?", []Name{{"Big Blue", "organization", []string{key}}}},
		{"Who founded them?", nil},
	} {
		c := Candidates{Hits: hits}
		c.fuseEntities(CandidateNames("c", tc.question))
		if diff := cmp.Diff(tc.want, c.Names()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.question, diff)
		}
		if tc.want != nil && (c.Entities[0].Key != key || c.Entities[0].Score <= 2*c.Entities[1].Score) {
			t.Errorf("%s: %+v", tc.question, c.Entities)
		}
	}
	named := hits
	named.Names = []neo4jstore.Hit{{Key: "c/ibm", Owner: "company"}}
	c := Candidates{Hits: named}
	c.fuseEntities(CandidateNames("c", "Who founded IBM?"))
	if diff := cmp.Diff([]Name{{"IBM", "company", []string{"c/ibm"}}}, c.Names()); diff != "" {
		t.Errorf("an entity of this name (-want +got):\n%s", diff)
	}
}
