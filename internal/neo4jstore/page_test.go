package neo4jstore_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/neo4jstore"
)

// whole is what the paged reads return of a corpus.
func whole(t *testing.T, s *neo4jstore.Store, corpus string) string {
	t.Helper()
	a, err := s.Adjacency(t.Context(), corpus, "strength")
	if err != nil {
		t.Fatal(err)
	}
	documents, err := s.Documents(t.Context(), corpus)
	if err != nil {
		t.Fatal(err)
	}
	communities, err := s.Communities(t.Context(), corpus, 1, true)
	if err != nil {
		t.Fatal(err)
	}
	contexts, err := collect(s.ReportContexts(t.Context(), corpus, 1, communities))
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Keys) < 6 || len(documents) < 3 || len(contexts) < 4 {
		t.Fatalf("%d entities, %d documents, %d contexts", len(a.Keys), len(documents), len(contexts))
	}
	return fmt.Sprintf("%v\n%v\n%+v\n%+v\n%+v", a.Keys, joints(a), documents, communities, contexts)
}

// TestPagesOfAnySize checks that reads in pages of one row and of some rows return what a
// read of all rows returns.
func TestPagesOfAnySize(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, dimension)
	w := world{"a": {"Ann Bob. Bob Cid. Cid Ann. Cid Dan"}, "b": {"Dan Eve. Eve Fay. Fay Dan"}, "c": {"Gus Hal. Hal Ida. Ida Gus"}}
	if _, err := indexWorld(t, s, corpus, w); err != nil {
		t.Fatal(err)
	}
	want := whole(t, s, corpus)
	for _, n := range []int{1, 2, 3, 5} {
		if diff := cmp.Diff(want, whole(t, s.WithPages(n), corpus)); diff != "" {
			t.Errorf("pages of %d (-want +got):\n%s", n, diff)
		}
	}
}
