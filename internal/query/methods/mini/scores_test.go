package mini

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve/snapshot"
	"github.com/neorag/neorag/internal/query/retrieve/snapshot/snapshottest"
)

// TestPathScores works out the votes of paths by hand. The entities a, b and x are a line; the
// relationship r of a and b is near to the question, and x has the type of the answer; y has no
// relationship. Chunk c mentions a and states r, d mentions b and x, and e mentions y.
//
//	paths from a: a-b scores 1 + 1 for r, a-b-x 1 + 1 for r + 1 for x
//	votes: a 5, b 5, x 3, r 5, so that c has 5 + 5 and d 5 + 3
func TestPathScores(t *testing.T) {
	t.Parallel()
	const a, b, x, y, r, c, d, e = 0, 1, 2, 3, 4, 5, 6, 7
	g := snapshottest.Graph{Graph: rank.NewGraph(8, []rank.Edge{
		{A: a, B: b, Weight: 2, Kind: snapshot.Related},
		{A: b, B: x, Weight: 1, Kind: snapshot.Related},
		{A: r, B: a, Weight: 1, Kind: snapshot.End},
		{A: r, B: b, Weight: 1, Kind: snapshot.End},
		{A: c, B: a, Weight: 3, Kind: snapshot.Mentioned},
		{A: c, B: r, Weight: 1, Kind: snapshot.Stated},
		{A: d, B: b, Weight: 1, Kind: snapshot.Mentioned},
		{A: d, B: x, Weight: 1, Kind: snapshot.Mentioned},
		{A: e, B: y, Weight: 1, Kind: snapshot.Mentioned},
		{A: c, B: d, Weight: 1, Kind: snapshot.Next},
	})}
	for _, tt := range []struct {
		name  string
		from  uint32
		scope []uint32
		want  []scoredNode
		paths int
	}{
		{"from a", a, []uint32{c, d, e}, []scoredNode{{c, 10}, {d, 8}}, 2},
		{"from x", x, []uint32{c, d, e}, []scoredNode{{d, 10}, {c, 6}}, 2},
		{"from b", b, []uint32{c, d, e}, []scoredNode{{d, 6}, {c, 4}}, 2},
		{"without a path", y, []uint32{c, d, e}, []scoredNode{{e, 1}}, 0},
		{"in a scope", a, []uint32{d}, []scoredNode{{d, 8}}, 2},
	} {
		p := newPathScorer(g, func(chunk uint32) bool { return slices.Contains(tt.scope, chunk) })
		p.answers[x], p.near[pair(b, a)] = true, []uint32{r}
		got, paths := p.best(tt.from)
		if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(scoredNode{})); diff != "" || paths != tt.paths {
			t.Errorf("%s: %d paths, want %d (-want +got):\n%s", tt.name, paths, tt.paths, diff)
		}
	}
}

// TestChunksOfHub: of the chunks of an entity that has many, the half nearest to the question
// counts, and at least five.
func TestChunksOfHub(t *testing.T) {
	t.Parallel()
	for chunks, want := range map[uint32]int{4: 4, 5: 5, 8: 5, 14: 7} {
		var edges []rank.Edge
		for i := range chunks {
			edges = append(edges, rank.Edge{A: 1 + i, B: 0, Weight: 1, Kind: snapshot.Mentioned})
		}
		p := newPathScorer(snapshottest.Graph{Graph: rank.NewGraph(int(chunks)+1, edges)}, func(uint32) bool { return true })
		p.similar[chunks] = 1
		if got := p.chunksOf(0); len(got) != want || got[0] != chunks {
			t.Errorf("of %d chunks %v count, want %d, first %d", chunks, got, want, chunks)
		}
	}
}
