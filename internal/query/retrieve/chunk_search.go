package retrieve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
)

const (
	// LexicalHits is the number of hits of each view of a full-text search.
	LexicalHits = 300
	// CandidateChunks is the number of best chunks that a context of chunks is packed
	// from. A vector search returns as many hits.
	CandidateChunks = 60

	// VectorWeight is the weight of vectors next to full text. It was chosen with a small embedding
	// model: .15 to 1 were tried.
	VectorWeight = .5
)

// Tuning holds settings of a search by name, for measurements. TuningNames and others list
// the names; a setting that is missing has its default.
type Tuning map[string]float64

// ViewNames are the settings of the ranking by full text: the weights of its views and of a
// document's length.
var ViewNames = []string{"document", "lead", "length", "pair", "passage"}

// TuningNames returns the settings of SearchChunks: the weights of the views of full text, the hits
// of each view, and the weight of vectors next to full text.
func TuningNames() []string { return append([]string{"hits", "vectors"}, ViewNames...) }

// Value returns a setting, or its default.
func (t Tuning) Value(name string, standard float64) float64 {
	if v, ok := t[name]; ok {
		return v
	}
	return standard
}

func (t Tuning) weights() rank.Weights {
	d := rank.DefaultWeights
	return rank.Weights{
		Passage: t.Value("passage", d.Passage), Document: t.Value("document", d.Document), Lead: t.Value("lead", d.Lead),
		Pair: t.Value("pair", d.Pair), Length: t.Value("length", d.Length),
	}
}

// The paths by which SearchChunks finds chunks.
const (
	PathText    = "text"
	PathVectors = "vectors" // of an embedding model
)

// ErrNoVectors means that a corpus is to be searched by vectors of a model and has none.
var ErrNoVectors = errors.New("no embedding model made vectors of its chunks")

// SearchChunks ranks chunks for a question by some paths, by default by all that every corpus
// of the scope has: by words, and by vectors if a model embedded them. The scores of both are
// scaled and added: fused by rank, vectors that rank worse than words cost more than they add.
// When the question cannot be embedded, it searches by words and says so in a note.
func (r Reader) SearchChunks(ctx context.Context, question string, tuning Tuning, paths ...string) (Ranking, error) {
	byVectors := len(paths) == 0 || slices.Contains(paths, PathVectors)
	for _, c := range r.Corpora {
		if c.Embedder == nil && byVectors && len(paths) > 0 {
			return Ranking{}, fmt.Errorf("search corpus %s by vectors: %w", c.Name, ErrNoVectors)
		}
		byVectors = byVectors && c.Embedder != nil
	}
	if !byVectors {
		return r.lexicalSearch(ctx, question, tuning)
	}
	near, note, err := r.vectorSearch(ctx, question)
	if err != nil || note == "" && len(paths) == 1 {
		return near, err
	}
	found, err := r.lexicalSearch(ctx, question, tuning)
	if note != "" {
		found.Notes = append(found.Notes, note)
		return found, err
	}
	return found.WithVectors(near, tuning.Value("vectors", VectorWeight)), err
}

// vectorSearch ranks chunks by their vectors, and documents by their best chunk. The note says
// why the question could not be embedded.
func (r Reader) vectorSearch(ctx context.Context, question string) (found Ranking, note string, err error) {
	var hits []neo4jstore.Hit
	for _, c := range r.Corpora {
		vectors, err := c.Embedder.Embed(ctx, []string{question})
		switch {
		case err != nil && ctx.Err() != nil:
			return Ranking{}, "", err
		case err != nil:
			return Ranking{}, NotEmbedded(err), nil
		}
		own, err := r.Store.NearestInScope(ctx, c.Name, c.Filter, vectors[0], CandidateChunks)
		if err != nil {
			return Ranking{}, "", err
		}
		hits = ByHitScore(hits, own)
	}
	return ByVector(hits), "", nil
}

// WithVectors adds a ranking by vectors to one by full text.
func (r Ranking) WithVectors(near Ranking, weight float64) Ranking {
	return Ranking{
		Documents: withVectors(r.Documents, near.Documents, weight), Chunks: withVectors(r.Chunks, near.Chunks, weight),
		Notes: slices.Concat(near.Notes, r.Notes),
	}
}

// withVectors adds the scores of a ranking by vectors, from 0 to a weight, to the scores of one by full
// text, whose best score counts 1. The best of both gets the score 1.
func withVectors(found, near []rank.Scored, weight float64) []rank.Scored {
	if weight <= 0 || len(near) == 0 {
		return found
	}
	return rank.Boost(rank.Boost(found, rank.MinMax(near), weight), nil, 0)
}

// lexicalSearch ranks by terms, word pairs, documents and leads in full text. It
// takes one round trip for each corpus and no model.
func (r Reader) lexicalSearch(ctx context.Context, question string, tuning Tuning) (Ranking, error) {
	asked := textproc.ReadQuestion(question)
	found := neo4jstore.SearchResult{PassageCounts: map[string]int{}}
	for _, c := range r.Corpora {
		own, err := r.Store.Search(ctx, c.Name, neo4jstore.SearchQuery{
			Terms: asked.Lucene(), Pairs: asked.LuceneTermPairs(), Limit: int(tuning.Value("hits", LexicalHits)), Scope: c.Filter,
		})
		if err != nil {
			return Ranking{}, err
		}
		joinHits(&found, own)
	}
	w := tuning.weights()
	return Ranking{Documents: RankDocuments(found, w), Chunks: RankChunks(found, w)}, nil
}

// joinHits appends the hits of another corpus. Their order does not matter for ranking.
func joinHits(to *neo4jstore.SearchResult, from neo4jstore.SearchResult) {
	to.Passages = append(to.Passages, from.Passages...)
	to.Pairs = append(to.Pairs, from.Pairs...)
	to.Documents = append(to.Documents, from.Documents...)
	to.Leads = append(to.Leads, from.Leads...)
	maps.Copy(to.PassageCounts, from.PassageCounts)
}

// ByHitScore joins the hits of two corpora, best first.
func ByHitScore(a, b []neo4jstore.Hit) []neo4jstore.Hit {
	all := slices.Concat(a, b)
	slices.SortStableFunc(all, func(a, b neo4jstore.Hit) int { return cmp.Compare(b.Score, a.Score) })
	return all
}

// ByVector ranks chunks by their hits, and documents by their best chunk.
func ByVector(hits []neo4jstore.Hit) Ranking {
	var out Ranking
	seen := map[string]bool{}
	for _, h := range hits {
		out.Chunks = append(out.Chunks, rank.Scored{Key: h.Key, Score: h.Score})
		if !seen[h.Document] {
			seen[h.Document] = true
			out.Documents = append(out.Documents, rank.Scored{Key: h.Document, Score: h.Score})
		}
	}
	return out
}

// RankDocuments scores documents by the hits of all views.
func RankDocuments(found neo4jstore.SearchResult, w rank.Weights) []rank.Scored {
	return rank.Combine(rank.Views{
		Passages: ownedHits(found.Passages, byDocument), Pairs: ownedHits(found.Pairs, byDocument),
		Documents: ownedHits(found.Documents, byDocument), Leads: ownedHits(found.Leads, byDocument),
	}, found.PassageCounts, w)
}

// RankChunks scores a chunk as its document is scored, but with its own best passage.
func RankChunks(found neo4jstore.SearchResult, w rank.Weights) []rank.Scored {
	chunks := map[string][]string{} // by document
	counts := map[string]int{}
	seen := map[string]bool{}
	for _, list := range [][]neo4jstore.Hit{found.Passages, found.Pairs} {
		for _, h := range list {
			if !seen[h.Owner] {
				seen[h.Owner] = true
				chunks[h.Document] = append(chunks[h.Document], h.Owner)
				counts[h.Owner] = found.PassageCounts[h.Document]
			}
		}
	}
	toChunks := func(list []neo4jstore.Hit) []rank.Hit { // a document's hit counts for each of its chunks
		var out []rank.Hit
		for _, h := range list {
			for _, c := range chunks[h.Document] {
				out = append(out, rank.Hit{Key: h.Key, Owner: c, Score: h.Score})
			}
		}
		return out
	}
	return rank.Combine(rank.Views{
		Passages: ownedHits(found.Passages, byOwner), Pairs: ownedHits(found.Pairs, byOwner),
		Documents: toChunks(found.Documents), Leads: toChunks(found.Leads),
	}, counts, w)
}

func byDocument(h neo4jstore.Hit) string { return h.Document }
func byOwner(h neo4jstore.Hit) string    { return h.Owner }

// ownedHits converts hits for package rank, each with the key that it counts for.
func ownedHits(list []neo4jstore.Hit, owner func(neo4jstore.Hit) string) []rank.Hit {
	out := make([]rank.Hit, len(list))
	for i, h := range list {
		out[i] = rank.Hit{Key: h.Key, Owner: owner(h), Score: h.Score}
	}
	return out
}
