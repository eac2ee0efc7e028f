package community_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/leiden"
	"github.com/neorag/neorag/internal/stage/community"
)

// Four triangles a, b, c, d are the communities; cases differ in the previous ones.
func TestOrdinals(t *testing.T) {
	t.Parallel()
	old := func(key string, ordinal int, members ...string) community.Previous {
		p := community.Previous{Key: key, Ordinal: ordinal}
		for _, m := range members {
			p.Members = append(p.Members, "c/"+m)
		}
		return p
	}
	tests := map[string]struct {
		previous []community.Previous
		want     map[string]int // by first letter of the members
	}{
		"first run: by size, then smallest member": {
			want: map[string]int{"a": 0, "b": 1, "c": 2, "d": 3},
		},
		"same members keep their ordinals": {
			previous: []community.Previous{old("1", 7, "a0", "a1", "a2"), old("2", 0, "b0", "b1", "b2"), old("3", 3, "c0", "c1", "c2"), old("4", 2, "d0", "d1", "d2")},
			want:     map[string]int{"a": 7, "b": 0, "c": 3, "d": 2},
		},
		"new ones get the smallest ordinals that none had": {
			previous: []community.Previous{old("1", 1, "b0", "b1", "b2"), old("2", 2, "gone")},
			want:     map[string]int{"a": 0, "b": 1, "c": 3, "d": 4},
		},
		"more shared members win": {
			previous: []community.Previous{old("1", 5, "a0", "a1", "b0"), old("2", 6, "b1")},
			want:     map[string]int{"a": 5, "b": 6, "c": 0, "d": 1},
		},
		"then Jaccard": {
			previous: []community.Previous{old("1", 4, "a0", "a1", "x"), old("2", 5, "a0", "a2")},
			want:     map[string]int{"a": 5, "b": 0, "c": 1, "d": 2},
		},
		"then the old ordinal": {
			previous: []community.Previous{old("1", 9, "a0"), old("2", 8, "a1")},
			want:     map[string]int{"a": 8, "b": 0, "c": 1, "d": 2},
		},
		"half of the members are not enough": {
			previous: []community.Previous{old("1", 9, "a0", "a1", "x", "y"), old("2", 8, "b0", "b1", "x")},
			want:     map[string]int{"b": 8, "a": 0, "c": 1, "d": 2},
		},
		"each previous one is used once": {
			previous: []community.Previous{old("1", 9, "a0", "a1", "b0", "b1", "b2")},
			want:     map[string]int{"b": 9, "a": 0, "c": 1, "d": 2},
		},
		"other levels do not count": {
			previous: []community.Previous{{Key: "1", Level: 1, Ordinal: 9, Members: []string{"c/a0"}}},
			want:     map[string]int{"a": 0, "b": 1, "c": 2, "d": 3},
		},
	}
	names, edges := cliques("abcd", 3)
	s := snapshot(t, names, edges)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all, _ := detect(t, s, tt.previous, community.Options{})
			got := make(map[string]int)
			for _, c := range all {
				got[c.Members[0][2:3]] = c.Ordinal
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("ordinals (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOrdinalsAreUniqueAndStay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 50).Draw(t, "entities")
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprintf("c/%03d", i)
		}
		edges := make(map[[2]string]int)
		add := func(label string, most int) {
			for range rapid.IntRange(0, most).Draw(t, label) {
				u, v := rapid.IntRange(0, n-1).Draw(t, "u"), rapid.IntRange(0, n-1).Draw(t, "v")
				if u < v {
					edges[[2]string{names[u], names[v]}]++
				}
			}
		}
		add("edges", 3*n)
		o := community.Options{Leiden: leiden.Options{MaxSize: 5}}
		first, _ := detect(t, snapshot(t, names, edges), nil, o)
		unchanged := snapshot(t, names, edges)
		unchanged.Changed = make([]bool, n)
		again, _ := detect(t, unchanged, previous(first), o)
		if diff := cmp.Diff(first, again); diff != "" {
			t.Fatalf("same graph, second run (-want +got):\n%s", diff)
		}
		add("more edges", n)
		changed, _ := detect(t, snapshot(t, names, edges), previous(first), o)
		checkOrdinals(t, first, changed)
	})
}

func checkOrdinals(t rapid.TB, before, after []graph.Community) {
	t.Helper()
	old := make(map[string]int)
	for _, c := range before {
		old[c.Key] = c.Ordinal
	}
	seen := make(map[[2]int]bool)
	for _, c := range after {
		for _, was := range before {
			if was.Level != c.Level || was.Ordinal != c.Ordinal {
				continue
			}
			stayed := 0
			for _, m := range was.Members {
				if slices.Contains(c.Members, m) {
					stayed++
				}
			}
			if 2*stayed <= len(was.Members) {
				t.Errorf("%s keeps its ordinal with %d of %d members", was.Label, stayed, len(was.Members))
			}
		}
		place := [2]int{c.Level, c.Ordinal}
		if seen[place] {
			t.Errorf("two communities of level %d have ordinal %d", c.Level, c.Ordinal)
		}
		seen[place] = true
		if was, ok := old[c.Key]; ok && was != c.Ordinal {
			t.Errorf("%s: ordinal changed from %d to %d with the same members", c.Label, was, c.Ordinal)
		}
	}
}
