package neo4jstore_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
)

func TestAdjacency(t *testing.T) {
	t.Parallel()
	s, corpus := described(t, "Ann Bob. Ann Bob. Bob Cid. Joe", "Bob Ann. Cid Ann")
	var keys []string
	for _, name := range []string{"ann", "bob", "cid"} {
		keys = append(keys, graph.EntityKey(corpus, name))
	}
	for weight, want := range map[string][]joint{
		"count":    {{0, 1, 3}, {0, 2, 1}, {1, 2, 1}},
		"strength": {{0, 1, 300}, {0, 2, 100}, {1, 2, 100}},
	} {
		got, err := s.Adjacency(t.Context(), corpus, weight)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(keys, got.Keys) + cmp.Diff(want, joints(got)); diff != "" {
			t.Errorf("by %s (-want +got):\n%s", weight, diff)
		}
	}
	if _, err := s.Adjacency(t.Context(), corpus, "size"); err == nil {
		t.Error("edges weighted by size were read")
	}
}

// TestAdjacencyByScan reads the edges of one corpus out of those of several, by every way.
func TestAdjacencyByScan(t *testing.T) {
	t.Parallel()
	s, corpus := described(t, "Ann Bob. Ann Bob. Bob Cid. Joe", "Bob Ann. Cid Ann. Dan Eve")
	described(t, "Bob Dan. Ann Bob")
	want, err := s.AdjacencyByScan(t.Context(), corpus, 0)
	if err != nil || len(want.Keys) != 5 {
		t.Fatalf("%d entities with edges, %v", len(want.Keys), err)
	}
	for _, pages := range []int{1, 2, 7} {
		got, err := s.AdjacencyByScan(t.Context(), corpus, pages)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.Keys, got.Keys) + cmp.Diff(want.Topology, got.Topology) + cmp.Diff(joints(want), joints(got)); diff != "" {
			t.Errorf("in %d pages (-want +got):\n%s", pages, diff)
		}
	}
}
