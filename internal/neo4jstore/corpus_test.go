package neo4jstore_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/neo4jtest"
)

func TestEnsureCorpus(t *testing.T) {
	// Not beside others: a change of indexes makes the server plan all statements anew.
	s, corpus := open(t, nil), neo4jtest.Turn(t, "0", strconv.Itoa(dimension))
	if err := errors.Join(s.EnsureSchema(t.Context()), s.EnsureCorpus(t.Context(), corpus, 0)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "A", "a-b", "1a", "a`", strings.Repeat("a", 41)} {
		if err := s.EnsureCorpus(t.Context(), name, 0); err == nil {
			t.Errorf("a corpus named %q was made", name)
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
	if err := s.EnsureCorpus(t.Context(), corpus, dimension+1); !errors.Is(err, neo4jstore.ErrDimension) || !strings.Contains(err.Error(), "index it again") {
		t.Errorf("another dimension: %v, want ErrDimension and what to do", err)
	}
	query(t, "MATCH (k:Corpus {key: $c}) SET k.schema = 99", map[string]any{"c": corpus})
	if err := s.EnsureCorpus(t.Context(), corpus, 0); err == nil || !strings.Contains(err.Error(), "update neorag") {
		t.Errorf("a newer schema: %v", err)
	}
}

func TestCorpusKeepsItsSettings(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, 0)
	if _, err := s.Corpus(t.Context(), neo4jtest.Corpus(t)); !errors.Is(err, neo4jstore.ErrNoCorpus) {
		t.Errorf("a corpus that is not there: %v, want ErrNoCorpus", err)
	}
	set := func(settings map[string]string, c neo4jstore.CorpusSet) (changed int64) {
		t.Helper()
		inLane(t, s, corpus, func(ctx context.Context, l *neo4jstore.Writer) error {
			err := l.SetSettings(ctx, settings, c)
			changed = l.Counters().Total()
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
	err = s.WithWriter(t.Context(), corpus, "x", 0, func(ctx context.Context, l *neo4jstore.Writer) error {
		return l.SetSettings(ctx, map[string]string{"a b": "x"}, neo4jstore.CorpusSet{})
	})
	if err == nil {
		t.Error("a stage named \"a b\" was taken")
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
		inLane(t, s, corpus, func(ctx context.Context, l *neo4jstore.Writer) (err error) {
			if marked, err = l.MarkAll(ctx, stage); err != nil {
				return err
			}
			again, err = l.MarkAll(ctx, stage)
			return err
		})
		pending, err := s.Pending(t.Context(), corpus)
		if diff := cmp.Diff(want.pending, pending); err != nil || diff != "" || marked != want.marked || again != 0 {
			t.Errorf("%s: marked %d, want %d, again %d; %v (-want +got):\n%s", stage, marked, want.marked, again, err, diff)
		}
		counters, err := indexWorld(t, s, corpus, worlds[0].world)
		if err != nil || counters.Nodes != 0 || counters.Deleted != 0 {
			t.Errorf("%s: what was only marked is the same: changed %+v, %v", stage, counters, err)
		}
	}
	inLane(t, s, corpus, func(ctx context.Context, l *neo4jstore.Writer) error {
		if _, err := l.MarkAll(ctx, "label"); err == nil {
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
	inLane(t, s, corpus, func(ctx context.Context, l *neo4jstore.Writer) error {
		for range 2 {
			if err := l.RecordRun(ctx, run); err != nil {
				return err
			}
		}
		if n := l.Counters().Total(); n != 0 {
			t.Errorf("the record of a run counts as %d changes", n)
		}
		return nil
	})
	runs, err := s.Runs(t.Context(), corpus, 5)
	if diff := cmp.Diff([]neo4jstore.Run{run}, runs); err != nil || diff != "" {
		t.Errorf("runs: %v (-want +got):\n%s", err, diff)
	}
}

func TestChunksAreRead(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	corpus := newCorpus(t, s, 0)
	p := pipeline{store: s, corpus: corpus}
	d := p.documentWrite("a", []string{"one", "two"})
	inLane(t, s, corpus, func(ctx context.Context, l *neo4jstore.Writer) error {
		return l.WriteDocuments(ctx, []neo4jstore.DocumentWrite{d})
	})
	got, err := s.DocumentChunks(t.Context(), corpus, d.Document.Key)
	if err != nil || len(got) != len(d.Chunks) {
		t.Fatalf("DocumentChunks = %v, %v", got, err)
	}
	for i, c := range got {
		if diff := cmp.Diff(d.Chunks[i], c.Chunk); diff != "" || !c.Pending {
			t.Errorf("chunk %d, pending %v (-want +got):\n%s", i, c.Pending, diff)
		}
	}
}
