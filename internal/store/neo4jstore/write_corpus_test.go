package neo4jstore_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

func TestSetSettings(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, 0)
	if _, err := s.Corpus(t.Context(), neo4jtest.Corpus(t)); !errors.Is(err, neo4jstore.ErrNoCorpus) {
		t.Errorf("a missing corpus: %v, want ErrNoCorpus", err)
	}
	set := func(settings map[string]string, c neo4jstore.CorpusSet) (changed int64) {
		t.Helper()
		withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
			err := writer.SetSettings(ctx, settings, c)
			changed = writer.Counters().Total()
			return err
		})
		return changed
	}
	full := neo4jstore.CorpusSet{Embedder: "hash", Mode: "offline", Dimension: 4}
	if changed := set(map[string]string{"extract": "1", "embed": "2"}, full); changed != 5 {
		t.Errorf("%d changes, want 5", changed)
	}
	if changed := set(map[string]string{"embed": "2"}, full); changed != 0 {
		t.Errorf("the same again: %d changes", changed)
	}
	set(map[string]string{"embed": "3"}, neo4jstore.CorpusSet{})
	got, err := s.Corpus(t.Context(), corpus)
	if err != nil {
		t.Fatal(err)
	}
	if time.Since(got.Created).Abs() > time.Hour {
		t.Errorf("created %v", got.Created)
	}
	got.Created = time.Time{}
	want := neo4jstore.Corpus{
		Name: corpus, Schema: neo4jstore.SchemaVersion, Dimension: 4, Embedder: "hash", Mode: "offline",
		Settings: map[string]string{"extract": "1", "embed": "3"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("corpus (-want +got):\n%s", diff)
	}
	all, err := s.Corpora(t.Context())
	found := false
	for _, c := range all {
		found = found || c.Name == corpus && c.Mode == "offline"
	}
	if err != nil || !found {
		t.Errorf("corpora %v, %v: want %s among them", all, err, corpus)
	}
	err = s.WithWriter(t.Context(), corpus, "x", 0, func(ctx context.Context, writer *neo4jstore.Writer) error {
		return writer.SetSettings(ctx, map[string]string{"a b": "x"}, neo4jstore.CorpusSet{})
	})
	if err == nil {
		t.Error("a stage named \"a b\" was accepted")
	}
}

func TestMarkAll(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, dimension)
	if _, err := indexWorld(t, s, corpus, worlds[0].world); err != nil {
		t.Fatal(err)
	}
	for stage, want := range map[string]struct {
		pending map[string]int
		marked  int64
	}{
		// 4 chunks, 8 entities, 7 relationships, 4 communities with a report each
		"extract":  {map[string]int{"extract": 4}, 4},
		"derive":   {map[string]int{"derive": 15}, 15},
		"describe": {map[string]int{"describe": 15}, 15},
		"report":   {map[string]int{"report": 4}, 4},
		"embed":    {map[string]int{"embed": 23}, 23},
	} {
		var marked, again int64
		withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) (err error) {
			if marked, err = writer.MarkAll(ctx, stage); err != nil {
				return err
			}
			again, err = writer.MarkAll(ctx, stage)
			return err
		})
		pending, err := s.Pending(t.Context(), corpus)
		if diff := cmp.Diff(want.pending, pending); err != nil || diff != "" || marked != want.marked || again != 0 {
			t.Errorf("%s: marked %d, want %d, again %d; %v (-want +got):\n%s", stage, marked, want.marked, again, err, diff)
		}
		counters, err := indexWorld(t, s, corpus, worlds[0].world)
		if err != nil || counters.Nodes != 0 || counters.Deleted != 0 {
			t.Errorf("%s: processing unchanged marked nodes changed %+v, %v", stage, counters, err)
		}
	}
	withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
		if _, err := writer.MarkAll(ctx, "label"); err == nil {
			t.Error("a stage without marks was marked")
		}
		return nil
	})
}

func TestRecordRun(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, 0)
	started := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	run := neo4jstore.Run{
		ID: "one", Corpus: corpus, Started: started, Finished: started.Add(time.Minute),
		Counts: map[string]int64{"documents": 3}, Calls: 4, TokensIn: 5, TokensOut: 6, Cost: 0.25, Exit: 3,
	}
	withWriter(t, s, corpus, func(ctx context.Context, writer *neo4jstore.Writer) error {
		for range 2 {
			if err := writer.RecordRun(ctx, run); err != nil {
				return err
			}
		}
		if n := writer.Counters().Total(); n != 0 {
			t.Errorf("the record of a run counts as %d changes", n)
		}
		return nil
	})
	runs, err := s.Runs(t.Context(), corpus, 5)
	if diff := cmp.Diff([]neo4jstore.Run{run}, runs); err != nil || diff != "" {
		t.Errorf("runs: %v (-want +got):\n%s", err, diff)
	}
}
