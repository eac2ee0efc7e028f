package kgr

import (
	"context"
	"maps"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/stage/qcg"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
)

// The defaults of KG-Retriever.
const (
	kgrDocuments     = 4  // that the search for the question finds
	kgrEntities      = 20 // of these and of their neighbours
	kgrRelationships = 20 // of each entity
	kgrChunks        = 60
	kgrSimilar       = 1 // the paper shows no chunks
)

// tuningNames returns the settings of KGR.
func tuningNames() []string { return []string{"documents", "entities", "similar"} }

// A searchQuery is a question for KGR.
type searchQuery struct {
	Question string
	Tuning   retrieve.Tuning
}

// A result is what KGR finds, each kind best first.
type result struct {
	Documents     []WeighedDocument // that were searched, the search's first
	Entities      []rank.Scored
	Names         map[string]string // of Entities, by key
	Relationships []graph.Relationship
	Chunks        []retrieve.Chunk
	Notes         []string
}

// A WeighedDocument is a document with its weight: 1 if the search found it, else the cosine
// with one that it found.
type WeighedDocument struct {
	Key    string
	Weight float64
}

// search searches in two layers (KG-Retriever, section 3.3): the documents nearest to the question,
// with those that are linked to them as similar, and of the entities in these documents the ones
// most similar to the question, with their relationships there and the chunks that mention them.
// Chunks that the search finds too count more. A corpus without edges between documents is
// ErrNotIndexed.
func search(ctx context.Context, r retrieve.Reader, q searchQuery) (result, error) {
	out := result{Names: map[string]string{}}
	for _, c := range r.Corpora {
		if _, err := r.CorpusWith(ctx, c.Name, neo4jstore.ArtifactDocumentLinks); err != nil {
			return out, err
		}
	}
	found, err := r.SearchChunks(ctx, q.Question, nil)
	if err != nil {
		return out, err
	}
	out.Notes = found.Notes
	nearest := retrieve.ScoredKeys(found.Documents[:min(int(q.Tuning.Value("documents", kgrDocuments)), len(found.Documents))])
	weights := map[string]float64{}
	for _, c := range r.Corpora {
		documents, err := linkedDocuments(ctx, r, c, retrieve.KeysOfCorpus(c.Name, nearest))
		if err != nil {
			return out, err
		}
		out.Documents = append(out.Documents, documents...)
		if err := weighEntities(ctx, r, c, q.Question, documents, weights, out.Names); err != nil {
			return out, err
		}
	}
	for key, weight := range weights {
		out.Entities = append(out.Entities, rank.Scored{Key: key, Score: weight})
	}
	slices.SortFunc(out.Entities, retrieve.ByScore)
	out.Entities = out.Entities[:min(int(q.Tuning.Value("entities", kgrEntities)), len(out.Entities))]
	return out, readTriples(ctx, r, &out, retrieve.Relative(found.Chunks, q.Tuning.Value("similar", kgrSimilar)))
}

// linkedDocuments adds to some documents those that are linked to them, as far as they may be
// read. The greatest cosine counts.
func linkedDocuments(ctx context.Context, r retrieve.Reader, c retrieve.Corpus, keys []string) ([]WeighedDocument, error) {
	links, err := r.Store.SimilarDocuments(ctx, c.Name, keys)
	if err != nil {
		return nil, err
	}
	var out []WeighedDocument
	for _, key := range keys {
		out = append(out, WeighedDocument{key, 1})
	}
	for _, l := range links {
		if c.Filter != nil && !slices.Contains(c.Filter.Documents, l.Neighbour) {
			continue
		}
		at := slices.IndexFunc(out, func(d WeighedDocument) bool { return d.Key == l.Neighbour })
		if at < 0 {
			at = len(out)
			out = append(out, WeighedDocument{Key: l.Neighbour})
		}
		out[at].Weight = max(out[at].Weight, l.Cosine)
	}
	return out, nil
}

// documentScope returns the documents that are in a corpus as a scope, as far as its filter
// admits their chunks.
func documentScope(c retrieve.Corpus, documents []WeighedDocument) neo4jstore.Scope {
	scope := neo4jstore.Scope{Documents: []string{}}
	for _, d := range documents {
		if graph.CorpusOf(d.Key) == c.Name {
			scope.Documents = append(scope.Documents, d.Key)
		}
	}
	if c.Filter != nil {
		scope.Chunks = c.Filter.Chunks
	}
	return scope
}

// weighEntities adds the entities of documents: the cosine of an entity with the question times
// the weight of its document, of several the greatest. Without vectors of a model, the words of
// the question are compared with the words of the name, and of name and description.
func weighEntities(ctx context.Context, r retrieve.Reader, c retrieve.Corpus, question string, documents []WeighedDocument, weights map[string]float64, names map[string]string) error {
	weight := map[string]float64{}
	for _, d := range documents {
		weight[d.Key] = d.Weight
	}
	vector, err := c.Embed(ctx, question)
	if err != nil {
		return err
	}
	asked := vector
	if c.Embedder == nil {
		asked = nil
	}
	found, err := r.Store.DocumentEntities(ctx, c.Name, documentScope(c, documents), asked)
	if err != nil {
		return err
	}
	cosines := map[string]float64{}
	for _, e := range found {
		score, known := cosines[e.Entity.Key]
		if !known {
			if score = e.Cosine; c.Embedder == nil {
				score = max(qcg.Cosine(vector, textproc.Vector(e.Entity.Name)), qcg.Cosine(vector, textproc.Vector(e.Entity.Name+": "+e.Entity.Description)))
			}
			cosines[e.Entity.Key] = score
		}
		if score = float64(score * weight[e.Document]); score > weights[e.Entity.Key] {
			weights[e.Entity.Key], names[e.Entity.Key] = score, e.Entity.Name
		}
	}
	return nil
}

// readTriples reads the relationships of the entities that texts of the documents state, by the
// weight of the better one of their ends, and the chunks that mention these entities.
func readTriples(ctx context.Context, r retrieve.Reader, out *result, similar map[string]float64) error {
	weights := map[string]float64{}
	for _, e := range out.Entities {
		weights[e.Key] = e.Score
	}
	all := neo4jstore.Neighborhood{Weights: map[string]float64{}}
	for _, c := range r.Corpora {
		scope := documentScope(c, out.Documents)
		near, err := r.Store.Neighborhood(ctx, c.Name, neo4jstore.NeighborhoodQuery{
			Entities: retrieve.KeysOfCorpus(c.Name, retrieve.ScoredKeys(out.Entities)), Weights: weights, Similar: similar,
			MaxRelationships: kgrRelationships, MaxChunks: kgrChunks, Scope: &scope,
		})
		if err != nil {
			return err
		}
		out.Relationships = append(out.Relationships, near.Relationships...)
		all.Mentioned = append(all.Mentioned, near.Mentioned...)
		maps.Copy(all.Weights, near.Weights)
	}
	slices.SortStableFunc(out.Relationships, func(a, b graph.Relationship) int {
		return retrieve.ByScore(
			rank.Scored{Key: a.Key, Score: max(weights[a.Source], weights[a.Target])},
			rank.Scored{Key: b.Key, Score: max(weights[b.Source], weights[b.Target])},
		)
	})
	out.Chunks = retrieve.RankedChunks(all, nil)
	return nil
}
