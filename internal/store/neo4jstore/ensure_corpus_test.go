package neo4jstore_test

import (
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

func TestEnsureCorpus(t *testing.T) {
	neo4jtest.ChangesIndexes(t)
	s, corpus := open(t, nil), neo4jtest.BorrowAs(t, "0", strconv.Itoa(dimension))
	if err := errors.Join(s.EnsureSchema(t.Context()), s.EnsureCorpus(t.Context(), corpus, 0)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "A", "a/b", "-a", "a..b", "a`", strings.Repeat("a", 41)} {
		if err := s.EnsureCorpus(t.Context(), name, 0); err == nil {
			t.Errorf("a corpus named %q was created", name)
		}
	}
	indexes := func() int64 {
		return int64(len(query(t, "SHOW INDEXES YIELD name WHERE name ENDS WITH $end RETURN name", map[string]any{"end": "_" + corpus})))
	}
	if n := indexes(); n != 5 {
		t.Errorf("%d indexes without a dimension, want 5", n)
	}
	for range 2 {
		if err := s.EnsureCorpus(t.Context(), corpus, dimension); err != nil {
			t.Fatal(err)
		}
	}
	if n := indexes(); n != 9 {
		t.Errorf("%d indexes with a dimension, want 9", n)
	}
	if err := s.EnsureCorpus(t.Context(), corpus, dimension+1); err != nil {
		t.Errorf("another dimension: %v", err)
	}
	if n := number(t, "SHOW VECTOR INDEXES YIELD name, options WHERE name ENDS WITH $end AND options.indexConfig.`vector.dimensions` = $dimension RETURN count(*)",
		map[string]any{"end": "_" + corpus, "dimension": dimension + 1}); n != 4 {
		t.Errorf("%d indexes of the other dimension, want 4", n)
	}
	if err := s.EnsureCorpus(t.Context(), corpus, dimension); err != nil {
		t.Errorf("the dimension of before: %v", err)
	}
	once, err := s.Corpus(t.Context(), corpus)
	if twice, err2 := s.Corpus(t.Context(), corpus); errors.Join(err, err2) != nil || !reflect.DeepEqual(once, twice) {
		t.Errorf("the same corpus, read twice: %+v, %v, and %+v, %v, want them to be equal", once, err, twice, err2)
	}
	query(t, "MATCH (k:Corpus {key: $c}) SET k.schema = 99", map[string]any{"c": corpus})
	if err := s.EnsureCorpus(t.Context(), corpus, 0); err == nil || !strings.Contains(err.Error(), "update neorag") {
		t.Errorf("a newer schema: %v", err)
	}
}
