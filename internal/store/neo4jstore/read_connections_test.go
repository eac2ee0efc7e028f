package neo4jstore_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// seedPaths creates entities that are joined as a - b - c - d - e, a - x - c, and b - y - c, weaker.
const seedPaths = `
UNWIND [['a', 'b', 5], ['b', 'c', 4], ['c', 'd', 3], ['d', 'e', 2], ['a', 'x', 9], ['x', 'c', 1], ['b', 'y', 1], ['y', 'c', 1]] AS edge
MERGE (s:Entity {key: $corpus + '/' + edge[0], corpus: $corpus}) SET s.name = toUpper(edge[0]), s.type = CASE edge[0] WHEN 'y' THEN 'event' ELSE 'person' END, s:$('Entity_' + $corpus)
MERGE (t:Entity {key: $corpus + '/' + edge[1], corpus: $corpus}) SET t.name = toUpper(edge[1]), t.type = CASE edge[1] WHEN 'y' THEN 'event' ELSE 'person' END, t:$('Entity_' + $corpus)
CREATE (s)-[:RELATED {key: $corpus + '/' + edge[0] + edge[1], weight: edge[2]}]->(t)
CREATE (r:Relationship {key: $corpus + '/' + edge[0] + edge[1], corpus: $corpus, weight: edge[2], description: '', n_tokens: 1})
SET r:$('Relationship_' + $corpus)
CREATE (r)-[:SOURCE]->(s), (r)-[:TARGET]->(t)
RETURN count(*)`

// pathKeys returns the relationships of paths, as "ab bc".
func pathKeys(paths [][]graph.Relationship) []string {
	var out []string
	for _, path := range paths {
		var keys []string
		for _, r := range path {
			keys = append(keys, graph.Local(r.Key))
		}
		out = append(out, strings.Join(keys, " "))
	}
	return out
}

func TestPaths(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, dimension)
	query(t, seedPaths, map[string]any{"corpus": corpus})
	for ends, want := range map[string][]string{
		"ab": {"ab"},
		"bc": {"bc", "by yc"},
		"ac": {"ab bc", "ax xc"}, // the stronger one first
		"ca": {"bc ab", "xc ax"},
		"ad": {"ab bc cd"},
		"ae": nil, // four relationships
		"ee": nil,
	} {
		paths, err := s.Paths(t.Context(), corpus, corpus+"/"+ends[:1], corpus+"/"+ends[1:], 3)
		if diff := cmp.Diff(want, pathKeys(paths)); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", ends, err, diff)
		}
	}
	if paths, err := s.Paths(t.Context(), corpus, corpus+"/a", corpus+"/c", 1); err != nil || len(paths) != 1 {
		t.Errorf("with a limit of 1: %v, %v", pathKeys(paths), err)
	}
	strongest(t, s, corpus)
}

func strongest(t *testing.T, s *neo4jstore.Store, corpus string) {
	t.Helper()
	for want, types := range map[string][]string{"ax ab": nil, "ax ab bc cd de xc": {"person"}, "": {"event"}} {
		limit := 2
		if types != nil {
			limit = 100
		}
		found, err := s.StrongestRelationships(t.Context(), corpus, types, limit)
		if got := strings.Join(pathKeys([][]graph.Relationship{found}), ""); got != want || err != nil {
			t.Errorf("the strongest of %v: %q, %v, want %q", types, got, err, want)
		}
	}
}
