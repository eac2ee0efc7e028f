package neo4jstore_test

import (
	"context"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/neotest"
)

func TestMain(m *testing.M) { neotest.Main(m) }

// open connects to the test server.
func open(t testing.TB, change func(*neo4jstore.Config)) *neo4jstore.Store {
	t.Helper()
	conn := neotest.Server(t)
	config := neo4jstore.Config{URI: conn.URI, Username: conn.User, Password: conn.Password}
	if change != nil {
		change(&config)
	}
	s, err := neo4jstore.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close(context.Background()) })
	return s
}

// newCorpus makes a corpus that is dropped after the test.
func newCorpus(t testing.TB, s *neo4jstore.Store, dimension int) string {
	t.Helper()
	corpus := neotest.Corpus(t)
	if err := s.EnsureSchema(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.EnsureCorpus(t.Context(), corpus, dimension); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if _, err := s.DropCorpus(ctx, corpus); err != nil {
			t.Errorf("dropping %s: %v", corpus, err)
		}
	})
	return corpus
}

// inLane runs a function with the lane of a corpus.
func inLane(t testing.TB, s *neo4jstore.Store, corpus string, fn func(context.Context, *neo4jstore.Lane) error) {
	t.Helper()
	if err := s.WithLane(t.Context(), corpus, "test "+t.Name(), 0, fn); err != nil {
		t.Fatal(err)
	}
}

// query looks at the graph past the store.
func query(t testing.TB, text string, params map[string]any) []map[string]any {
	t.Helper()
	driver := driver(t)
	defer func() { _ = driver.Close(context.Background()) }()
	result, err := neo4j.ExecuteQuery(t.Context(), driver, text, params, neo4j.EagerResultTransformer, neo4j.ExecuteQueryWithDatabase("neo4j"))
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]map[string]any, len(result.Records))
	for i, r := range result.Records {
		rows[i] = r.AsMap()
	}
	return rows
}

// number is the one number that a query returns.
func number(t testing.TB, text string, params map[string]any) int64 {
	t.Helper()
	rows := query(t, text, params)
	if len(rows) != 1 {
		t.Fatalf("%s: %d rows", text, len(rows))
	}
	for _, value := range rows[0] {
		n, ok := value.(int64)
		if !ok {
			t.Fatalf("%s: %v is no number", text, value)
		}
		return n
	}
	return 0
}
