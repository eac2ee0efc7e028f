package community_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/leiden"
	"github.com/neorag/neorag/internal/stage/community"
)

// snapshot returns the graph of edges between named entities.
func snapshot(t rapid.TB, names []string, edges map[[2]string]int) community.Snapshot {
	t.Helper()
	keys := slices.Clone(names)
	slices.Sort(keys)
	b := leiden.NewBuilder(len(keys))
	for _, e := range slices.SortedFunc(maps.Keys(edges), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		u, _ := slices.BinarySearch(keys, e[0])
		v, _ := slices.BinarySearch(keys, e[1])
		if err := b.Add(uint32(u), uint32(v), float64(edges[e])); err != nil {
			t.Fatalf("add edge: %v", err)
		}
	}
	g, err := b.Build()
	if err != nil {
		t.Fatalf("build graph: %v", err)
	}
	return community.Snapshot{Keys: keys, Graph: g}
}

// cliques returns cliques of size entities each, named by a letter of groups and a digit,
// with an edge between a clique and the next.
func cliques(groups string, size int) ([]string, map[[2]string]int) {
	var names []string
	edges := make(map[[2]string]int)
	for g, letter := range groups {
		for i := range size {
			names = append(names, fmt.Sprintf("c/%c%d", letter, i))
			for j := range i {
				edges[[2]string{fmt.Sprintf("c/%c%d", letter, j), fmt.Sprintf("c/%c%d", letter, i)}] = 2
			}
		}
		if g > 0 {
			edges[[2]string{fmt.Sprintf("c/%c0", groups[g-1]), fmt.Sprintf("c/%c0", letter)}] = 1
		}
	}
	return names, edges
}

func detect(t rapid.TB, s community.Snapshot, previous []community.Previous, o community.Options) ([]graph.Community, community.Stats) {
	t.Helper()
	all, stats, err := community.Detect(context.Background(), "c", s, previous, o)
	if err != nil {
		t.Fatalf("detect: %v", err)
	}
	return all, stats
}

func TestDetect(t *testing.T) {
	t.Parallel()
	names, edges := cliques("ab", 4)
	s := snapshot(t, append(names, "c/z"), edges)
	got, stats := detect(t, s, nil, community.Options{})
	a := []string{"c/a0", "c/a1", "c/a2", "c/a3"}
	b := []string{"c/b0", "c/b1", "c/b2", "c/b3"}
	want := []graph.Community{
		{Key: graph.CommunityKey("c", 0, a), Label: "C0_0", Members: a, Weight: 12, Final: true},
		{Key: graph.CommunityKey("c", 0, b), Label: "C0_1", Ordinal: 1, Members: b, Weight: 12, Final: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("communities (-want +got):\n%s", diff)
	}
	// Two cliques of weight 12 each and an edge of 1: 24/25 inside, a share of 1/2 each.
	wantStats := community.Stats{
		Levels:     []community.LevelStats{{Communities: 2, Entities: 8, Largest: 4}},
		Modularity: 24.0/25 - 0.5, Clustered: 8, Isolated: 1,
	}
	if diff := cmp.Diff(wantStats, stats, cmp.Comparer(func(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 })); diff != "" {
		t.Errorf("stats (-want +got):\n%s", diff)
	}
}

func TestDetectPrefixAndParents(t *testing.T) {
	t.Parallel()
	names, edges := cliques("abcdefghijklmnopqrstuvwxyzABCDEFGHIJ", 4)
	s := snapshot(t, names, edges)
	all, _ := detect(t, s, nil, community.Options{Prefix: "x", Leiden: leiden.Options{MaxSize: 5}})
	keys := make(map[string]graph.Community)
	for _, c := range all {
		keys[c.Key] = c
		if want := fmt.Sprintf("x%d_%d", c.Level, c.Ordinal); c.Label != want {
			t.Errorf("label of %s: got %q, want %q", c.Key, c.Label, want)
		}
	}
	if depth(all) < 2 {
		t.Fatalf("got %d levels, want at least 2", depth(all))
	}
	for _, c := range all {
		if c.Level == 0 {
			if c.Parent != "" {
				t.Errorf("root %s has parent %s", c.Label, c.Parent)
			}
			continue
		}
		p, ok := keys[c.Parent]
		if !ok || p.Level != c.Level-1 || p.Final {
			t.Errorf("parent of %s: got %+v", c.Label, p)
		}
		for _, m := range c.Members {
			if !slices.Contains(p.Members, m) {
				t.Errorf("%s has member %s, which its parent has not", c.Label, m)
			}
		}
	}
}

func TestDetectRefuses(t *testing.T) {
	t.Parallel()
	names, edges := cliques("a", 3)
	s := snapshot(t, names, edges)
	tests := map[string]struct {
		canceled bool
		s        community.Snapshot
		o        community.Options
		want     error
	}{
		"no graph":       {false, community.Snapshot{}, community.Options{}, community.ErrSnapshot},
		"too few keys":   {false, community.Snapshot{Keys: s.Keys[1:], Graph: s.Graph}, community.Options{}, community.ErrSnapshot},
		"unsorted keys":  {false, community.Snapshot{Keys: []string{"b", "a", "c"}, Graph: s.Graph}, community.Options{}, community.ErrSnapshot},
		"repeated keys":  {false, community.Snapshot{Keys: []string{"a", "b", "b"}, Graph: s.Graph}, community.Options{}, community.ErrSnapshot},
		"bad resolution": {false, s, community.Options{Leiden: leiden.Options{Resolution: -1}}, leiden.ErrOptions},
		"canceled":       {true, s, community.Options{}, context.Canceled},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if tt.canceled {
				cancel()
			}
			if _, _, err := community.Detect(ctx, "c", tt.s, nil, tt.o); !errors.Is(err, tt.want) {
				t.Errorf("got error %v, want %v", err, tt.want)
			}
		})
	}
}

func TestFingerprint(t *testing.T) {
	t.Parallel()
	base := community.Fingerprint(community.Options{})
	same := []community.Options{
		{Prefix: "C"},
		{Leiden: leiden.Options{Resolution: 1, MaxSize: 10}},
		{Leiden: leiden.Options{Workers: 7}},
		{Leiden: leiden.Options{Start: &leiden.Start{Levels: [][]uint32{{1}}}}},
	}
	for _, o := range same {
		if got := community.Fingerprint(o); got != base {
			t.Errorf("%+v: got another fingerprint", o)
		}
	}
	differ := []community.Options{
		{Prefix: "c"},
		{Leiden: leiden.Options{Resolution: 2}},
		{Leiden: leiden.Options{MaxSize: 11}},
		{Leiden: leiden.Options{Seed: 1}},
		{Leiden: leiden.Options{Effort: leiden.Stable}},
		{Leiden: leiden.Options{Strict: true}},
	}
	for _, o := range differ {
		if got := community.Fingerprint(o); got == base {
			t.Errorf("%+v: got the fingerprint of the defaults", o)
		}
	}
}

// previous returns the communities of a run as the next one gets them.
func previous(all []graph.Community) []community.Previous {
	var old []community.Previous
	for _, c := range all {
		old = append(old, community.Previous{Key: c.Key, Level: c.Level, Ordinal: c.Ordinal, Members: c.Members})
	}
	return old
}
