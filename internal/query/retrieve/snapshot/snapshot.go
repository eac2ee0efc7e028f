// Package snapshot holds the graph of evidence of a corpus in memory, for methods that
// spread from the nodes of a question over entities, relationships and chunks
// (rank.PageRank).
//
// Reading that graph from the server takes seconds for a large corpus, so it is kept as a
// file that is mapped into memory. The file can be deleted at any time: the first question
// that needs the graph after that, or after a change of the corpus, reads it again.
package snapshot

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sort"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// The kinds of edges, as in rank.PageRankOptions.Scale.
const (
	Related   = iota // between entities; the weight is the number of records of their relationship
	Mentioned        // between a chunk and an entity; the number of records
	Stated           // between a chunk and a relationship; the number of records
	End              // between a relationship and an entity
	Next             // between chunks of a document that follow each other
	Part             // between a chunk and its document
	Synonym          // between entities with similar names, if the corpus has synonyms; the cosine of the names
)

// A Snapshot is the graph of evidence in one state of a corpus. Its nodes are numbered by
// kind, and within a kind in the order of their keys. It never changes.
type Snapshot struct {
	graph    rank.Graph
	state    string
	sections []section
	offsets  []uint32 // of the local ids in names; one more than nodes
	names    []byte
	corpus   string

	terms       []byte   // of all documents, sorted, each once
	termOffsets []uint32 // one more than terms
	frequencies []uint32 // the number of documents that have each term
	documents   int
}

// A section is the nodes of one kind.
type section struct {
	kind     graph.Kind
	from, to uint32
}

// Node returns the number of the node with a key.
func (s *Snapshot) Node(kind graph.Kind, key string) (node uint32, found bool) {
	if graph.CorpusOf(key) != s.corpus {
		return 0, false
	}
	from, to := s.Range(kind)
	local := graph.Local(key)
	at, found := sort.Find(int(to-from), func(i int) int { return strings.Compare(local, s.local(from+uint32(i))) })
	return from + uint32(at), found
}

// Range returns the numbers of the nodes of a kind: those from from until before to.
func (s *Snapshot) Range(kind graph.Kind) (from, to uint32) {
	for _, k := range s.sections {
		if k.kind == kind {
			return k.from, k.to
		}
	}
	return 0, 0
}

// local returns the local id of a node.
func (s *Snapshot) local(node uint32) string {
	name := string(s.names[s.offsets[node]:s.offsets[node+1]])
	runtime.KeepAlive(s)
	return name
}

// Key returns the key of a node.
func (s *Snapshot) Key(node uint32) string { return graph.Key(s.corpus, s.local(node)) }

// PageRank spreads from the seeds over the graph, see rank.PageRank, but never over documents, and
// over synonyms only if their scale is given. The scores are by node.
func (s *Snapshot) PageRank(seeds []rank.Seed, o rank.PageRankOptions) []float64 {
	scale := make([]float64, Synonym+1)
	for kind := range Part {
		scale[kind] = 1
	}
	copy(scale, o.Scale)
	scale[Part], o.Scale = 0, scale
	scores := rank.PageRank(s.graph, seeds, o)
	runtime.KeepAlive(s) // the memory of the graph may be memory of a file, see load
	return scores
}

// Degree returns the number of a node's edges, except for those to synonyms.
func (s *Snapshot) Degree(node uint32) (n int) {
	s.Neighbours(node, func(_ uint32, kind uint8, _ float32) {
		if kind != Synonym {
			n++
		}
	})
	return n
}

// Neighbours calls each for the neighbours of a node, with the kind and the weight of the
// edge to each.
func (s *Snapshot) Neighbours(node uint32, each func(neighbour uint32, kind uint8, weight float32)) {
	for at := s.graph.Start[node]; at < s.graph.Start[node+1]; at++ {
		each(s.graph.Neighbours[at], s.graph.Kinds[at], s.graph.Weights[at])
	}
	runtime.KeepAlive(s)
}

// read reads the graph of a corpus from the server. It takes several transactions; the
// caller compares the state before and after.
func read(ctx context.Context, store *neo4jstore.Store, corpus, state string) (*Snapshot, error) {
	s := &Snapshot{state: state, corpus: corpus, offsets: []uint32{0}}
	var all []int64
	for _, kind := range neo4jstore.GraphKinds {
		keys, ids, err := store.GraphNodes(ctx, corpus, kind)
		if err != nil {
			return nil, err
		}
		keys, ids = inOrder(keys, ids)
		from := uint32(len(all))
		all = append(all, ids...)
		s.sections = append(s.sections, section{kind, from, uint32(len(all))})
		for _, key := range keys {
			s.names = append(s.names, graph.Local(key)...)
			s.offsets = append(s.offsets, uint32(len(s.names)))
		}
		if len(s.names) > math.MaxUint32 {
			return nil, fmt.Errorf("read the graph of corpus %s: its keys take more than 4 GB", corpus)
		}
	}
	var edges []rank.Edge
	joined := map[[2]uint32]bool{} // synonyms, which have an edge in each direction
	if err := store.GraphEdges(ctx, corpus, all, func(e neo4jstore.GraphEdge) {
		kind, ok := kindsOfEdges[[2]graph.Kind{s.kindOf(e.A), s.kindOf(e.B)}]
		if ends := [2]uint32{min(e.A, e.B), max(e.A, e.B)}; e.Synonym {
			kind, ok, joined[ends] = Synonym, ok && !joined[ends], true
		}
		if ok {
			edges = append(edges, rank.Edge{A: e.A, B: e.B, Weight: e.Weight, Kind: kind})
		}
	}); err != nil {
		return nil, err
	}
	s.graph = rank.NewGraph(len(all), edges)
	return s, s.readTerms(ctx, store)
}

// inOrder sorts nodes by key, which the server may order differently, and drops those that
// were read twice.
func inOrder(keys []string, ids []int64) ([]string, []int64) {
	order := make([]int, len(keys))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(keys[a], keys[b]) })
	var sortedKeys []string
	var sortedIDs []int64
	for i, at := range order {
		if i > 0 && keys[at] == keys[order[i-1]] {
			continue
		}
		sortedKeys, sortedIDs = append(sortedKeys, keys[at]), append(sortedIDs, ids[at])
	}
	return sortedKeys, sortedIDs
}

// kindsOfEdges are the kinds of edges by the kinds of their ends.
var kindsOfEdges = map[[2]graph.Kind]uint8{
	{graph.KindEntity, graph.KindEntity}:       Related,
	{graph.KindChunk, graph.KindEntity}:        Mentioned,
	{graph.KindChunk, graph.KindRelationship}:  Stated,
	{graph.KindRelationship, graph.KindEntity}: End,
	{graph.KindChunk, graph.KindChunk}:         Next,
	{graph.KindChunk, graph.KindDocument}:      Part,
}

// kindOf returns the kind of a node.
func (s *Snapshot) kindOf(node uint32) graph.Kind {
	for _, k := range s.sections {
		if node < k.to {
			return k.kind
		}
	}
	return ""
}
