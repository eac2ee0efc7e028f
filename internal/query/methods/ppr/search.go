package ppr

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/expand"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/retrieve/snapshot"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
)

// The defaults of HippoRAG 2.
const (
	pprFacts     = 5   // relationships nearest to the question
	pprSeeds     = 5   // of their ends
	pprChunk     = .05 // of a chunk's share of walks, compared with an entity's, for vectors alone
	pprDamping   = .5
	pprHits      = 300 // chunks nearest to the question that have a similarity
	pprFactTerms = 300 // nodes of any kind that full text finds
)

// A Fact is a relationship near to the question.
type Fact struct {
	Key         string  `json:"key"`
	Source      string  `json:"source"`
	Target      string  `json:"target"`
	Description string  `json:"description"`
	Score       float64 `json:"score"` // compared with the best
	Kept        bool    `json:"kept"`  // walks start at its ends
}

// A result is a ranking of chunks and documents, with what it started from.
type result struct {
	retrieve.Ranking

	Facts    []Fact   // nearest first
	Entities []Entity // at which walks started, by weight
}

// search ranks chunks as HippoRAG 2 does: the relationships nearest to the question, of those that
// a model, if there is one, chooses, give the entities at which walks over entities and chunks start. A question
// with no such relationship is answered from the chunks nearest to it.
func search(ctx context.Context, r query.Request) (result, error) {
	all := result{Facts: []Fact{}, Entities: []Entity{}}
	for _, c := range r.Reader.Corpora {
		p := pageRanking{Request: r, corpus: c, names: map[string]string{}}
		if err := p.rank(ctx); err != nil {
			return all, err
		}
		all.Add(p.out.Ranking)
		all.Facts, all.Entities = append(all.Facts, p.out.Facts...), append(all.Entities, p.out.Entities...)
	}
	all.Sort()
	return all, nil
}

// A pageRanking is the state of PPR for one corpus.
type pageRanking struct {
	query.Request

	corpus retrieve.Corpus
	graph  *snapshot.Snapshot
	ends   map[string][2]string // of facts, by key
	names  map[string]string    // of entities, by key
	out    result
}

func (p *pageRanking) rank(ctx context.Context) (err error) {
	if p.graph, err = p.Options.Snapshots.Get(ctx, p.Reader.Store, p.corpus.Name); err != nil {
		return fmt.Errorf("read the graph of corpus %s: %w", p.corpus.Name, err)
	}
	vectors, err := p.embed(ctx)
	if err != nil {
		return err
	}
	similar, err := p.Reader.SimilarTo(ctx, p.corpus, p.Text, vectors[graph.KindChunk], int(p.Tuning.Value("hits", pprHits)), p.Tuning)
	if err != nil {
		return err
	}
	if err := p.findFacts(ctx, vectors); err != nil {
		return err
	}
	facts, err := p.kept(ctx)
	if err != nil {
		return err
	}
	seeds := pprEntities(p.graph, facts, int(p.Tuning.Value("entities", pprSeeds)))
	if len(seeds) == 0 {
		p.out.Documents, p.out.Chunks = similar.Documents, similar.Chunks
		p.out.Notes = append(p.out.Notes, "No relationship of corpus "+p.corpus.Name+" helps to answer the question, so its chunks were ranked by their similarity.")
		return nil
	}
	for _, s := range seeds {
		key := p.graph.Key(s.Node)
		p.out.Entities = append(p.out.Entities, Entity{Key: key, Name: p.names[key], Weight: s.Weight})
	}
	p.out.Documents, p.out.Chunks = p.corpus.Walked(p.graph, pprScores(p.graph, seeds, retrieve.SimilarChunks(p.graph, similar.Chunks), p.corpus.ChunkPart(p.Tuning, pprChunk)))
	p.out.ScaleTo(similar.Chunks, p.Reader)
	return nil
}

// embed returns the vectors of the question for chunks and for relationships, if a model made
// the vectors of the corpus.
func (p *pageRanking) embed(ctx context.Context) (map[graph.Kind][]float32, error) {
	return p.corpus.Vectors(ctx, retrieve.Search{
		Texts:   map[graph.Kind]string{graph.KindChunk: p.Text, graph.KindRelationship: p.Text},
		Vectors: []graph.Kind{graph.KindChunk, graph.KindRelationship},
	}, &p.out.Notes)
}

// findFacts finds the relationships nearest to the question: by their vectors, if a model made
// them, else by full text.
func (p *pageRanking) findFacts(ctx context.Context, vectors map[graph.Kind][]float32) error {
	limit := max(0, int(p.Tuning.Value("facts", pprFacts)))
	found, err := p.Reader.Store.HybridSearch(ctx, p.corpus.Name, neo4jstore.HybridQuery{
		SearchQuery: neo4jstore.SearchQuery{Scope: p.corpus.Filter},
		Nodes:       []neo4jstore.NodeSearch{{Terms: textproc.ReadQuestion(p.Text).Lucene(), Kinds: []graph.Kind{graph.KindRelationship}}},
		TermHits:    pprFactTerms, VectorHits: max(1, limit),
		Vectors: map[graph.Kind][]float32{graph.KindRelationship: vectors[graph.KindRelationship]},
	})
	if err != nil {
		return err
	}
	hits := found.RelationshipVectors
	if len(hits) == 0 {
		hits = found.Relationships
	}
	if hits = hits[:min(limit, len(hits))]; len(hits) == 0 {
		return nil
	}
	return p.readFacts(ctx, hits)
}

// readFacts reads what relationships say, in a scope what its texts say of them.
func (p *pageRanking) readFacts(ctx context.Context, hits []neo4jstore.Hit) error {
	near, err := p.Reader.Store.Neighborhood(ctx, p.corpus.Name, neo4jstore.NeighborhoodQuery{Relationships: retrieve.HitKeys(hits), Scope: p.corpus.Filter})
	if err != nil {
		return err
	}
	byKey := map[string]graph.Relationship{}
	for _, r := range near.Relationships {
		byKey[r.Key] = r
	}
	p.ends = map[string][2]string{}
	for _, h := range hits {
		r, ok := byKey[h.Key]
		if !ok {
			continue
		}
		p.ends[r.Key] = [2]string{r.Source, r.Target}
		p.names[r.Source], p.names[r.Target] = r.SourceName, r.TargetName
		p.out.Facts = append(p.out.Facts, Fact{Key: r.Key, Source: r.SourceName, Target: r.TargetName, Description: r.Description, Score: h.Score / hits[0].Score})
	}
	return nil
}

// kept marks the facts that the model chooses, or without one all, and returns them with their ends.
func (p *pageRanking) kept(ctx context.Context) ([]pprFact, error) {
	places := make([]int, len(p.out.Facts))
	for i := range places {
		places[i] = i
	}
	if p.Options.Model != nil && len(places) > 0 {
		chosen, err := p.choose(ctx)
		chosen, notes, err := query.Fallback(ctx, chosen, err, places, "The model did not choose among the relationships that were found, so all were used")
		if err != nil {
			return nil, err
		}
		places, p.out.Notes = chosen, append(p.out.Notes, notes...)
	}
	var facts []pprFact
	for _, i := range places {
		f := &p.out.Facts[i]
		f.Kept = true
		fact := pprFact{score: f.Score}
		for _, key := range p.ends[f.Key] {
			if node, ok := p.graph.Node(graph.KindEntity, key); ok {
				fact.ends = append(fact.ends, node)
			}
		}
		facts = append(facts, fact)
	}
	return facts, nil
}

// choose has the model choose the places of the facts that help to answer the question.
func (p *pageRanking) choose(ctx context.Context) ([]int, error) {
	p.Step("facts", 0, 0)
	lines := make([]string, len(p.out.Facts))
	for i, f := range p.out.Facts {
		lines[i] = f.Source + " \u2014 " + f.Target + ": " + f.Description
	}
	return expand.SelectFacts(ctx, p.Asker(expand.TaskFacts), p.Text, lines)
}
