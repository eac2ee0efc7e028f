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

// A PairQuery is a search of the query-centric graph. The zero value of each setting means the
// setting of the corpus.
type PairQuery struct {
	Question   string
	Node       string  // one of Nodes; empty means pair
	Seeds      int     // most nodes that the question finds
	Gamma      float64 // least score of these on qcg.PaperScale, which is calibrated for the corpus
	Hops       int     // edges that are followed; negative means none
	Neighbours int     // of a node that are followed at most
}

// A hit is a node that a search found.
type hit struct {
	Key, Query, Answer string // Query is empty for a sentence
	Chunk, Document    string // keys
	Title              string // of the document
	ChunkIndex         int
	Score              float64 // cosine plus one
	Hop                int
}

// A PairScale is how a search was set for a corpus.
type PairScale struct {
	Corpus, Preset string
	Seeds          int
	Gamma          float64   // as asked for
	Least          float64   // the same, on the scale of the corpus
	Scale          qcg.Scale // of the corpus

	sentences bool // the corpus has sentences with vectors
}

// A PairSearch is what a search of the query-centric graph finds, each kind best first.
type PairSearch struct {
	Retrieved []hit // by the question
	Added     []hit // by following edges
	Chunks    []qcg.ChunkScore
	Scales    []PairScale
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
func SearchPairs(ctx context.Context, r retrieve.Reader, q PairQuery) (PairSearch, error) {
	var out PairSearch
	var seeds, all []hit
	most := 0
	for _, c := range r.Corpora {
		scale, err := pairScale(ctx, r, c, q)
		if err != nil {
			return out, err
		}
		vector, err := c.Embed(ctx, q.Question)
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
		out.Scales = append(out.Scales, scale)
		most = max(most, scale.Seeds)
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
			at := slices.IndexFunc(out.Scales, func(s PairScale) bool { return s.Corpus == graph.CorpusOf(h.Key) })
			score = out.Scales[at].Scale.OnPaperScale(score)
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

// pairScale returns how a corpus is searched.
func pairScale(ctx context.Context, r retrieve.Reader, c retrieve.Corpus, q PairQuery) (PairScale, error) {
	corpus, err := r.CorpusWith(ctx, c.Name, neo4jstore.ArtifactQueries)
	if err != nil {
		return PairScale{}, err
	}
	preset, err := qcg.FindPreset(corpus.Queries.Preset)
	if err != nil { // of a later version
		preset, _ = qcg.FindPreset("")
	}
	scale := qcg.Scale{Unrelated: corpus.Queries.Unrelated, Near: corpus.Queries.Near}
	gamma := cmp.Or(q.Gamma, preset.Gamma)
	return PairScale{
		Corpus: c.Name, Preset: preset.Name, Seeds: cmp.Or(q.Seeds, preset.Seeds), Gamma: gamma, Least: scale.Calibrate(gamma), Scale: scale, sentences: corpus.Has(neo4jstore.ArtifactSentences),
	}, nil
}

// hops returns how many edges are followed.
func (q PairQuery) hops() int {
	if q.Hops == 0 {
		return qcg.DefaultHops
	}
	return max(0, q.Hops)
}

// searchPairs searches the pairs of a corpus in the store.
func searchPairs(ctx context.Context, r retrieve.Reader, c retrieve.Corpus, q PairQuery, scale PairScale, vector []float32) ([]hit, error) {
	hits, err := r.Store.SearchQueries(ctx, c.Name, neo4jstore.QuerySearch{
		Vector: vector, Least: scale.Least - 1, Limit: scale.Seeds, Hops: q.hops(), Neighbours: q.Neighbours, Scope: c.Filter,
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

func pairHit(h neo4jstore.QueryHit) hit {
	return hit{
		Key: h.Key, Query: h.Query, Answer: h.Answer, Chunk: h.Chunk, Document: h.Document, Title: h.Title, ChunkIndex: h.ChunkIndex,
		Score: 1 + h.Cosine, Hop: h.Hop,
	}
}
