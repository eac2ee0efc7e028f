package neo4jstore

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

func testStatusCountsTheVisibleGeneration(t *testing.T, s *Store, corpus string) {
	counts, err := s.Counts(t.Context(), corpus)
	if err != nil {
		t.Fatal(err)
	}
	want := Counts{Documents: 2, Chunks: 3, Passages: 3, Entities: 4, Relationships: 2, Claims: 1, Communities: 3, Reports: 2, Queries: 1, Synonyms: 1, DocumentLinks: 1, Isolated: 1}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("Counts (-want +got):\n%s", diff)
	}
	communities, err := s.CommunityLevels(t.Context(), corpus)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]LevelCount{{0, 1, 3, 0}, {1, 2, 3, 0}}, communities); diff != "" {
		t.Errorf("CommunityLevels (-want +got):\n%s", diff)
	}
	reports, err := s.ReportLevels(t.Context(), corpus)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]LevelCount{{0, 1, 3, 0}, {1, 1, 2, 0}}, reports); diff != "" {
		t.Errorf("ReportLevels (-want +got):\n%s", diff)
	}
}

func testStatusShowsMarksAndFailures(t *testing.T, s *Store, corpus string) {
	pending, err := s.Pending(t.Context(), corpus)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int{"extract": 1, "describe": 1, "embed": 1, "report": 1}, pending); diff != "" {
		t.Errorf("Pending (-want +got):\n%s", diff)
	}
	all := []Failed{
		{corpus + "/bob/cratchit", "embed", "refused"},
		{corpus + "/c3", "extract", "the model timed out"},
		{corpus + "/g2", "report", "no answer"},
	}
	for _, limit := range []int{10, 2, 0} {
		failed, err := s.Failed(t.Context(), corpus, limit)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(all[:min(limit, len(all))], append([]Failed{}, failed...)); diff != "" {
			t.Errorf("Failed, at most %d (-want +got):\n%s", limit, diff)
		}
	}
}

func TestStatusOfMissingCorpus(t *testing.T) {
	t.Parallel()
	s, corpus := readerStore(t), neo4jtest.Corpus(t)
	if _, err := s.Counts(t.Context(), corpus); !errors.Is(err, ErrNoCorpus) {
		t.Errorf("Counts: %v, want ErrNoCorpus", err)
	}
	if _, err := s.Generation(t.Context(), corpus); !errors.Is(err, ErrNoCorpus) {
		t.Errorf("Generation: %v, want ErrNoCorpus", err)
	}
	if pending, err := s.Pending(t.Context(), corpus); err != nil || len(pending) != 0 {
		t.Errorf("Pending = %v, %v, want none", pending, err)
	}
}

func TestRunsNewestFirst(t *testing.T) {
	t.Parallel()
	s, corpus := readerStore(t), neo4jtest.Corpus(t)
	t.Cleanup(func() {
		if _, err := s.DropCorpus(context.Background(), corpus, ""); err != nil {
			t.Error(err)
		}
	})
	day := func(n int) time.Time { return time.Date(2024, 2, n, 10, 30, 0, 5000, time.UTC) }
	runs := []Run{
		{ID: "z-old", Corpus: corpus, Started: day(1), Finished: day(2), Counts: map[string]int64{"documents": 3}, Exit: 3},
		{
			ID: "a-new", Corpus: corpus, Started: day(3), Finished: day(4), Counts: map[string]int64{"documents": 1, "writes": 12},
			Calls: 4, TokensIn: 500, TokensOut: 60, Cost: .25,
		},
	}
	err := s.WithWriter(t.Context(), corpus, "test", 0, func(ctx context.Context, writer *Writer) error {
		return errors.Join(writer.RecordRun(ctx, runs[0]), writer.RecordRun(ctx, runs[1]))
	})
	if err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int][]Run{5: {runs[1], runs[0]}, 1: {runs[1]}} {
		got, err := s.Runs(t.Context(), corpus, limit)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Runs, at most %d (-want +got):\n%s", limit, diff)
		}
	}
}
