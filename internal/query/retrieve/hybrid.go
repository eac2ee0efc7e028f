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

// Weights of the rankings that entities are fused from, in addition to rankings of weight 1.
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

	Hits   neo4jstore.HybridResult
	named  []CandidateName // entities that the question names with a capital letter
	topics []CandidateName // in small letters
}

// BestCosine returns the cosine of the vectors of the question and of the nearest chunk, where a
// model made the vectors; otherwise 0. A chunk may answer a question in other words or another
// language, which full text does not find.
func (c Candidates) BestCosine() float64 {
	best := 0.
	for _, h := range c.Hits.ChunkVectors {
		best = max(best, h.Score)
	}
	return best
}

// HybridSearch searches all indexes, in one round trip for each corpus.
// When the question cannot be embedded, it searches by words alone and says so
// in a note.
func (r Reader) HybridSearch(ctx context.Context, question string) (Candidates, error) {
	return r.Search(ctx, Search{
		Texts:   map[graph.Kind]string{graph.KindChunk: question, graph.KindEntity: question, graph.KindRelationship: question, graph.KindClaim: question},
		Vectors: []graph.Kind{graph.KindChunk, graph.KindEntity}, Names: []string{question}, TermHits: nodeHits,
	})
}

// A Search is what the indexes of a corpus are searched for.
type Search struct {
	Texts    map[graph.Kind]string // by kind; one that is missing or empty is not searched
	Vectors  []graph.Kind          // kinds that are also searched by vector
	Names    []string              // texts that may name entities
	TermHits int                   // of each full-text search of entities, relationships and claims
}

// Search searches the indexes of all corpora.
func (r Reader) Search(ctx context.Context, s Search) (Candidates, error) {
	var all Candidates
	for i, c := range r.Corpora {
		found, err := r.SearchCorpus(ctx, c, s)
		if err != nil {
			return Candidates{}, err
		}
		if i == 0 {
			all = found
		} else {
			all.add(found)
		}
	}
	all.RankChunks(nil)
	return all, nil
}

// SearchCorpus searches the indexes of one corpus, and fuses its entities.
func (r Reader) SearchCorpus(ctx context.Context, c Corpus, s Search) (Candidates, error) {
	var found Candidates
	asked := textproc.ReadQuestion(s.Texts[graph.KindChunk])
	q := neo4jstore.HybridQuery{
		SearchQuery: neo4jstore.SearchQuery{Terms: asked.Lucene(), Pairs: asked.LuceneTermPairs(), Limit: textHits, Scope: c.Filter},
		Nodes:       s.nodes(), TermHits: s.TermHits, VectorHits: vectorHits,
	}
	var names []CandidateName
	for _, text := range s.Names {
		names = append(names, CandidateNames(c.Name, text)...)
	}
	for _, name := range names {
		q.Names = append(q.Names, name.Key)
	}
	var err error
	if q.Vectors, err = c.Vectors(ctx, s, &found.Notes); err != nil {
		return found, err
	}
	if found.Hits, err = r.Store.HybridSearch(ctx, c.Name, q); err != nil {
		return found, err
	}
	found.HasReports = found.Hits.HasReports
	found.fuseEntities(names)
	return found, nil
}

// nodes returns the full-text searches of nodes: one for kinds with the same text.
func (s Search) nodes() []neo4jstore.NodeSearch {
	var out []neo4jstore.NodeSearch
	for _, kind := range []graph.Kind{graph.KindEntity, graph.KindRelationship, graph.KindClaim} {
		terms := textproc.ReadQuestion(s.Texts[kind]).Lucene()
		same := slices.IndexFunc(out, func(n neo4jstore.NodeSearch) bool { return n.Terms == terms })
		if same >= 0 {
			out[same].Kinds = append(out[same].Kinds, kind)
		} else {
			out = append(out, neo4jstore.NodeSearch{Terms: terms, Kinds: []graph.Kind{kind}})
		}
	}
	return out
}

// Vectors embeds the texts of a search by the corpus' model, in one call. It returns no
// vectors if the corpus has none, or if the model fails, and then adds a note.
func (c Corpus) Vectors(ctx context.Context, s Search, notes *[]string) (map[graph.Kind][]float32, error) {
	if c.Embedder == nil {
		return nil, nil
	}
	var texts []string
	at := map[graph.Kind]int{}
	for _, kind := range s.Vectors {
		text := s.Texts[kind]
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
		*notes = append(*notes, NotEmbedded(err))
		return nil, nil
	}
	out := make(map[graph.Kind][]float32, len(at))
	for kind, i := range at {
		out[kind] = vectors[i]
	}
	return out, nil
}

// NotEmbedded is the note for a question that could not be embedded.
func NotEmbedded(err error) string {
	return "The question could not be embedded, so the search used its words alone: " + err.Error()
}

// add joins the candidates of another corpus. Entities are ranked by their fused
// scores, since the scores of two corpora's searches are not comparable.
func (n *Candidates) add(o Candidates) {
	h := &n.Hits
	joinHits(&h.SearchResult, o.Hits.SearchResult)
	h.Relationships = ByHitScore(h.Relationships, o.Hits.Relationships)
	h.Claims = ByHitScore(h.Claims, o.Hits.Claims)
	h.RelationshipVectors = ByHitScore(h.RelationshipVectors, o.Hits.RelationshipVectors)
	h.ChunkVectors = ByHitScore(h.ChunkVectors, o.Hits.ChunkVectors)
	n.HasReports = n.HasReports && o.HasReports
	n.named, n.topics = append(n.named, o.named...), append(n.topics, o.topics...)
	n.Entities = append(n.Entities, o.Entities...)
	slices.SortStableFunc(n.Entities, func(a, b rank.Scored) int { return cmp.Compare(b.Score, a.Score) })
	for _, note := range o.Notes {
		if !slices.Contains(n.Notes, note) {
			n.Notes = append(n.Notes, note)
		}
	}
}

// fuseEntities ranks the entities of one corpus from the hits of its searches.
func (n *Candidates) fuseEntities(names []CandidateName) {
	var capital, plain []string
	for _, name := range n.found(names) {
		if name.capital {
			capital = append(capital, name.Key)
			n.named = append(n.named, name)
		} else {
			plain = append(plain, name.Key)
			n.topics = append(n.topics, name)
		}
	}
	n.Entities = rank.Fuse(
		rank.List{Keys: capital, Weight: nameWeight},
		rank.List{Keys: plain, Weight: plainNameWeight},
		rank.List{Keys: HitKeys(n.Hits.Entities)},
		rank.List{Keys: HitKeys(n.Hits.EntityVectors)},
	)
}

// RankChunks ranks chunks from the hits of all searches.
func (n *Candidates) RankChunks(t Tuning) {
	n.Chunks = withVectors(RankChunks(n.Hits.SearchResult, t.weights()), ByVector(n.Hits.ChunkVectors).Chunks, VectorWeight)
}

// Tuned returns the candidates with their chunks ranked by other settings.
func (n Candidates) Tuned(t Tuning) Candidates {
	n.RankChunks(t)
	return n
}

// HitKeys returns the keys of hits.
func HitKeys(hits []neo4jstore.Hit) []string {
	keys := make([]string, len(hits))
	for i, h := range hits {
		keys[i] = h.Key
	}
	return keys
}

// ScoredKeys returns the keys of what was ranked.
func ScoredKeys(list []rank.Scored) []string {
	keys := make([]string, len(list))
	for i, s := range list {
		keys[i] = s.Key
	}
	return keys
}
