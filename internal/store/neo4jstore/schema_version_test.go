package neo4jstore_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// A corpus of an older schema version cannot be read before it is upgraded; the upgrade
// creates the required indexes and keeps the nodes.
func TestOlderSchemaIsUpgraded(t *testing.T) {
	neo4jtest.ChangesIndexes(t)
	s := open(t, nil)
	corpus := newCorpus(t, s, 4)
	params := map[string]any{"c": corpus}
	query(t, "MATCH (k:Corpus {key: $c}) REMOVE k.schema", params)
	query(t, "DROP INDEX lead_"+corpus, nil)
	query(t, "DROP INDEX passage_"+corpus, nil)
	query(t, "CREATE FULLTEXT INDEX passage_"+corpus+" FOR (n:Passage_"+corpus+") ON EACH [n.words] OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard'}}", nil)
	query(t, "CREATE (:Passage:Passage_"+corpus+" {key: $c + '/p', corpus: $c, terms: 'fire'})", params)

	if _, err := s.Generation(t.Context(), corpus); !errors.Is(err, neo4jstore.ErrSchema) || !strings.Contains(err.Error(), "neorag index") {
		t.Errorf("reading before the upgrade: %v, want ErrSchema and what to do", err)
	}
	if err := s.EnsureCorpus(t.Context(), corpus, 4); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Generation(t.Context(), corpus); err != nil {
		t.Errorf("reading after the upgrade: %v", err)
	}
	found := number(t, "CALL db.index.fulltext.queryNodes('passage_"+corpus+"', 'fire') YIELD node RETURN count(node)", nil)
	if found != 1 {
		t.Errorf("the index that was made anew finds %d passages, want 1", found)
	}
	k, err := s.Corpus(t.Context(), corpus)
	if err != nil || k.Schema != neo4jstore.SchemaVersion {
		t.Errorf("schema %d and %v, want %d", k.Schema, err, neo4jstore.SchemaVersion)
	}
}
