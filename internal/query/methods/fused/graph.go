package fused

import (
	"math"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/retrieve/snapshot"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// addGraph adds the features of pairs, reports, entities, facts and the graph to the features of texts.
// Only the question as a whole has them.
func (f *fusion) addGraph(s *partSearch) {
	f.addPairs(s)
	if len(f.reports) > 0 {
		f.add(s, f.cited(), func(e *rank.Features) *float64 { return &e.Reports })
	}
	seeds := map[uint32]float64{}
	if f.weights.Entities != 0 || f.weights.Graph != 0 {
		mentions := f.entities(seeds)
		f.add(s, mentions, func(e *rank.Features) *float64 { return &e.Entities })
	}
	if f.weights.Facts != 0 || f.weights.Graph != 0 {
		f.add(s, f.facts(seeds, s.hits.Relationships, s.hits.RelationshipVectors), func(e *rank.Features) *float64 { return &e.Facts })
	}
	if f.weights.Graph != 0 && len(seeds) > 0 {
		f.add(s, f.spread(s, seeds), func(e *rank.Features) *float64 { return &e.Graph })
	}
}

// add adds scores of chunks to their features, and the best, or for entities the sum of those
// that a document mentions, to the features of documents.
func (f *fusion) add(s *partSearch, scores chunkScores, part func(*rank.Features) *float64) {
	for key, score := range scores.chunks {
		if e := s.chunks[key]; e != nil {
			*part(e) = score
		}
	}
	for key, score := range scores.documents {
		if e := s.documents[key]; e != nil {
			*part(e) = score
		}
	}
}

// chunkScores are scores of chunks and documents by key.
type chunkScores struct{ chunks, documents map[string]float64 }

func newChunkScores() chunkScores { return chunkScores{map[string]float64{}, map[string]float64{}} }

// entities returns the share of the question's entities that chunks and documents mention, by
// rarity, and adds the entities to the seeds.
func (f *fusion) entities(seeds map[uint32]float64) chunkScores {
	out := newChunkScores()
	from, to := f.graph.Range(graph.KindChunk)
	total := 0.
	for _, name := range retrieve.CandidateNames(f.corpus.Name, f.Text) {
		node, ok := f.graph.Node(graph.KindEntity, name.Key)
		if !ok {
			continue
		}
		chunks := f.chunksOf(node)
		if len(chunks) == 0 {
			continue
		}
		rarity := math.Log(float64(1+to-from) / float64(len(chunks)))
		total += rarity
		seeds[node] += rarity / float64(len(chunks))
		seen := map[string]bool{}
		for _, c := range chunks {
			key := f.graph.Key(c)
			out.chunks[key] += rarity
			if d, ok := f.graph.DocumentOf(key); ok && !seen[d] {
				seen[d] = true
				out.documents[d] += rarity
			}
		}
	}
	for _, scores := range []map[string]float64{out.chunks, out.documents} {
		for key := range scores {
			scores[key] /= max(total, 1e-9)
		}
	}
	return out
}

// chunksOf returns the chunks that mention an entity or a relationship.
func (f *fusion) chunksOf(node uint32) []uint32 {
	var chunks []uint32
	f.graph.Neighbours(node, func(neighbour uint32, kind uint8, _ float32) {
		if kind == snapshot.Mentioned || kind == snapshot.Stated {
			chunks = append(chunks, neighbour)
		}
	})
	return chunks
}

// facts returns the score of the best relationship that each chunk states, relative to the
// best hit of its list, and adds the ends of relationships to the seeds.
func (f *fusion) facts(seeds map[uint32]float64, lists ...[]neo4jstore.Hit) chunkScores {
	out := newChunkScores()
	for _, hits := range lists {
		for _, h := range hits[:min(factHits, len(hits))] {
			if node, ok := f.graph.Node(graph.KindRelationship, h.Key); ok {
				f.fact(node, h.Score/hits[0].Score, seeds, out)
			}
		}
	}
	return out
}

// fact adds a relationship with its score to the chunks that state it, and its ends to the seeds.
func (f *fusion) fact(node uint32, score float64, seeds map[uint32]float64, out chunkScores) {
	f.graph.Neighbours(node, func(neighbour uint32, kind uint8, _ float32) {
		switch kind {
		case snapshot.End:
			seeds[neighbour] += score / float64(1+f.graph.Degree(neighbour))
		case snapshot.Stated:
			out.best(f, f.graph.Key(neighbour), score)
		}
	})
}

// best keeps the best score of a chunk and its document.
func (o chunkScores) best(f *fusion, chunk string, score float64) {
	o.chunks[chunk] = max(o.chunks[chunk], score)
	if d, ok := f.graph.DocumentOf(chunk); ok {
		o.documents[d] = max(o.documents[d], score)
	}
}

// spread returns the personalised PageRank of the chunks that were compared with the question,
// relative to the best. A small part of the walks starts at these chunks.
func (f *fusion) spread(s *partSearch, seeds map[uint32]float64) chunkScores {
	total := 0.
	list := make([]rank.Seed, 0, len(seeds)+len(s.chunks))
	for node, weight := range seeds { // PageRank sorts them
		list = append(list, rank.Seed{Node: node, Weight: weight})
	}
	for _, weight := range sortedValues(seeds) {
		total += weight
	}
	nodes := make(map[string]uint32, len(s.chunks))
	for key, e := range s.chunks {
		if node, ok := f.graph.Node(graph.KindChunk, key); ok {
			nodes[key] = node
			list = append(list, rank.Seed{Node: node, Weight: float64(graphSimilar * total * e.Passage)})
		}
	}
	scores := f.graph.PageRank(list, rank.PageRankOptions{})
	out := newChunkScores()
	top := 0.
	for _, node := range nodes {
		top = max(top, scores[node])
	}
	for key, node := range nodes {
		if top > 0 {
			out.best(f, key, scores[node]/top)
		}
	}
	return out
}

// addVectors adds how near the nearest chunks are to the question, and for each document its nearest.
func (f *fusion) addVectors(s *partSearch) {
	near := newChunkScores()
	for _, h := range rank.MinMax(retrieve.ByVector(s.hits.ChunkVectors).Chunks) {
		near.best(f, h.Key, h.Score)
	}
	f.add(s, near, func(e *rank.Features) *float64 { return &e.Vectors })
}
