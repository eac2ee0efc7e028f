package neo4jstore

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
)

// all returns the elements of a sequence.
func all[T any](t *testing.T, seq iter.Seq2[T, error]) []T {
	t.Helper()
	var items []T
	for item, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, item)
	}
	return items
}

func TestExportSequences(t *testing.T) {
	t.Parallel()
	s, corpus := readerCorpus(t)
	ctx := t.Context()
	var names []string
	for _, e := range all(t, s.Entities(ctx, corpus)) {
		names = append(names, e.Name)
	}
	if diff := cmp.Diff([]string{"Bob/Cratchit", "The Door", "Marley", "Scrooge"}, names); diff != "" {
		t.Errorf("entities (-want +got):\n%s", diff)
	}
	want := []graph.Relationship{
		{Key: corpus + "/r1", Source: corpus + "/marley", Target: corpus + "/scrooge", SourceName: "Marley", TargetName: "Scrooge", Description: "Partners.", Keywords: []string{"business"}, Weight: 2, Strength: 1500, NTokens: 6},
		{Key: corpus + "/r2", Source: corpus + "/door", Target: corpus + "/scrooge", SourceName: "The Door", TargetName: "Scrooge", Description: "He sees it.", Weight: 1, Strength: 500, NTokens: 6},
	}
	if diff := cmp.Diff(want, all(t, s.Relationships(ctx, corpus))); diff != "" {
		t.Errorf("relationships (-want +got):\n%s", diff)
	}
	mentions := all(t, s.Mentions(ctx, corpus, 1))
	if diff := cmp.Diff(Mentions{corpus + "/scrooge", []Mention{{corpus + "/c2", "Scrooge"}}}, mentions[3]); diff != "" {
		t.Errorf("mentions (-want +got):\n%s", diff)
	}
	var chunks []string
	for _, c := range all(t, s.Chunks(ctx, corpus)) {
		chunks = append(chunks, graph.Local(c.Key)+" "+c.DocumentTitle)
	}
	if diff := cmp.Diff([]string{"c1 Christmas", "c2 Christmas", "c3 Ledger"}, chunks); diff != "" {
		t.Errorf("chunks (-want +got):\n%s", diff)
	}
}

// The reports of all levels are returned, those of other generations are not.
func TestExportReports(t *testing.T) {
	t.Parallel()
	s, corpus := readerCorpus(t)
	var got []string
	for _, r := range all(t, s.Reports(t.Context(), corpus, 2)) {
		got = append(got, fmt.Sprintf("%s %d %d %d", graph.Local(r.Community), r.Level, len(r.Findings), len(r.References)))
	}
	var want []string
	for _, level := range []int{0, 1} {
		rows, err := s.ReportsOfView(t.Context(), corpus, 2, level)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			want = append(want, fmt.Sprintf("%s %d %d %d", graph.Local(r.Report.Community), r.Level, len(r.Findings), len(r.References)))
		}
	}
	slices.Sort(want)
	if diff := cmp.Diff(slices.Compact(want), got); diff != "" || len(got) < 2 {
		t.Errorf("reports (-want +got):\n%s", diff)
	}
}

// Entities of several pages are in order, each once. Breaking out of the loop and errors
// end the sequence.
func TestExportPages(t *testing.T) {
	t.Parallel()
	s, corpus := readerCorpus(t)
	runText(t, s, "UNWIND range(1, 2500) AS i CREATE (:Entity {key: $corpus + '/n' + i, corpus: $corpus, name: 'n' + i})", map[string]any{"corpus": corpus})
	var keys []string
	for _, e := range all(t, s.Entities(t.Context(), corpus)) {
		keys = append(keys, e.Key)
	}
	if len(keys) != 2504 || !slices.IsSorted(keys) || len(slices.Compact(keys)) != 2504 {
		t.Errorf("%d entities, sorted: %t", len(keys), slices.IsSorted(keys))
	}
	n := 0
	for _, err := range s.Entities(t.Context(), corpus) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 3 {
			break
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	failed := 0
	for _, err := range s.Entities(ctx, corpus) {
		if err == nil {
			t.Fatal("an entity after the end")
		}
		failed++
	}
	if n != 3 || failed != 1 {
		t.Errorf("%d entities before the break, %d errors after it", n, failed)
	}
}
