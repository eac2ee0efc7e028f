package qcg

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/stage/qcg"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// What a search of the query-centric graph compares the question with (QCG-RAG, section 4.2).
const (
	NodePair     = "pair" // question and answer of a pair
	NodeQuery    = "query"
	NodeAnswer   = "answer"
	NodeSentence = "sentence"
)

// Nodes returns the node choices, the default first.
func Nodes() []string { return []string{NodePair, NodeQuery, NodeAnswer, NodeSentence} }

// ErrNodes means that a corpus has no vectors for a node choice.
var ErrNodes = errors.New("no vectors for these nodes")

// A hit is a node that a search found. Its query is empty for a sentence.
type hit struct {
	neo4jstore.QueryHit

	Score float64 // cosine plus one
}

// A scale is how a corpus is searched.
type scale struct {
	PairSettings

	sentences bool // the corpus has sentences with vectors
}

// A PairSearch is what a search of the query-centric graph finds, each kind best first.
type PairSearch struct {
	Retrieved []hit // by the question
	Added     []hit // by following edges
	Chunks    []qcg.ChunkScore
	Settings  []PairSettings // of each corpus
}

// Ranking returns the chunks, and their documents by the best chunk of each.
func (s PairSearch) Ranking() retrieve.Ranking {
	documents := map[string]string{}
	for _, h := range slices.Concat(s.Retrieved, s.Added) {
		documents[h.Chunk] = h.Document
	}
	hits := make([]neo4jstore.Hit, len(s.Chunks))
	for i, c := range s.Chunks {
		hits[i] = neo4jstore.Hit{Key: c.Chunk, Document: documents[c.Chunk], Score: c.Score - 1}
	}
	return retrieve.ByVector(hits)
}

// SearchPairs searches the query-centric graphs of all corpora: the nodes nearest to the
// question, then those up to some edges away. The score of a chunk is the mean of the scores
// of its nodes that were found. A corpus without pairs is ErrNotIndexed.
func SearchPairs(ctx context.Context, r retrieve.Reader, question string, q Settings) (PairSearch, error) {
	var out PairSearch
	var seeds, all []hit
	most := 0
	for _, c := range r.Corpora {
		scale, err := scaleOf(ctx, r, c, q)
		if err != nil {
			return out, err
		}
		vector, err := c.Embed(ctx, question)
		if err != nil {
			return out, err
		}
		var own []hit
		if cmp.Or(q.Node, NodePair) == NodePair {
			own, err = searchPairs(ctx, r, c, q, scale, vector)
		} else {
			own, err = searchNodes(ctx, r, c, q, scale, vector)
		}
		if err != nil {
			return out, err
		}
		out.Settings = append(out.Settings, scale.PairSettings)
		most = max(most, scale.Pairs)
		all = append(all, own...)
	}
	sortPairs(all)
	for _, h := range all {
		if h.Hop == 0 {
			seeds = append(seeds, h)
		} else {
			out.Added = append(out.Added, h)
		}
	}
	out.Retrieved = seeds[:min(len(seeds), most*max(1, len(r.Corpora)))]
	hits := make([]qcg.Hit, 0, len(all))
	for _, h := range slices.Concat(out.Retrieved, out.Added) {
		score := h.Score
		if len(r.Corpora) > 1 { // their vectors may be of different embedders
			at := slices.IndexFunc(out.Settings, func(s PairSettings) bool { return s.Corpus == graph.CorpusOf(h.Key) })
			score = qcg.Scale{Unrelated: out.Settings[at].Unrelated, Near: out.Settings[at].Near}.OnPaperScale(score)
		}
		hits = append(hits, qcg.Hit{Key: h.Key, Chunk: h.Chunk, Score: score, Hop: h.Hop})
	}
	out.Chunks = qcg.ScoreChunks(hits)
	return out, nil
}

// sortPairs sorts hits by score, best first, then by key.
func sortPairs(hits []hit) {
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key)) })
}

// scaleOf returns how a corpus is searched.
func scaleOf(ctx context.Context, r retrieve.Reader, c retrieve.Corpus, q Settings) (scale, error) {
	corpus, err := r.CorpusWith(ctx, c.Name, neo4jstore.ArtifactQueries)
	if err != nil {
		return scale{}, err
	}
	preset, err := qcg.FindPreset(corpus.Queries.Preset)
	if err != nil { // of a later version
		preset, _ = qcg.FindPreset("")
	}
	gamma, of := cmp.Or(q.Gamma, preset.Gamma), qcg.Scale{Unrelated: corpus.Queries.Unrelated, Near: corpus.Queries.Near}
	return scale{PairSettings: PairSettings{
		Corpus: c.Name, Preset: preset.Name, Pairs: cmp.Or(q.Pairs, preset.Seeds), Gamma: gamma, Least: of.Calibrate(gamma), Unrelated: of.Unrelated, Near: of.Near,
	}, sentences: corpus.Has(neo4jstore.ArtifactSentences)}, nil
}

// hops returns how many edges are followed.
func (s Settings) hops() int {
	return max(0, cmp.Or(s.Hops, qcg.DefaultHops))
}

// searchPairs searches the pairs of a corpus in the store.
func searchPairs(ctx context.Context, r retrieve.Reader, c retrieve.Corpus, q Settings, scale scale, vector []float32) ([]hit, error) {
	hits, err := r.Store.SearchQueries(ctx, c.Name, neo4jstore.QuerySearch{
		Vector: vector, Least: scale.Least - 1, Limit: scale.Pairs, Hops: q.hops(), Neighbours: q.Neighbours, Scope: c.Filter,
	})
	if err != nil {
		return nil, err
	}
	return pairHits(hits), nil
}

// pairHits returns what the store found as nodes.
func pairHits(hits []neo4jstore.QueryHit) []hit {
	out := make([]hit, len(hits))
	for i, h := range hits {
		out[i] = pairHit(h)
	}
	return out
}

func pairHit(h neo4jstore.QueryHit) hit { return hit{h, 1 + h.Cosine} }
