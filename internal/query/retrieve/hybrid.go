package retrieve

import (
	"cmp"
	"context"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
)

// How many hits a hybrid search takes from each index.
const (
	textHits   = 100 // of each full-text view: three times as many give the same recall
	nodeHits   = 150 // entities, relationships and claims by their terms
	vectorHits = 40
)

// Weights of the rankings that entities are fused from, besides those of weight 1.
const (
	nameWeight      = 2
	plainNameWeight = .5
)

// Candidates are the results of a hybrid search: full text, vectors and the
// names in the question, fused into one ranking each of entities and chunks.
type Candidates struct {
	Entities   []rank.Scored
	Chunks     []rank.Scored // by text and, with a model, by vector; the best has about 1
	HasReports bool          // in every corpus of the scope
	Notes      []string      // remarks for the user

	hits  neo4jstore.HybridResult
	named []candidateName // entities that the question names with a capital letter
}

// BestCosine returns the cosine of the question's vector and that of the nearest chunk, where a
// model made the vectors; otherwise 0. A chunk may answer a question in other words or another
// language, which full text does not find.
func (c Candidates) BestCosine() float64 {
	best := 0.
	for _, h := range c.hits.ChunkVectors {
		best = max(best, h.Score)
	}
	return best
}

// HybridSearch searches all indexes, those of one corpus in one round trip.
// When the question cannot be embedded, it searches by words alone and says so
// in a note.
func (r Reader) HybridSearch(ctx context.Context, question string) (Candidates, error) {
	return r.search(ctx, search{
		texts:   map[graph.Kind]string{graph.KindChunk: question, graph.KindEntity: question, graph.KindRelationship: question, graph.KindClaim: question},
		vectors: []graph.Kind{graph.KindChunk, graph.KindEntity}, names: []string{question}, termHits: nodeHits,
	})
}

// A search is what the indexes of a corpus are searched for.
type search struct {
	texts    map[graph.Kind]string // by kind; one that is missing or empty is not searched
	vectors  []graph.Kind          // kinds that are also searched by vector
	names    []string              // texts that may name entities
	termHits int                   // of each full-text search of entities, relationships and claims
}

// search searches the indexes of all corpora.
func (r Reader) search(ctx context.Context, s search) (Candidates, error) {
	var all Candidates
	for i, c := range r.corpora {
		found, err := r.searchCorpus(ctx, c, s)
		if err != nil {
			return Candidates{}, err
		}
		if i == 0 {
			all = found
		} else {
			all.add(found)
		}
	}
	all.rankChunks(nil)
	return all, nil
}

// searchCorpus searches the indexes of one corpus, and fuses its entities.
func (r Reader) searchCorpus(ctx context.Context, c Corpus, s search) (Candidates, error) {
	var found Candidates
	asked := textproc.ReadQuestion(s.texts[graph.KindChunk])
	q := neo4jstore.HybridQuery{
		SearchQuery: neo4jstore.SearchQuery{Terms: asked.Lucene(), Pairs: asked.LucenePairs(), Limit: textHits, Scope: c.Filter},
		Nodes:       s.nodes(), TermHits: s.termHits, VectorHits: vectorHits,
	}
	var names []candidateName
	for _, text := range s.names {
		names = append(names, candidateNames(c.Name, text)...)
	}
	for _, name := range names {
		q.Names = append(q.Names, name.key)
	}
	var err error
	if q.Vectors, err = c.vectors(ctx, s, &found.Notes); err != nil {
		return found, err
	}
	if found.hits, err = r.store.HybridSearch(ctx, c.Name, q); err != nil {
		return found, err
	}
	found.HasReports = found.hits.HasReports
	found.fuseEntities(names)
	return found, nil
}

// nodes returns the full-text searches of nodes: one for kinds with the same text.
func (s search) nodes() []neo4jstore.NodeSearch {
	var out []neo4jstore.NodeSearch
	for _, kind := range []graph.Kind{graph.KindEntity, graph.KindRelationship, graph.KindClaim} {
		terms := textproc.ReadQuestion(s.texts[kind]).Lucene()
		same := slices.IndexFunc(out, func(n neo4jstore.NodeSearch) bool { return n.Terms == terms })
		if same >= 0 {
			out[same].Kinds = append(out[same].Kinds, kind)
		} else {
			out = append(out, neo4jstore.NodeSearch{Terms: terms, Kinds: []graph.Kind{kind}})
		}
	}
	return out
}

// vectors embeds the texts of a search by the corpus' model, in one call. It returns no
// vectors if the corpus has none, or if the model fails, and then adds a note.
func (c Corpus) vectors(ctx context.Context, s search, notes *[]string) (map[graph.Kind][]float32, error) {
	if c.Embedder == nil {
		return nil, nil
	}
	var texts []string
	at := map[graph.Kind]int{}
	for _, kind := range s.vectors {
		text := s.texts[kind]
		if text == "" {
			continue
		}
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
		at[kind] = slices.Index(texts, text)
	}
	vectors, err := c.Embedder.Embed(ctx, texts)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, err
	case err != nil:
		*notes = append(*notes, notEmbedded(err))
		return nil, nil
	}
	out := make(map[graph.Kind][]float32, len(at))
	for kind, i := range at {
		out[kind] = vectors[i]
	}
	return out, nil
}

// notEmbedded is the note for a question that could not be embedded.
func notEmbedded(err error) string {
	return "The question could not be embedded, so the search used its words alone: " + err.Error()
}

// add joins the candidates of another corpus. Entities are ranked by their fused
// scores, since the scores of two corpora's searches are not comparable.
func (n *Candidates) add(o Candidates) {
	h := &n.hits
	joinHits(&h.SearchResult, o.hits.SearchResult)
	h.Relationships = byHitScore(h.Relationships, o.hits.Relationships)
	h.Claims = byHitScore(h.Claims, o.hits.Claims)
	h.RelationshipVectors = byHitScore(h.RelationshipVectors, o.hits.RelationshipVectors)
	h.ChunkVectors = byHitScore(h.ChunkVectors, o.hits.ChunkVectors)
	n.HasReports = n.HasReports && o.HasReports
	n.named = append(n.named, o.named...)
	n.Entities = append(n.Entities, o.Entities...)
	slices.SortStableFunc(n.Entities, func(a, b rank.Scored) int { return cmp.Compare(b.Score, a.Score) })
	for _, note := range o.Notes {
		if !slices.Contains(n.Notes, note) {
			n.Notes = append(n.Notes, note)
		}
	}
}

// fuseEntities ranks the entities of one corpus from the hits of its searches.
func (n *Candidates) fuseEntities(names []candidateName) {
	var capital, plain []string
	for _, name := range n.found(names) {
		if name.capital {
			capital = append(capital, name.key)
			n.named = append(n.named, name)
		} else {
			plain = append(plain, name.key)
		}
	}
	n.Entities = rank.Fuse([]rank.List{
		{Keys: capital, Weight: nameWeight},
		{Keys: plain, Weight: plainNameWeight},
		{Keys: hitKeys(n.hits.Entities)},
		{Keys: hitKeys(n.hits.EntityVectors)},
	}, 0)
}

// rankChunks ranks chunks from the hits of all searches.
func (n *Candidates) rankChunks(t Tuning) {
	n.Chunks = withVectors(rankChunks(n.hits.SearchResult, t.weights()), byVector(n.hits.ChunkVectors).Chunks, vectorWeight)
}

// Tuned returns the candidates with their chunks ranked by other settings.
func (n Candidates) Tuned(t Tuning) Candidates {
	n.rankChunks(t)
	return n
}

func hitKeys(hits []neo4jstore.Hit) []string {
	keys := make([]string, len(hits))
	for i, h := range hits {
		keys[i] = h.Key
	}
	return keys
}

func scoredKeys(list []rank.Scored) []string {
	keys := make([]string, len(list))
	for i, s := range list {
		keys[i] = s.Key
	}
	return keys
}
