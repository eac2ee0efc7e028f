package neo4jtest

import (
	"context"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/internal/graph"
)

func TestMain(m *testing.M) { Main(m) }

func TestServerAcceptsItsPassword(t *testing.T) {
	conn := Server(t)
	driver, err := neo4j.NewDriverWithContext(conn.URI, neo4j.BasicAuth(conn.User, conn.Password, ""))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	defer func() { _ = driver.Close(ctx) }()
	got, err := neo4j.ExecuteQuery(ctx, driver, "RETURN 1 AS one", nil, neo4j.EagerResultTransformer)
	if err != nil {
		t.Fatal(err)
	}
	if one, _ := got.Records[0].Get("one"); one != int64(1) {
		t.Errorf("RETURN 1 = %v", one)
	}
	if again := Server(t); again != conn {
		t.Errorf("Server again = %v, want the same %v", again, conn)
	}
}

func TestCorpusIsNewAndValid(t *testing.T) {
	a, b := Corpus(t), Corpus(t)
	if a == b {
		t.Errorf("Corpus twice = %q", a)
	}
	if err := graph.CheckCorpus(a); err != nil {
		t.Error(err)
	}
}
