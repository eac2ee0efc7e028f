package neo4jstore_test

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// statementCounts counts the statements that a store logs, by name.
type statementCounts struct {
	slog.Handler

	mu     *sync.Mutex
	counts map[string]int
}

func (c statementCounts) Enabled(context.Context, slog.Level) bool { return true }

func (c statementCounts) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "name" && r.Message == "statement" {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.counts[a.Value.String()]++
		}
		return true
	})
	return nil
}

func ofAll(graph.Community) bool { return true }

// TestReportContextIsSplit checks that the entities, relationships, claims and children of
// a single community are read in parts.
func TestReportContextIsSplit(t *testing.T) {
	t.Parallel()
	counts := statementCounts{slog.DiscardHandler, new(sync.Mutex), map[string]int{}}
	s := open(t, func(c *neo4jstore.Config) { c.Logger = slog.New(counts) })
	corpus := newCorpus(t, s, dimension)
	if _, err := indexWorld(t, s, corpus, world{"a": {"Ann Bob. Bob Cid. Cid Dan. !Ann Bob"}, "b": {"Dan Ann"}}); err != nil {
		t.Fatal(err)
	}
	communities, err := s.Communities(t.Context(), corpus, 1, false)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := collect(s.ReportReader(corpus, 1).WithSections(ofAll).Contexts(t.Context(), communities[:1]))
	if err != nil {
		t.Fatal(err)
	}
	clear(counts.counts)
	parts, err := collect(s.WithPages(1).ReportReader(corpus, 1).WithSections(ofAll).Contexts(t.Context(), communities[:1]))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(whole, parts); diff != "" {
		t.Errorf("in parts (-whole +parts):\n%s", diff)
	}
	got := map[string]int{}
	for _, name := range []string{"entities", "relationships", "claims", "mentions", "children"} {
		got[name] = counts.counts["read/report_"+name]
	}
	n, children := len(whole[0].Entities), len(whole[0].Children)
	if diff := cmp.Diff(map[string]int{"entities": n, "relationships": n, "claims": n, "mentions": n, "children": children + 1}, got); diff != "" || n < 4 || children < 2 {
		t.Errorf("statements for %d entities and %d children (-want +got):\n%s", n, children, diff)
	}
}

// TestReportReaderKeepsMembers reads communities before those that contain them. Each member is
// read once, or again if the reader may keep nothing, and the sections that mention it only for the communities
// whose sections are wanted.
func TestReportReaderKeepsMembers(t *testing.T) {
	t.Parallel()
	counts := statementCounts{slog.DiscardHandler, new(sync.Mutex), map[string]int{}}
	s := open(t, func(c *neo4jstore.Config) { c.Logger = slog.New(counts) })
	corpus := newCorpus(t, s, dimension)
	if _, err := indexWorld(t, s, corpus, world{"a": {"Ann Bob. Bob Cid. Cid Dan. !Ann Bob"}, "b": {"Dan Ann"}, "c": {"Eve Fay"}}); err != nil {
		t.Fatal(err)
	}
	communities, err := s.Communities(t.Context(), corpus, 1, true)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(communities) // by level
	if len(communities) < 4 {
		t.Fatalf("%d communities", len(communities))
	}
	var want []neo4jstore.ReportContext
	for _, k := range communities {
		alone, err := collect(s.ReportReader(corpus, 1).WithSections(ofAll).Contexts(t.Context(), []graph.Community{k}))
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, alone...)
	}
	isRoot := func(k graph.Community) bool { return k.Level == 0 }
	isBelow := func(k graph.Community) bool { return k.Level > 0 }
	for name, tt := range map[string]struct {
		bytes, reads, mentions int
		sections               func(graph.Community) bool
	}{
		"kept":                       {1 << 20, 3, 3, ofAll},
		"not kept":                   {0, 4, 4, ofAll},
		"sections of roots":          {1 << 20, 3, 2, isRoot},
		"sections below roots":       {1 << 20, 3, 2, isBelow},
		"sections of roots not kept": {0, 4, 2, isRoot},
		"no sections":                {1 << 20, 3, 0, nil},
	} {
		clear(counts.counts)
		reader := s.ReportReader(corpus, 1).WithSections(tt.sections)
		reader.KeepBytes(tt.bytes)
		want, got := slices.Clone(want), []neo4jstore.ReportContext(nil)
		for i, k := range communities {
			if tt.sections == nil || !tt.sections(k) {
				want[i].Sections = nil
			}
			one, err := collect(reader.Contexts(t.Context(), []graph.Community{k}))
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, one...)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-alone +together):\n%s", name, diff)
		}
		if n := counts.counts["read/report_relationships"]; n != tt.reads {
			t.Errorf("%s: relationships were read %d times, want %d", name, n, tt.reads)
		}
		if n := counts.counts["read/report_mentions"]; n != tt.mentions {
			t.Errorf("%s: mentions were read %d times, want %d", name, n, tt.mentions)
		}
	}
}
