package retrieve

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/resolve"
)

// candidatesIn returns what a search finds in a graph that has these names.
func candidatesIn(question string, names ...string) Candidates {
	var c Candidates
	candidates := candidateNames("c", question)
	for _, s := range candidates {
		for _, name := range names {
			if s.key == graph.EntityKey("c", resolve.Normalise(name)) {
				c.hits.Names = append(c.hits.Names, neo4jstore.Hit{Key: s.key, Owner: "person", Score: 1})
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
