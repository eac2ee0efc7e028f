package lazy

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A scope is the chunks of a scope in the order of their similarity to a question, with
// their communities.
type scope struct {
	Chunks []chunk
	Labels map[string]string // of communities, by key

	reader retrieve.Reader
}

// newScope finds the communities of ranked chunks. It needs no reports. The reader must be
// pinned.
func newScope(ctx context.Context, r retrieve.Reader, found retrieve.Ranking) (scope, error) {
	out := scope{Labels: map[string]string{}, reader: r}
	paths := map[string][]neo4jstore.CommunityPath{}
	keys := retrieve.ScoredKeys(found.Chunks)
	for _, c := range r.Corpora {
		read, err := r.Store.CommunityPaths(ctx, c.Name, c.Generation, retrieve.KeysOfCorpus(c.Name, keys))
		if err != nil {
			return scope{}, err
		}
		for _, p := range read {
			paths[p.Chunk] = append(paths[p.Chunk], p)
			for _, k := range p.Communities {
				out.Labels[k.Key] = k.Label
			}
		}
	}
	for _, c := range found.Chunks {
		share := 0.
		if best := found.Chunks[0].Score; best > 0 {
			share = c.Score / best
		}
		out.Chunks = append(out.Chunks, chunk{Key: c.Key, Score: share, Communities: mainPath(paths[c.Key])})
	}
	return out, nil
}

// rankMany ranks at most a number of chunks by full text and by vectors: with an embedding model
// by both, without one first those that full text finds. The score of a chunk that only hashed
// vectors find is 0.
func rankMany(ctx context.Context, r retrieve.Reader, question string, limit int) (retrieve.Ranking, error) {
	found, err := r.SearchChunks(ctx, question, retrieve.Tuning{"hits": float64(limit)}, retrieve.PathText)
	if err != nil {
		return found, err
	}
	near, err := r.SearchByMean(ctx, []string{question}, limit)
	switch {
	case ctx.Err() != nil:
		return found, ctx.Err()
	case err != nil:
		found.Notes = append(found.Notes, retrieve.NotEmbedded(err))
	case slices.ContainsFunc(r.Corpora, func(c retrieve.Corpus) bool { return c.Embedder == nil }):
		seen := map[string]bool{}
		for _, c := range found.Chunks {
			seen[c.Key] = true
		}
		for _, c := range near.Chunks {
			if c.Score = 0; !seen[c.Key] {
				found.Chunks = append(found.Chunks, c)
			}
		}
	default:
		found = found.WithVectors(near, retrieve.VectorWeight)
	}
	found.Chunks = found.Chunks[:min(limit, len(found.Chunks))]
	return found, nil
}

// mainPath goes from the root that most entities of a chunk belong to down to that child that
// most of these belong to, and so on.
func mainPath(paths []neo4jstore.CommunityPath) []string {
	var out []string
	for {
		entities := map[string]int{}
		for _, p := range paths {
			if len(p.Communities) > len(out) {
				entities[p.Communities[len(out)].Key] += p.Entities
			}
		}
		best := ""
		for key, n := range entities {
			if best == "" || cmp.Or(cmp.Compare(n, entities[best]), strings.Compare(best, key)) > 0 {
				best = key
			}
		}
		if best == "" {
			return out
		}
		at := len(out)
		paths = slices.DeleteFunc(slices.Clone(paths), func(p neo4jstore.CommunityPath) bool {
			return len(p.Communities) <= at || p.Communities[at].Key != best
		})
		out = append(out, best)
	}
}

// Neighbours returns the chunks of the scope before and after relevant ones in their documents
// that were not tested, each once.
func (s scope) Neighbours(ctx context.Context, found walkResult) ([]chunk, error) {
	scores := map[string]float64{}
	for _, c := range s.Chunks {
		scores[c.Key] = c.Score
	}
	keys := make([]string, len(found.Relevant))
	for i, c := range found.Relevant {
		keys[i] = c.Key
	}
	var out []chunk
	seen := map[string]bool{}
	for _, c := range s.reader.Corpora {
		own := retrieve.KeysOfCorpus(c.Name, keys)
		neighbours, err := s.reader.Store.ChunkNeighbours(ctx, c.Name, own)
		if err != nil {
			return nil, err
		}
		for _, key := range own {
			for _, n := range slices.Sorted(slices.Values(neighbours[key])) {
				_, tested := found.Tested[n]
				// A neighbour is of the same document, so only a filter of chunks can exclude it.
				if tested || seen[n] || c.Filter != nil && c.Filter.Chunks != nil && !slices.Contains(c.Filter.Chunks, n) {
					continue
				}
				seen[n] = true
				out = append(out, chunk{Key: n, Score: scores[n]})
			}
		}
	}
	return out, nil
}
