package snapshot

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/rank"
)

// sample is the graph of two chunks, the second after the first, that mention two entities
// and their relationship.
func sample() *Snapshot {
	s := &Snapshot{corpus: "main", state: "1", offsets: []uint32{0}}
	for _, k := range []struct {
		kind graph.Kind
		keys []string
	}{
		{graph.KindEntity, []string{"fezziwig", "scrooge"}},
		{graph.KindRelationship, []string{"r"}},
		{graph.KindChunk, []string{"a", "b"}},
	} {
		from := uint32(len(s.offsets) - 1)
		for _, key := range k.keys {
			s.names = append(s.names, key...)
			s.offsets = append(s.offsets, uint32(len(s.names)))
		}
		s.sections = append(s.sections, section{k.kind, from, from + uint32(len(k.keys))})
	}
	s.graph = rank.NewGraph(5, []rank.Edge{
		{A: 0, B: 1, Weight: 2, Kind: Related},
		{A: 3, B: 0, Weight: 1, Kind: Mentioned},
		{A: 3, B: 1, Weight: 3, Kind: Mentioned},
		{A: 4, B: 1, Weight: 1, Kind: Mentioned},
		{A: 3, B: 2, Weight: 2, Kind: Stated},
		{A: 2, B: 0, Weight: 1, Kind: End},
		{A: 2, B: 1, Weight: 1, Kind: End},
		{A: 3, B: 4, Weight: 1, Kind: Next},
	})
	s.documents, s.terms, s.termOffsets, s.frequencies = 2, []byte("fireghost"), []uint32{0, 4, 9}, []uint32{2, 1}
	return s
}

func TestFileHoldsTheGraph(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]*Snapshot{
		"sample":   sample(),
		"no nodes": {corpus: "main", state: "2", offsets: []uint32{0}, termOffsets: []uint32{0}, graph: rank.NewGraph(0, nil), sections: []section{{graph.KindEntity, 0, 0}}},
	} {
		raw, err := want.encode()
		if err != nil {
			t.Fatal(err)
		}
		got, err := decode(raw)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		again, err := got.encode()
		if err != nil || !cmp.Equal(raw, again) {
			t.Errorf("%s: the snapshot of a file is another one (%v)", name, err)
		}
	}
}

func TestNodes(t *testing.T) {
	t.Parallel()
	s := sample()
	for _, tt := range []struct {
		kind  graph.Kind
		key   string
		node  uint32
		found bool
	}{
		{graph.KindEntity, "main/fezziwig", 0, true},
		{graph.KindEntity, "main/scrooge", 1, true},
		{graph.KindChunk, "main/b", 4, true},
		{graph.KindEntity, "main/b", 0, false},
		{graph.KindEntity, "other/scrooge", 0, false},
		{graph.KindSentence, "main/a", 0, false},
	} {
		node, found := s.Node(tt.kind, tt.key)
		if found != tt.found || found && (node != tt.node || s.Key(node) != tt.key) {
			t.Errorf("%s %s: node %d, %v, want %d, %v", tt.kind, tt.key, node, found, tt.node, tt.found)
		}
	}
	var around []string
	s.Neighbours(4, func(n uint32, kind uint8, weight float32) {
		around = append(around, fmt.Sprint(s.Key(n), " ", kind, " ", weight))
	})
	if diff := cmp.Diff([]string{"main/scrooge 1 1", "main/a 4 1"}, around); diff != "" || s.Degree(4) != 2 {
		t.Errorf("neighbours, of %d (-want +got):\n%s", s.Degree(4), diff)
	}
}

// TestDamagedFile changes each byte of a file, shortens it, and makes files with a valid
// checksum that point outside of their lists.
func TestDamagedFile(t *testing.T) {
	t.Parallel()
	raw, err := sample().encode()
	if err != nil {
		t.Fatal(err)
	}
	for i := range raw {
		b := append([]byte{}, raw...)
		b[i] ^= 0x40
		if _, err := decode(b); !errors.Is(err, errDamaged) {
			t.Fatalf("byte %d of %d is another one: %v", i, len(raw), err)
		}
		if _, err := decode(raw[:i]); !errors.Is(err, errDamaged) {
			t.Fatalf("%d of %d bytes: %v", i, len(raw), err)
		}
	}
	for name, spoil := range map[string]func(*Snapshot){
		"a neighbour":       func(s *Snapshot) { s.graph.Neighbours[0] = 5 },
		"the first place":   func(s *Snapshot) { s.graph.Start[0] = 1 },
		"a place":           func(s *Snapshot) { s.graph.Start[1] = 1 << 31 },
		"the last place":    func(s *Snapshot) { s.graph.Start[5]-- },
		"a name":            func(s *Snapshot) { s.offsets[2] = 0 },
		"the length":        func(s *Snapshot) { s.graph.Kinds = s.graph.Kinds[1:] },
		"a weight":          func(s *Snapshot) { s.graph.Weights[0] = -1 },
		"a term":            func(s *Snapshot) { s.termOffsets[1] = 10 },
		"a frequency":       func(s *Snapshot) { s.frequencies = s.frequencies[1:] },
		"nodes of a kind":   func(s *Snapshot) { s.sections[2].to = 6 },
		"the order of them": func(s *Snapshot) { s.sections[1].to = 1 },
	} {
		s := sample()
		spoil(s)
		b, err := s.encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decode(b); !errors.Is(err, errDamaged) {
			t.Errorf("%s is wrong: %v", name, err)
		}
	}
}

// FuzzDecode checks that no file with a valid checksum makes the program read elsewhere.
func FuzzDecode(f *testing.F) {
	raw, err := sample().encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw[preface:])
	f.Fuzz(func(t *testing.T, body []byte) {
		b := binary.NativeEndian.AppendUint64(nil, magic)
		b = binary.NativeEndian.AppendUint64(b, uint64(crc32.Checksum(body, table)))
		b = binary.NativeEndian.AppendUint64(b, uint64(len(body)))
		s, err := decode(append(b, body...))
		if err != nil {
			return
		}
		for node := range uint32(len(s.offsets) - 1) {
			s.Key(node)
			s.kindOf(node)
		}
		s.PageRank([]rank.Seed{{Node: 0, Weight: 1}}, rank.PageRankOptions{})
	})
}

// TestSynonymsAreAskedFor spreads over synonyms only with a scale for them, and does not count
// them as edges of a node.
func TestSynonymsAreAskedFor(t *testing.T) {
	t.Parallel()
	joined := func(edges ...rank.Edge) *Snapshot {
		s := sample()
		s.graph = rank.NewGraph(5, append(edges, rank.Edge{A: 3, B: 0, Weight: 1, Kind: Mentioned}, rank.Edge{A: 4, B: 1, Weight: 3, Kind: Mentioned}))
		return s
	}
	without, with := joined(), joined(rank.Edge{A: 0, B: 1, Weight: .9, Kind: Synonym})
	seeds := []rank.Seed{{Node: 0, Weight: 1}}
	if diff := cmp.Diff(without.PageRank(seeds, rank.PageRankOptions{}), with.PageRank(seeds, rank.PageRankOptions{}), cmpopts.EquateApprox(0, 1e-5)); diff != "" {
		t.Errorf("scores (-without synonyms +with them):\n%s", diff)
	}
	scale := make([]float64, Synonym+1)
	scale[Mentioned], scale[Synonym] = 1, 1
	if scores := with.PageRank(seeds, rank.PageRankOptions{Scale: scale}); scores[1] == 0 || scores[4] == 0 {
		t.Errorf("walks do not pass to a synonym: %v", scores)
	}
	if n := with.Degree(0); n != 1 {
		t.Errorf("%d edges, want 1", n)
	}
}
