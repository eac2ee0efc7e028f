package usergraph_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/store/neo4jstore/usercypher"
	"github.com/neorag/neorag/internal/store/neo4jstore/usergraph"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

func TestMain(m *testing.M) { neo4jtest.Main(m) }

func open(t *testing.T) *neo4jstore.Store {
	t.Helper()
	return openAt(t, neo4jtest.Server(t))
}

func openAt(t *testing.T, conn neo4jtest.Conn) *neo4jstore.Store {
	t.Helper()
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
		if _, err := usergraph.Read(t.Context(), s, usergraph.Source{Cypher: text}); !errors.Is(err, usercypher.ErrReadOnly) {
			t.Errorf("%s: %v, want ErrReadOnly", text, err)
		}
	}
}

// The answer to the commit of every write transaction is lost, so that each runs twice.
func TestMarksWithLostAnswers(t *testing.T) {
	t.Parallel()
	plain, relay := open(t), neo4jtest.NewRelay(t, neo4jtest.Server(t))
	relay.OnCommit(neo4jtest.LoseEverySecond)
	conn := neo4jtest.Server(t)
	conn.URI = relay.URI()
	s := openAt(t, conn)
	corpus := neo4jtest.Borrow(t, "relay")
	create := "CREATE (a:Passage {corpus: '" + corpus + "', key: '" + corpus + "/a'}) RETURN elementId(a) AS id"
	id := single(t, create)
	mark := usergraph.Mark{ID: id, Community: "x_0_1", Communities: []int64{1}, Labels: []string{"x_0_1"}}
	marks := func() []usergraph.Mark {
		var all []usergraph.Mark
		if err := usergraph.Marks(t.Context(), plain, "cluster_"+corpus, "x", func(m usergraph.Mark) { all = append(all, m) }); err != nil {
			t.Fatal(err)
		}
		return all
	}
	write := func(fn func(context.Context, *neo4jstore.Writer) error) {
		t.Helper()
		err := s.WithWriter(t.Context(), "cluster_"+corpus, "test "+t.Name(), 0, func(ctx context.Context, w *neo4jstore.Writer) error {
			if err := fn(ctx, w); err != nil {
				return err
			}
			w.DropLease()
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	write(func(ctx context.Context, w *neo4jstore.Writer) error {
		return usergraph.WriteMarks(ctx, w, "x", []usergraph.Mark{mark})
	})
	if diff := cmp.Diff([]usergraph.Mark{mark}, marks()); diff != "" {
		t.Errorf("marks (-want +got):\n%s", diff)
	}
	write(func(ctx context.Context, w *neo4jstore.Writer) error {
		return usergraph.RemoveMarks(ctx, w, "x", []string{id})
	})
	if left := marks(); len(left) > 0 {
		t.Errorf("marks that are left: %+v", left)
	}
	// Each time: take the lease, write, and delete the lease.
	if lost := relay.Injected(); lost != 6 {
		t.Errorf("%d answers were lost, want 6", lost)
	}
	if n := single(t, "MATCH (l:Lease {key: 'cluster_"+corpus+"'}) RETURN toString(count(l))"); n != "0" {
		t.Errorf("%s leases are left", n)
	}
}

// single returns the text that a statement returns.
func single(t *testing.T, text string) string {
	t.Helper()
	conn := neo4jtest.Server(t)
	driver, err := neo4j.NewDriverWithContext(conn.URI, neo4j.BasicAuth(conn.User, conn.Password, ""))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = driver.Close(context.Background()) }()
	result, err := neo4j.ExecuteQuery(t.Context(), driver, text, nil, neo4j.EagerResultTransformer, neo4j.ExecuteQueryWithDatabase("neo4j"))
	if err != nil {
		t.Fatal(err)
	}
	value, _ := result.Records[0].Values[0].(string)
	return value
}
