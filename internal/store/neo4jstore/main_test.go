package neo4jstore_test

import (
	"context"
	"iter"
	"strconv"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

func TestMain(m *testing.M) { neo4jtest.Main(m) }

// open connects to the test server.
func open(tb testing.TB, change func(*neo4jstore.Config)) *neo4jstore.Store {
	tb.Helper()
	conn := neo4jtest.Server(tb)
	config := neo4jstore.Config{URI: conn.URI, Username: conn.User, Password: conn.Password}
	if change != nil {
		change(&config)
	}
	s, err := neo4jstore.Open(tb.Context(), config)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = s.Close(context.Background()) })
	return s
}

// newCorpus returns a corpus with its indexes.
func newCorpus(tb testing.TB, s *neo4jstore.Store, dimension int) string {
	tb.Helper()
	corpus := neo4jtest.Borrow(tb, strconv.Itoa(dimension))
	if err := s.EnsureSchema(tb.Context()); err != nil {
		tb.Fatal(err)
	}
	if err := s.EnsureCorpus(tb.Context(), corpus, dimension); err != nil {
		tb.Fatal(err)
	}
	return corpus
}

// withWriter calls a function with the writer of a corpus.
func withWriter(tb testing.TB, s *neo4jstore.Store, corpus string, fn func(context.Context, *neo4jstore.Writer) error) {
	tb.Helper()
	if err := s.WithWriter(tb.Context(), corpus, "test "+tb.Name(), 0, fn); err != nil {
		tb.Fatal(err)
	}
}

// entities returns the entities that have a relationship, with their internal ids.
func entities(tb testing.TB, s *neo4jstore.Store, corpus string) neo4jstore.Entities {
	tb.Helper()
	a, err := s.Adjacency(tb.Context(), corpus, "count")
	if err != nil {
		tb.Fatal(err)
	}
	return a.Entities
}

// query runs a statement without the store.
func query(tb testing.TB, text string, params map[string]any) []map[string]any {
	tb.Helper()
	return neo4jtest.Query(tb, text, params)
}

// number returns the only number that a query returns.
func number(tb testing.TB, text string, params map[string]any) int64 {
	tb.Helper()
	rows := query(tb, text, params)
	if len(rows) != 1 {
		tb.Fatalf("%s: %d rows", text, len(rows))
	}
	for _, value := range rows[0] {
		n, ok := value.(int64)
		if !ok {
			tb.Fatalf("%s: %v is not a number", text, value)
		}
		return n
	}
	return 0
}

func driver(tb testing.TB) neo4j.DriverWithContext {
	tb.Helper()
	conn := neo4jtest.Server(tb)
	driver, err := neo4j.NewDriverWithContext(conn.URI, neo4j.BasicAuth(conn.User, conn.Password, ""))
	if err != nil {
		tb.Fatal(err)
	}
	return driver
}

// collect returns the items of an iterator up to the first error.
func collect[T any](items iter.Seq2[T, error]) ([]T, error) {
	var all []T
	for item, err := range items {
		if err != nil {
			return nil, err
		}
		all = append(all, item)
	}
	return all, nil
}
