package community_test

import (
	"bufio"
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/neorag/neorag/internal/stage/community"
	"github.com/neorag/neorag/internal/testkit/testcorpora"
)

// christmasCarol returns the graph of the recorded extraction. The weight of an edge is
// the number of units that contain the relationship.
func christmasCarol(t *testing.T) community.Snapshot {
	t.Helper()
	f, err := os.Open(filepath.Join(testcorpora.Dir(t), "christmas-carol", "recorded-extraction.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	names := make(map[string]bool)
	edges := make(map[[2]string]int)
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var unit struct {
			Entities      []struct{ Name string }
			Relationships []struct{ Source, Target string }
		}
		if err := json.Unmarshal(lines.Bytes(), &unit); err != nil {
			t.Fatal(err)
		}
		for _, e := range unit.Entities {
			names[e.Name] = true
		}
		stated := make(map[[2]string]bool)
		for _, r := range unit.Relationships {
			names[r.Source], names[r.Target] = true, true
			if r.Source != r.Target {
				stated[[2]string{min(r.Source, r.Target), max(r.Source, r.Target)}] = true
			}
		}
		for p := range stated {
			edges[p]++
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return snapshot(t, slices.Collect(maps.Keys(names)), edges)
}

// component returns the largest connected component of a snapshot.
func component(t *testing.T, s community.Snapshot) community.Snapshot {
	t.Helper()
	seen := make([]bool, len(s.Keys))
	var largest []uint32
	for start := range uint32(len(s.Keys)) {
		part := []uint32{}
		for next := []uint32{start}; len(next) > 0; {
			v := next[len(next)-1]
			next = next[:len(next)-1]
			if seen[v] {
				continue
			}
			seen[v] = true
			part = append(part, v)
			for u := range s.Graph.Neighbors(v) {
				next = append(next, u)
			}
		}
		if len(part) > len(largest) {
			largest = part
		}
	}
	var names []string
	edges := make(map[[2]string]int)
	for _, v := range largest {
		names = append(names, s.Keys[v])
		for u, w := range s.Graph.Neighbors(v) {
			if v < u {
				edges[[2]string{s.Keys[v], s.Keys[u]}] = int(w)
			}
		}
	}
	return snapshot(t, names, edges)
}

// The hierarchy is like that of graspologic with GraphRAG's options, which has 23, 65, 40
// and 4 communities in the levels of the largest component, and a modularity of 0.6611.
func TestChristmasCarol(t *testing.T) {
	t.Parallel()
	s := christmasCarol(t)
	if got, want := [2]int{s.Graph.Nodes(), s.Graph.Edges()}, [2]int{561, 935}; got != want {
		t.Fatalf("nodes and edges: got %v, want %v", got, want)
	}
	all, stats := detect(t, s, nil, community.Options{})
	if got, want := [2]int{stats.Clustered, stats.Isolated}, [2]int{560, 1}; got != want {
		t.Errorf("clustered and isolated: got %v, want %v", got, want)
	}
	weight := 0
	for _, c := range all {
		if c.Level == 0 {
			weight += c.Weight
		}
	}
	if total := s.Graph.Weight(); weight <= int(total)/2 || weight >= int(total) {
		t.Errorf("weight inside communities of level 0: got %d of %v", weight, total)
	}
	s = component(t, s)
	if got, want := [2]int{s.Graph.Nodes(), s.Graph.Edges()}, [2]int{535, 916}; got != want {
		t.Fatalf("nodes and edges of the largest component: got %v, want %v", got, want)
	}
	_, stats = detect(t, s, nil, community.Options{})
	want := []int{23, 65, 40}
	for level, n := range want {
		if level >= len(stats.Levels) || math.Abs(float64(stats.Levels[level].Communities-n)) > float64(n)/4+2 {
			t.Errorf("levels: got %+v, want about %v communities", stats.Levels, want)
			break
		}
	}
	if stats.Modularity < 0.6611 {
		t.Errorf("modularity: got %v, want at least that of graspologic", stats.Modularity)
	}
	t.Logf("%+v", stats)
}
