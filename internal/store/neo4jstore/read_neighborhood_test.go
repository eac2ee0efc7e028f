package neo4jstore

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestClaimsOfAHub reads the claims on an entity that share most index terms with a question,
// with and without a scope, also if their keys come last.
func TestClaimsOfAHub(t *testing.T) {
	t.Parallel()
	s, corpus := readerStore(t), neo4jtest.Borrow(t, "4")
	if err := s.EnsureCorpus(t.Context(), corpus, 4); err != nil {
		t.Fatal(err)
	}
	runText(t, s, `
MATCH (k:Corpus {key: $corpus})
CREATE (d:Document {key: $corpus + '/d', corpus: $corpus, uri: 'd'})-[:IN_CORPUS]->(k)
CREATE (c:Chunk {key: $corpus + '/c', corpus: $corpus, text: 'On Scrooge.', start: 0, end: 11})-[:PART_OF]->(d)
CREATE (e:Entity {key: $corpus + '/scrooge', corpus: $corpus, name: 'Scrooge'})
WITH c, e
UNWIND range(1, 9) AS i
CREATE (c)-[:STATES]->(l:Claim {key: $corpus + '/l' + i, corpus: $corpus, name: 'SCROOGE', type: 'fact', status: 'TRUE', subject: 'SCROOGE',
  description: CASE i WHEN 9 THEN 'Families fear him.' WHEN 8 THEN 'A family.' ELSE 'He is familiar with ledgers.' END,
  terms: CASE i WHEN 9 THEN 'scroog famili fear' WHEN 8 THEN 'scroog famili' ELSE 'scroog familiar ledger' END, n_tokens: 5})-[:SUBJECT]->(e)`,
		map[string]any{"corpus": corpus})
	for name, scope := range map[string]*Scope{"all": nil, "in a scope": {Documents: []string{corpus + "/d"}}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			near, err := s.Neighborhood(t.Context(), corpus, NeighborhoodQuery{
				Entities: []string{corpus + "/scrooge"}, Terms: []string{"famili", "fear"}, MaxClaims: 3, Scope: scope,
			})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range near.Claims {
				got = append(got, c.Key)
			}
			if diff := cmp.Diff([]string{corpus + "/l1", corpus + "/l8", corpus + "/l9"}, got); diff != "" {
				t.Errorf("claims (-want +got):\n%s", diff)
			}
		})
	}
}
