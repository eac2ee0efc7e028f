package query

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/rank"
	"github.com/neorag/neorag/internal/textproc"
)

// hitLimit is how many hits each view of the full-text search gives.
const hitLimit = 300

// Retrieved is what the search of a method found, in the order of its worth for
// the question: documents by key, and chunks by key.
type Retrieved struct {
	Documents []rank.Scored
	Chunks    []rank.Scored
	Notes     []string // what a person should know of the search
}

// Retrieve runs the search of a method and answers nothing: what can be measured
// against known evidence without a model that writes.
func (e *Engine) Retrieve(ctx context.Context, q Question) (Retrieved, error) {
	q = q.withDefaults()
	if q.Text = strings.TrimSpace(q.Text); q.Text == "" {
		return Retrieved{}, ErrNoQuestion
	}
	m := methods[q.Method]
	if m.retrieve == nil {
		return Retrieved{}, fmt.Errorf("retrieve: %w %q: choose one of %s", ErrUnknownMethod, q.Method, strings.Join(RetrievalMethods(), ", "))
	}
	for name := range q.Tuning {
		if !slices.Contains(m.tunes, name) {
			return Retrieved{}, fmt.Errorf("retrieve by %s: no setting %q: choose one of %s", q.Method, name, strings.Join(Tunes(q.Method), ", "))
		}
	}
	reader, err := e.scope(ctx, m, q.Filter)
	if err != nil {
		return Retrieved{}, fmt.Errorf("retrieve by %s: %w", q.Method, err)
	}
	if reader, err = reader.Pin(ctx); err != nil {
		return Retrieved{}, err
	}
	found, err := m.retrieve(ctx, request{Question: q, options: e.options, reader: reader})
	if err != nil {
		return Retrieved{}, fmt.Errorf("retrieve by %s: %w", q.Method, err)
	}
	return found, nil
}

// searchTunes are the settings of search: the weights of its views and of a
// document's length, and how many hits each view gives.
var searchTunes = []string{"passage", "document", "lead", "pair", "length", "hits"}

// search finds by words: terms, word pairs, documents and leads in full text,
// summed in Go. It needs no model and costs one round trip.
func (r Reader) search(ctx context.Context, q Question) (Retrieved, error) {
	asked := textproc.ReadQuestion(q.Text)
	found := neo4jstore.SearchResult{PassageCounts: map[string]int{}}
	for _, c := range r.corpora {
		own, err := r.store.Search(ctx, c.Name, neo4jstore.SearchQuery{
			Terms: asked.Lucene(), Pairs: asked.LucenePairs(), Limit: int(q.tuned("hits", hitLimit)), Scope: c.Filter,
		})
		if err != nil {
			return Retrieved{}, err
		}
		join(&found, own)
	}
	w := q.weights()
	return Retrieved{Documents: rankDocuments(found, w), Chunks: rankChunks(found, w)}, nil
}

// join takes the hits of another corpus. Those who rank them do not look at their order.
func join(to *neo4jstore.SearchResult, from neo4jstore.SearchResult) {
	to.Passages = append(to.Passages, from.Passages...)
	to.Pairs = append(to.Pairs, from.Pairs...)
	to.Documents = append(to.Documents, from.Documents...)
	to.Leads = append(to.Leads, from.Leads...)
	maps.Copy(to.PassageCounts, from.PassageCounts)
}

// byHitScore joins the hits of two corpora, best first.
func byHitScore(a, b []neo4jstore.Hit) []neo4jstore.Hit {
	all := slices.Concat(a, b)
	slices.SortStableFunc(all, func(a, b neo4jstore.Hit) int { return cmp.Compare(b.Score, a.Score) })
	return all
}

// tuned is a setting of the search, or its default.
func (q Question) tuned(name string, standard float64) float64 {
	if v, ok := q.Tuning[name]; ok {
		return v
	}
	return standard
}

func (q Question) weights() rank.Weights {
	d := rank.DefaultWeights
	return rank.Weights{
		Passage: q.tuned("passage", d.Passage), Document: q.tuned("document", d.Document), Lead: q.tuned("lead", d.Lead),
		Pair: q.tuned("pair", d.Pair), Length: q.tuned("length", d.Length),
	}
}

// nearest ranks chunks for a question: by their vectors where the corpus has
// those of a model, else as search does. Documents are in the order of their
// best chunk then. Of several corpora all must have such vectors, since scores
// of words and vectors do not compare.
func (r Reader) nearest(ctx context.Context, q Question) (Retrieved, error) {
	var hits []neo4jstore.Hit
	for _, c := range r.corpora {
		if c.Embedder == nil {
			return r.search(ctx, q)
		}
		vectors, err := c.Embedder.Embed(ctx, []string{q.Text})
		switch {
		case err != nil && ctx.Err() != nil:
			return Retrieved{}, err
		case err != nil:
			found, serr := r.search(ctx, q)
			found.Notes = append(found.Notes, "The question could not be embedded, so that chunks were found by their words: "+err.Error())
			return found, serr
		}
		own, err := r.store.NearestInScope(ctx, c.Name, c.Filter, vectors[0], candidateChunks)
		if err != nil {
			return Retrieved{}, err
		}
		hits = byHitScore(hits, own)
	}
	return byVector(hits), nil
}

func byVector(hits []neo4jstore.Hit) Retrieved {
	var out Retrieved
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

func rankDocuments(found neo4jstore.SearchResult, w rank.Weights) []rank.Scored {
	return rank.Combine(rank.Views{
		Passages: hits(found.Passages, byDocument), Pairs: hits(found.Pairs, byDocument),
		Documents: hits(found.Documents, byDocument), Leads: hits(found.Leads, byDocument),
	}, found.PassageCounts, w)
}

// rankChunks scores a chunk as its document is scored, but with its own best passage.
func rankChunks(found neo4jstore.SearchResult, w rank.Weights) []rank.Scored {
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
	spread := func(list []neo4jstore.Hit) []rank.Hit {
		var out []rank.Hit
		for _, h := range list {
			for _, c := range chunks[h.Document] {
				out = append(out, rank.Hit{Key: h.Key, Owner: c, Score: h.Score})
			}
		}
		return out
	}
	return rank.Combine(rank.Views{
		Passages: hits(found.Passages, byOwner), Pairs: hits(found.Pairs, byOwner),
		Documents: spread(found.Documents), Leads: spread(found.Leads),
	}, counts, w)
}

func byDocument(h neo4jstore.Hit) string { return h.Document }
func byOwner(h neo4jstore.Hit) string    { return h.Owner }

func hits(list []neo4jstore.Hit, owner func(neo4jstore.Hit) string) []rank.Hit {
	out := make([]rank.Hit, len(list))
	for i, h := range list {
		out[i] = rank.Hit{Key: h.Key, Owner: owner(h), Score: h.Score}
	}
	return out
}
