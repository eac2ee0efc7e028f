package neo4jstore

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func testHybridNamesHaveTypes(t *testing.T, s *Store, corpus string) {
	for _, scope := range []*Scope{nil, {Documents: []string{corpus + "/docs/a.txt"}}} {
		found, err := s.HybridSearch(t.Context(), corpus, HybridQuery{
			SearchQuery: SearchQuery{Terms: "door", Limit: 1, Scope: scope},
			Names:       []string{corpus + "/door", corpus + "/scrooge", corpus + "/nobody"},
		})
		if err != nil {
			t.Fatal(err)
		}
		types := map[string]string{}
		for _, h := range found.Names {
			types[h.Key] = h.Owner
		}
		if diff := cmp.Diff(map[string]string{corpus + "/door": "concept", corpus + "/scrooge": "person"}, types); diff != "" {
			t.Errorf("types in %+v (-want +got):\n%s", scope, diff)
		}
	}
}
