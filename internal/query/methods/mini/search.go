package mini

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/expand"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/retrieve/snapshot"
	"github.com/neorag/neorag/internal/stage/qcg"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
)

// The defaults of MiniRAG.
const (
	miniCandidates = 60 // entities for each that the question names
	miniTermHits   = 300
	miniEach       = 30  // chunks for each entity that the question names
	miniIsolated   = .2  // of the candidates without a relationship
	miniFirst      = 2   // the best candidate counts more
	miniFound      = 10. // a chunk that a search for the question finds too counts more
)

// A result is a ranking of chunks and documents, with the entities that it started from.
type result struct {
	retrieve.Ranking

	Candidates []Candidate // for each entity of the question the best three
}

// A Candidate is an entity that the question may mean.
type Candidate struct {
	Asked string  `json:"asked"` // as the question names it
	Key   string  `json:"key"`
	Name  string  `json:"name"`
	Score float64 `json:"score"` // its cosine with what was asked
	Paths int     `json:"paths"` // of one or two relationships that start at it
}

// miniShown is how many candidates of each entity a result has.
const miniShown = 3

// search ranks chunks as MiniRAG does: each entity that the question names gives candidates in the
// graph, paths of one or two relationships from each lead to chunks, and those count more that
// pass entities of the type of the answer, or relationships near to the question. If there are
// no candidates, chunks are ranked as by SearchChunks.
func search(ctx context.Context, r query.Request, asked expand.AnswerType) (result, error) {
	all := result{Candidates: []Candidate{}}
	for _, c := range r.Reader.Corpora {
		m := voting{Request: r, corpus: c, asked: asked, scores: map[uint32]float64{}}
		if err := m.rank(ctx); err != nil {
			return all, err
		}
		all.Add(m.out.Ranking)
		all.Candidates = append(all.Candidates, m.out.Candidates...)
	}
	all.Sort()
	return all, nil
}

// A voting is the state of Mini for one corpus.
type voting struct {
	query.Request

	corpus retrieve.Corpus
	asked  expand.AnswerType
	graph  *snapshot.Snapshot
	found  retrieve.Candidates // of the search for the question
	scores map[uint32]float64
	out    result
}

func (m *voting) rank(ctx context.Context) (err error) {
	if m.graph, err = m.Options.Snapshots.Get(ctx, m.Reader.Store, m.corpus.Name); err != nil {
		return fmt.Errorf("read the graph of corpus %s: %w", m.corpus.Name, err)
	}
	m.found, err = m.Reader.SearchCorpus(ctx, m.corpus, retrieve.Search{
		Texts:   map[graph.Kind]string{graph.KindChunk: m.Text, graph.KindRelationship: m.Text},
		Vectors: []graph.Kind{graph.KindChunk, graph.KindRelationship}, TermHits: miniTermHits,
	})
	if err != nil {
		return err
	}
	m.found.RankChunks(nil)
	m.out.Notes = m.found.Notes
	candidates := make([][]Candidate, len(m.asked.Entities))
	for i, name := range m.asked.Entities {
		if candidates[i], err = m.candidates(ctx, name); err != nil {
			return err
		}
	}
	if err := m.compareNames(ctx, candidates); err != nil {
		return err
	}
	if err := m.walk(ctx, candidates); err != nil {
		return err
	}
	if len(m.scores) == 0 {
		m.out.Ranking = retrieve.Ranking{Chunks: m.found.Chunks, Documents: retrieve.RankDocuments(m.found.Hits.SearchResult, rank.DefaultWeights), Notes: m.out.Notes}
		m.out.Notes = append(m.out.Notes, "The question names no entity of corpus "+m.corpus.Name+", so its chunks were ranked by a search.")
		return nil
	}
	_, end := m.graph.Range(graph.KindChunk)
	scores := make([]float64, end)
	for chunk, score := range m.scores {
		scores[chunk] = score
	}
	m.out.Documents, m.out.Chunks = m.corpus.Walked(m.graph, scores)
	m.out.ScaleTo(m.found.Chunks, m.Reader)
	return nil
}

// candidates searches the entities that a name may mean: by the name, by full text and by the
// vectors of an embedding model. It returns them with their cosines.
func (m *voting) candidates(ctx context.Context, name string) ([]Candidate, error) {
	found, err := m.Reader.SearchCorpus(ctx, m.corpus, retrieve.Search{
		Texts:   map[graph.Kind]string{graph.KindEntity: name},
		Vectors: []graph.Kind{graph.KindEntity}, Names: []string{name}, TermHits: miniTermHits,
	})
	if err != nil {
		return nil, err
	}
	cosines := map[string]float64{}
	for _, h := range found.Hits.EntityVectors {
		cosines[h.Key] = h.Score
	}
	var out []Candidate
	for _, e := range found.Entities[:min(int(m.Tuning.Value("candidates", miniCandidates)), len(found.Entities))] {
		out = append(out, Candidate{Asked: name, Key: e.Key, Score: cosines[e.Key]})
	}
	return out, nil
}

// compareNames reads the names of candidates. The score of a candidate is the cosine of the
// hashed vectors of the two names, or the cosine of the vectors of a model if it is greater. Those
// with a score of 0 are left out.
func (m *voting) compareNames(ctx context.Context, candidates [][]Candidate) error {
	var keys []string
	for _, c := range slices.Concat(candidates...) {
		keys = append(keys, c.Key)
	}
	near, err := m.Reader.Store.Neighborhood(ctx, m.corpus.Name, neo4jstore.NeighborhoodQuery{Entities: keys, Scope: m.corpus.Filter})
	if err != nil {
		return err
	}
	names := map[string]string{}
	for _, e := range near.Entities {
		names[e.Key] = e.Name
	}
	for i, own := range candidates {
		for k, c := range own {
			if name := names[c.Key]; name != "" {
				own[k].Name = name
				own[k].Score = max(c.Score, qcg.Cosine(textproc.Vector(c.Asked), textproc.Vector(name)))
			}
		}
		own = slices.DeleteFunc(own, func(c Candidate) bool { return c.Score <= 0 })
		slices.SortFunc(own, func(a, b Candidate) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Key, b.Key))
		})
		candidates[i] = own
	}
	return nil
}

// walk adds the scores of the chunks that paths from candidates lead to.
func (m *voting) walk(ctx context.Context, candidates [][]Candidate) error {
	p := newPathScorer(m.graph, m.inScope())
	for _, c := range m.found.Chunks {
		if node, ok := m.graph.Node(graph.KindChunk, c.Key); ok {
			p.similar[node] = c.Score
		}
	}
	m.addNear(p)
	if err := m.addAnswers(ctx, p, candidates); err != nil {
		return err
	}
	likely := map[uint32]bool{} // chunks that the search for the question finds
	for _, c := range m.found.Chunks[:min(miniEach, len(m.found.Chunks))] {
		if node, ok := m.graph.Node(graph.KindChunk, c.Key); ok {
			likely[node] = true
		}
	}
	for _, own := range candidates {
		m.vote(p, own, likely)
	}
	return nil
}

// vote adds the scores of the best chunks of the candidates of one entity of the question.
func (m *voting) vote(p *pathScorer, candidates []Candidate, likely map[uint32]bool) {
	own := map[uint32]float64{}
	isolated := 0
	for _, c := range candidates {
		if node, ok := m.graph.Node(graph.KindEntity, c.Key); ok && len(p.related(node)) == 0 {
			isolated++
		}
	}
	isolated = (isolated*int(miniIsolated*100) + 99) / 100
	for i := range candidates {
		c := &candidates[i]
		node, ok := m.graph.Node(graph.KindEntity, c.Key)
		if !ok {
			continue
		}
		chunks, paths := p.best(node)
		if c.Paths = paths; paths == 0 {
			if isolated--; isolated < 0 {
				continue
			}
		}
		for _, chunk := range chunks {
			score := c.Score
			if i == 0 {
				score *= miniFirst
			}
			if likely[chunk.node] {
				score *= m.Tuning.Value("found", miniFound)
			}
			own[chunk.node] += score
		}
	}
	m.out.Candidates = append(m.out.Candidates, candidates[:min(miniShown, len(candidates))]...)
	best := slices.SortedFunc(maps.Keys(own), func(a, b uint32) int { return cmp.Or(cmp.Compare(own[b], own[a]), cmp.Compare(a, b)) })
	for _, chunk := range best[:min(miniEach, len(best))] {
		m.scores[chunk] += own[chunk]
	}
}

// inScope returns a function that reports whether a chunk may be read.
func (m *voting) inScope() func(chunk uint32) bool {
	all := m.corpus.InScope()
	return func(chunk uint32) bool {
		document, _ := m.graph.DocumentOfNode(chunk)
		return all(m.graph.Key(chunk), document)
	}
}

// addNear adds the relationships that are near to the question.
func (m *voting) addNear(p *pathScorer) {
	hits := slices.Concat(m.found.Hits.Relationships, m.found.Hits.RelationshipVectors)
	seen := map[uint32]bool{}
	for _, h := range hits[:min(len(hits), miniCandidates*max(1, len(m.asked.Entities)))] {
		node, ok := m.graph.Node(graph.KindRelationship, h.Key)
		if !ok || seen[node] {
			continue
		}
		seen[node] = true
		var ends []uint32
		m.graph.Neighbours(node, func(n uint32, kind uint8, _ float32) {
			if kind == snapshot.End {
				ends = append(ends, n)
			}
		})
		if len(ends) == 2 {
			p.near[pair(ends[0], ends[1])] = append(p.near[pair(ends[0], ends[1])], node)
		}
	}
}

// addAnswers adds the entities on the paths of candidates that have a type of the answer.
func (m *voting) addAnswers(ctx context.Context, p *pathScorer, candidates [][]Candidate) error {
	if len(m.asked.Types) == 0 {
		return nil
	}
	onPath := map[uint32]bool{}
	for _, c := range slices.Concat(candidates...) {
		if node, ok := m.graph.Node(graph.KindEntity, c.Key); ok {
			for _, path := range p.paths(node) {
				for _, n := range path {
					onPath[n] = true
				}
			}
		}
	}
	keys := make([]string, 0, len(onPath))
	for node := range onPath {
		keys = append(keys, m.graph.Key(node))
	}
	slices.Sort(keys)
	typed, err := m.Reader.Store.EntitiesOfTypes(ctx, m.corpus.Name, keys, m.asked.Types)
	for _, key := range typed {
		if node, ok := m.graph.Node(graph.KindEntity, key); ok {
			p.answers[node] = true
		}
	}
	return err
}

// entityTypes returns at most limit types of entities of each corpus, each once.
func entityTypes(ctx context.Context, r retrieve.Reader, limit int) ([]string, error) {
	var out []string
	for _, c := range r.Corpora {
		types, err := r.Store.EntityTypes(ctx, c.Name, limit)
		if err != nil {
			return nil, err
		}
		for _, t := range types {
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	return out, nil
}
