package usergraph_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/neo4jstore/usergraph"
	"github.com/neorag/neorag/internal/neo4jtest"
)

func TestMain(m *testing.M) { neo4jtest.Main(m) }

func open(t *testing.T) *neo4jstore.Store {
	t.Helper()
	conn := neo4jtest.Server(t)
	s, err := neo4jstore.Open(t.Context(), neo4jstore.Config{URI: conn.URI, Username: conn.User, Password: conn.Password})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close(context.Background()) })
	return s
}

func TestReadStatement(t *testing.T) {
	t.Parallel()
	s := open(t)
	const rows = "UNWIND [['a', 'b', 2], ['b', 'c', 0.5], ['c', 'c', null], ['', 'd', 1]] AS row RETURN row[0] AS source, row[1] AS target, row[2] AS weight"
	got, err := usergraph.Read(t.Context(), s, usergraph.Source{Cypher: rows, SkipBad: true})
	if err != nil {
		t.Fatal(err)
	}
	bad := []string{"row 3: weight is missing or not a number", "row 4: source and target must be nodes, texts or whole numbers"}
	if diff := cmp.Diff([]string{"a", "b", "c"}, got.Names); diff != "" || got.Rows != 2 || got.Skipped != 2 || !cmp.Equal(bad, got.Bad) {
		t.Errorf("%d rows, %d skipped, bad %q, names (-want +got):\n%s", got.Rows, got.Skipped, got.Bad, diff)
	}
	if _, err := usergraph.Read(t.Context(), s, usergraph.Source{Cypher: rows}); !errors.Is(err, usergraph.ErrRow) {
		t.Errorf("a bad row: %v, want ErrRow", err)
	}
	if _, err := usergraph.Read(t.Context(), s, usergraph.Source{Cypher: "RETURN 1 AS a"}); !errors.Is(err, usergraph.ErrRow) {
		t.Errorf("other columns: %v, want ErrRow", err)
	}
}

// A statement that does anything but read this database is refused.
func TestReadRefuses(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, text := range []string{
		"CREATE (a:Zz)-[:ZZ]->(b:Zz) RETURN a AS source, b AS target",
		"LOAD CSV FROM 'file:///etc/hostname' AS line RETURN line[0] AS source, line[0] AS target",
		"CALL db.clearQueryCaches() YIELD value RETURN value AS source, value AS target",
		"CALL apoc.load.json('http://127.0.0.1:1/') YIELD value RETURN value AS source, value AS target",
	} {
		if _, err := usergraph.Read(t.Context(), s, usergraph.Source{Cypher: text}); !errors.Is(err, neo4jstore.ErrReadOnly) {
			t.Errorf("%s: %v, want ErrReadOnly", text, err)
		}
	}
}
