package kgr

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
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

// A result is what KGR finds, each kind best first.
type result struct {
	Trace

	relationships []graph.Relationship
	chunks        []retrieve.Chunk
	notes         []string
}

// search searches in two layers (KG-Retriever, section 3.3): the documents nearest to the question,
// with those that are linked to them as similar, and of the entities in these documents the ones
// most similar to the question, with their relationships there and the chunks that mention them.
// Chunks that the search finds too count more. A corpus without edges between documents is
// ErrNotIndexed.
func search(ctx context.Context, q query.Request) (result, error) {
	r, out := q.Reader, result{Trace: Trace{Documents: []query.ScoredSource{}, Entities: []query.ScoredSource{}, Relationships: []query.ScoredSource{}}}
	for _, c := range r.Corpora {
		if _, err := r.CorpusWith(ctx, c.Name, neo4jstore.ArtifactDocumentLinks); err != nil {
			return out, err
		}
	}
	found, err := r.SearchChunks(ctx, q.Text, nil)
	if err != nil {
		return out, err
	}
	out.notes = found.Notes
	nearest := retrieve.ScoredKeys(found.Documents[:min(int(q.Tuning.Value("documents", kgrDocuments)), len(found.Documents))])
	entities := map[string]query.ScoredSource{}
	for _, c := range r.Corpora {
		documents, err := linkedDocuments(ctx, r, c, retrieve.KeysOfCorpus(c.Name, nearest))
		if err != nil {
			return out, err
		}
		out.Documents = append(out.Documents, documents...)
		if err := weighEntities(ctx, r, c, q.Text, documents, entities); err != nil {
			return out, err
		}
	}
	out.Entities = slices.AppendSeq(out.Entities, maps.Values(entities))
	slices.SortFunc(out.Entities, func(a, b query.ScoredSource) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key))
	})
	out.Entities = out.Entities[:min(int(q.Tuning.Value("entities", kgrEntities)), len(out.Entities))]
	return out, readTriples(ctx, r, &out, retrieve.Relative(found.Chunks, q.Tuning.Value("similar", kgrSimilar)))
}

// linkedDocuments adds to some documents those that are linked to them, as far as they may be
// read. The score of a document is 1 if the search found it, else its greatest cosine with one that it
// found.
func linkedDocuments(ctx context.Context, r retrieve.Reader, c retrieve.Corpus, keys []string) ([]query.ScoredSource, error) {
	links, err := r.Store.SimilarDocuments(ctx, c.Name, keys)
	if err != nil {
		return nil, err
	}
	var out []query.ScoredSource
	for _, key := range keys {
		out = append(out, query.ScoredSource{Key: key, Name: graph.Local(key), Score: 1})
	}
	for _, l := range links {
		if c.Filter != nil && !slices.Contains(c.Filter.Documents, l.Neighbour) {
			continue
		}
		at := slices.IndexFunc(out, func(d query.ScoredSource) bool { return d.Key == l.Neighbour })
		if at < 0 {
			at = len(out)
			out = append(out, query.ScoredSource{Key: l.Neighbour, Name: graph.Local(l.Neighbour)})
		}
		out[at].Score = max(out[at].Score, l.Cosine)
	}
	return out, nil
}

// documentScope returns the documents that are in a corpus as a scope, as far as its filter
// admits their chunks.
func documentScope(c retrieve.Corpus, documents []query.ScoredSource) neo4jstore.Scope {
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
func weighEntities(ctx context.Context, r retrieve.Reader, c retrieve.Corpus, question string, documents []query.ScoredSource, entities map[string]query.ScoredSource) error {
	weight := map[string]float64{}
	for _, d := range documents {
		weight[d.Key] = d.Score
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
		if score = float64(score * weight[e.Document]); score > entities[e.Entity.Key].Score {
			entities[e.Entity.Key] = query.ScoredSource{Key: e.Entity.Key, Name: e.Entity.Name, Score: score}
		}
	}
	return nil
}

// readTriples reads the relationships of the entities that texts of the documents state, by the
// weight of the better one of their ends, and the chunks that mention these entities.
func readTriples(ctx context.Context, r retrieve.Reader, out *result, similar map[string]float64) error {
	weights := map[string]float64{}
	keys := make([]string, len(out.Entities))
	for i, e := range out.Entities {
		keys[i], weights[e.Key] = e.Key, e.Score
	}
	all := neo4jstore.Neighborhood{Weights: map[string]float64{}}
	for _, c := range r.Corpora {
		scope := documentScope(c, out.Documents)
		near, err := r.Store.Neighborhood(ctx, c.Name, neo4jstore.NeighborhoodQuery{
			Entities: retrieve.KeysOfCorpus(c.Name, keys), Weights: weights, Similar: similar,
			MaxRelationships: kgrRelationships, MaxChunks: kgrChunks, Scope: &scope,
		})
		if err != nil {
			return err
		}
		out.relationships = append(out.relationships, near.Relationships...)
		all.Mentioned = append(all.Mentioned, near.Mentioned...)
		maps.Copy(all.Weights, near.Weights)
	}
	weight := func(r graph.Relationship) float64 { return max(weights[r.Source], weights[r.Target]) }
	slices.SortStableFunc(out.relationships, func(a, b graph.Relationship) int {
		return cmp.Or(cmp.Compare(weight(b), weight(a)), cmp.Compare(a.Key, b.Key))
	})
	for _, r := range out.relationships {
		out.Relationships = append(out.Relationships, query.ScoredSource{Key: r.Key, Name: r.SourceName + " \u2014 " + r.TargetName, Score: weight(r)})
	}
	out.chunks = retrieve.RankedChunks(all, nil)
	return nil
}
