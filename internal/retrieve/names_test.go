package retrieve

import (
	"strings"
	"testing"

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
				c.hits.Names = append(c.hits.Names, neo4jstore.Hit{Key: s.key, Score: 1})
			}
		}
	}
	c.fuseEntities(candidates)
	return c
}

func TestNames(t *testing.T) {
	t.Parallel()
	q := "Did Bob Cratchit, of Camden Town, meet Marley's ghost or Topper's?"
	got := strings.Join(candidatesIn(q, "Scrooge", "Marley", "Bob Cratchit", "Cratchit", "Camden Town", "Ghost", "Topper").Names(), "; ")
	if want := "Bob Cratchit; Camden Town; Marley; Topper"; got != want {
		t.Errorf("names of %q: got %q, want %q", q, got, want)
	}
}
