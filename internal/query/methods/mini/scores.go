package mini

import (
	"cmp"
	"maps"
	"slices"

	"github.com/neorag/neorag/internal/query/retrieve/snapshot"
)

// What MiniRAG takes.
const (
	miniNeighbours = 10 // of an entity, by weight; the paper takes all
	miniChunks     = 3  // of each candidate
	miniFew        = 5  // chunks of an entity, above which the half nearest to the question counts
)

// A pathGraph is a snapshot.Snapshot.
type pathGraph interface {
	Neighbours(node uint32, each func(neighbour uint32, kind uint8, weight float32))
}

// newPathScorer returns a scorer of paths that lead to the chunks that may be read.
func newPathScorer(g pathGraph, inScope func(chunk uint32) bool) *pathScorer {
	return &pathScorer{
		graph: g, inScope: inScope, answers: map[uint32]bool{}, near: map[[2]uint32][]uint32{}, similar: map[uint32]float64{},
		chunks: map[uint32][]uint32{}, neighbours: map[uint32][]uint32{},
	}
}

// A pathScorer scores the paths of one or two edges between entities (MiniRAG, section 3.2):
// a path counts more for each entity of a type that the answer may have, and for each
// relationship near to the question.
type pathScorer struct {
	graph   pathGraph
	answers map[uint32]bool        // entities of the types of the answer
	near    map[[2]uint32][]uint32 // relationships near to the question, by their ends, the lower first
	similar map[uint32]float64     // of chunks with the question
	inScope func(chunk uint32) bool

	chunks     map[uint32][]uint32 // of entities and relationships, that count
	neighbours map[uint32][]uint32 // of entities, the heaviest
}

// related returns the heaviest neighbours of an entity.
func (p *pathScorer) related(entity uint32) []uint32 {
	if own, known := p.neighbours[entity]; known {
		return own
	}
	weights := map[uint32]float32{}
	p.graph.Neighbours(entity, func(n uint32, kind uint8, weight float32) {
		if kind == snapshot.Related {
			weights[n] += weight
		}
	})
	out := slices.SortedFunc(maps.Keys(weights), func(a, b uint32) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(a, b))
	})
	out = out[:min(miniNeighbours, len(out))]
	p.neighbours[entity] = out
	return out
}

// paths returns the paths from an entity.
func (p *pathScorer) paths(from uint32) (all [][]uint32) {
	for _, one := range p.related(from) {
		all = append(all, []uint32{from, one})
		for _, two := range p.related(one) {
			if two != from {
				all = append(all, []uint32{from, one, two})
			}
		}
	}
	return all
}

// A scoredNode is a node with its score.
type scoredNode struct {
	node  uint32
	score float64
}

// best returns the chunks that paths from an entity lead to, best first, and the number of
// paths. A chunk scores for each path of each entity that it mentions, and of each near
// relationship that it states. An entity without a path leads to its own chunks.
func (p *pathScorer) best(from uint32) (chunks []scoredNode, paths int) {
	all := p.paths(from)
	weights := map[uint32]float64{}
	for _, path := range all {
		score, stated := p.score(path)
		for _, node := range slices.Concat(path, stated) {
			weights[node] += score
		}
	}
	if len(all) == 0 {
		weights[from] = 1
	}
	scores := map[uint32]float64{}
	for node, weight := range weights { // whole numbers: their sums do not depend on the order
		for _, chunk := range p.chunksOf(node) {
			scores[chunk] += weight
		}
	}
	for chunk, score := range scores {
		chunks = append(chunks, scoredNode{chunk, score})
	}
	slices.SortFunc(chunks, func(a, b scoredNode) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(p.similar[b.node], p.similar[a.node]), cmp.Compare(a.node, b.node))
	})
	return chunks[:min(miniChunks, len(chunks))], len(all)
}

// score returns 1, and 1 more for each answer and each near relationship of a path, which it
// returns too.
func (p *pathScorer) score(path []uint32) (score float64, stated []uint32) {
	score = 1
	for i, node := range path {
		if p.answers[node] {
			score++
		}
		if i > 0 {
			near := p.near[pair(path[i-1], node)]
			score += float64(len(near))
			stated = append(stated, near...)
		}
	}
	return score, stated
}

// pair returns the ends of an edge, the lower one first.
func pair(a, b uint32) [2]uint32 { return [2]uint32{min(a, b), max(a, b)} }

// chunksOf returns the chunks of the scope that mention an entity or state a relationship: if
// there are many, the half that is nearest to the question.
func (p *pathScorer) chunksOf(node uint32) []uint32 {
	if own, known := p.chunks[node]; known {
		return own
	}
	var own []uint32
	p.graph.Neighbours(node, func(n uint32, kind uint8, _ float32) {
		if (kind == snapshot.Mentioned || kind == snapshot.Stated) && p.inScope(n) {
			own = append(own, n)
		}
	})
	slices.SortFunc(own, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(p.similar[b], p.similar[a]), cmp.Compare(a, b))
	})
	if len(own) > miniFew {
		own = own[:max(miniFew, len(own)/2)]
	}
	p.chunks[node] = own
	return own
}
