package neo4jstore

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// left counts the nodes and indexes of a corpus in the database, including its lease.
func left(t *testing.T, s *Store, corpus string) map[string]int {
	t.Helper()
	all := map[string]int{}
	err := s.attempt(t.Context(), neo4j.AccessModeRead, func(tx *transaction) error {
		clear(all)
		for _, kind := range kinds {
			result, err := tx.send(t.Context(), "MATCH (n:"+string(kind)+") WHERE n.key = $corpus OR n.key STARTS WITH $corpus + '/' RETURN count(n) AS n", map[string]any{"corpus": corpus})
			if err != nil {
				return err
			}
			record, err := result.Single(t.Context())
			if err != nil {
				return err
			}
			if n, _ := record.Values[0].(int64); n > 0 {
				all[string(kind)] = int(n)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	shown, err := s.allIndexes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range shown {
		if x.belongsTo(corpus) {
			all["index"]++
		}
	}
	return all
}

// TestDropCorpus creates all corpora before it drops the first one.
func TestDropCorpus(t *testing.T) {
	neo4jtest.ChangesIndexes(t)
	s, corpus := readerCorpus(t)
	neighbour := corpus + "_0" // its keys and labels start like those of the dropped one
	seedReader(t, s, neighbour)
	_, interrupted := readerCorpus(t)
	_, large := readerCorpus(t)
	runText(t, s, "UNWIND range(1, 25000) AS i CREATE (:Passage:Passage_"+large+" {key: $corpus + '/x' + i, corpus: $corpus, terms: 'x'})", map[string]any{"corpus": large})

	relay := neo4jtest.NewRelay(t, neo4jtest.Server(t))
	lossy := openReader(t, relay.URI())
	relay.OnCommit(neo4jtest.LoseEverySecond)
	unsure := neo4jtest.Borrow(t, "relay")
	if err := lossy.EnsureCorpus(t.Context(), unsure, 4); err != nil {
		t.Fatal(err)
	}
	seedReader(t, s, unsure)

	t.Run("leaves nothing and keeps other corpora", func(t *testing.T) { testDropKeepsOtherCorpora(t, s, corpus, neighbour) })
	t.Run("continues after an interruption", func(t *testing.T) { testDropContinues(t, s, interrupted) })
	t.Run("with lost answers", func(t *testing.T) {
		dropWhole(t, lossy, unsure, 40)
		if n := relay.Injected(); n < 10 {
			t.Errorf("%d answers were lost", n)
		}
	})
	t.Run("in small batches", func(t *testing.T) { dropWhole(t, s, large, 25_040) })
}

// dropWhole drops a corpus, which deletes at least that many nodes and leaves none.
func dropWhole(t *testing.T, s *Store, corpus string, least int64) {
	t.Helper()
	counters, err := s.DropCorpus(t.Context(), corpus, "")
	if err != nil {
		t.Fatal(err)
	}
	if counters.Deleted < least {
		t.Errorf("DropCorpus counted %+v", counters)
	}
	if rest := left(t, s, corpus); len(rest) > 0 {
		t.Errorf("DropCorpus left %v", rest)
	}
}

func testDropKeepsOtherCorpora(t *testing.T, s *Store, corpus, neighbour string) {
	t.Helper()
	before := left(t, s, neighbour)
	if whole := left(t, s, corpus); whole["index"] != 9 || whole["Community"] != 5 {
		t.Fatalf("the corpus to drop has %v", whole)
	}

	dropWhole(t, s, corpus, 40)
	if diff := cmp.Diff(before, left(t, s, neighbour)); diff != "" {
		t.Errorf("another corpus changed (-before +after):\n%s", diff)
	}
	again, err := s.DropCorpus(t.Context(), corpus, "")
	if err != nil || again.Total() != 0 {
		t.Errorf("DropCorpus again = %+v, %v, want no change", again, err)
	}
	if _, err := s.Counts(t.Context(), corpus); !errors.Is(err, ErrNoCorpus) {
		t.Errorf("Counts after it: %v, want ErrNoCorpus", err)
	}
}

func testDropContinues(t *testing.T, s *Store, corpus string) {
	t.Helper()
	stopped := errors.New("stopped")
	for stop := 1; ; stop++ {
		transactions := 0
		killed := *s
		killed.fault = func(string) error {
			if transactions++; transactions == stop {
				return stopped
			}
			return nil
		}
		_, err := killed.DropCorpus(t.Context(), corpus, "")
		if err == nil {
			break
		}
		if !errors.Is(err, stopped) {
			t.Fatal(err)
		}
	}
	if rest := left(t, s, corpus); len(rest) > 0 {
		t.Errorf("the last DropCorpus left %v", rest)
	}
}

func TestDropCorpusWhileAnotherWrites(t *testing.T) {
	t.Parallel()
	s, corpus := readerCorpus(t)
	before := left(t, s, corpus)
	err := s.WithWriter(t.Context(), corpus, "the other", time.Minute, func(ctx context.Context, _ *Writer) error {
		_, err := s.DropCorpus(ctx, corpus, "")
		return err
	})
	if !errors.Is(err, ErrLeased) {
		t.Errorf("DropCorpus: %v, want ErrLeased", err)
	}
	after := left(t, s, corpus)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("it changed the corpus (-before +after):\n%s", diff)
	}
}

func TestDropCorpusChecksTheName(t *testing.T) {
	t.Parallel()
	if _, err := readerStore(t).DropCorpus(t.Context(), "Not A Corpus", ""); err == nil {
		t.Error("a corpus with an invalid name was dropped")
	}
}
