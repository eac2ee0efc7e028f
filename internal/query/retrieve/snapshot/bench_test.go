package snapshot

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/rank"
)

// generated returns a graph with three relationships for each entity, and two chunks for
// each five, of which each mentions five entities and their relationships.
func generated(entities int) *Snapshot {
	r := rand.New(rand.NewPCG(7, 7))
	s := &Snapshot{corpus: "main", state: "1", offsets: []uint32{0}, termOffsets: []uint32{0}}
	relationships, chunks := 3*entities, 2*entities/5
	for _, k := range []struct {
		kind graph.Kind
		n    int
	}{{graph.KindEntity, entities}, {graph.KindRelationship, relationships}, {graph.KindChunk, chunks}} {
		from := uint32(len(s.offsets) - 1)
		for i := range k.n {
			s.names = append(s.names, fmt.Sprintf("%s of a usual length %08d", k.kind, i)...)
			s.offsets = append(s.offsets, uint32(len(s.names)))
		}
		s.sections = append(s.sections, section{k.kind, from, from + uint32(k.n)})
	}
	hub := func() uint32 { return uint32(float64(entities) * r.Float64() * r.Float64() * r.Float64()) }
	var edges []rank.Edge
	for i := range relationships {
		a, b, at := uint32(r.IntN(entities)), hub(), uint32(entities+i)
		chunk := uint32(entities + relationships + r.IntN(chunks))
		edges = append(
			edges, rank.Edge{A: a, B: b, Weight: 1, Kind: Related}, rank.Edge{A: at, B: a, Weight: 1, Kind: End}, rank.Edge{A: at, B: b, Weight: 1, Kind: End},
			rank.Edge{A: chunk, B: a, Weight: 1, Kind: Mentioned}, rank.Edge{A: chunk, B: b, Weight: 1, Kind: Mentioned}, rank.Edge{A: chunk, B: at, Weight: 1, Kind: Stated},
		)
	}
	s.graph = rank.NewGraph(len(s.offsets)-1, edges)
	return s
}

// BenchmarkQuestion measures a question that spreads from 30 seeds: in an engine that has the
// snapshot, and with mapping its file, which a process does once.
func BenchmarkQuestion(b *testing.B) {
	for _, entities := range []int{100_000, 666_667} {
		whole := generated(entities)
		path := filepath.Join(b.TempDir(), "graph")
		content, err := whole.encode()
		if err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			b.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 1))
		var seeds []rank.Seed
		for range 30 {
			seeds = append(seeds, rank.Seed{Node: uint32(r.IntN(entities)), Weight: r.Float64()})
		}
		name := fmt.Sprintf("%d entities, %d relationships, %d MB", entities, 3*entities, len(content)>>20)
		b.Run(name+", in an engine", func(b *testing.B) {
			for b.Loop() {
				whole.PageRank(seeds, rank.PageRankOptions{})
			}
		})
		b.Run(name+", with its file", func(b *testing.B) {
			c := &Cache{Folder: filepath.Dir(path)}
			for b.Loop() {
				s, err := c.load(path)
				if err != nil {
					b.Fatal(err)
				}
				s.PageRank(seeds, rank.PageRankOptions{})
			}
		})
	}
}
