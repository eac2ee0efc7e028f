package linear

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/retrieve/snapshot"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// The defaults of LinearRAG.
const (
	linearRounds    = 3   // in which activation is passed on
	linearSentences = 1   // that each active entity takes in a round
	linearLeast     = .4  // of the activation that is passed on
	linearChunk     = .05 // of a chunk's share of walks, compared with an entity's, for vectors alone
	linearSimilar   = 1.5 // of a chunk's similarity, compared with its active entities
	linearDamping   = .5  // of the walks
	linearHits      = 300 // chunks nearest to the question that have a similarity
	hashedLeast     = .1  // linearLeast for vectors of words, whose cosines are lower
)

// A result is a ranking of chunks and documents, with what was activated for it.
type result struct {
	retrieve.Ranking

	Entities  []Entity
	Sentences []Sentence
}

// An Entity is an entity that the question names, or that a sentence led to.
type Entity struct {
	Key   string  `json:"key"`
	Name  string  `json:"name"`
	Score float64 `json:"score"` // its activation, at most 1
	Hop   int     `json:"hop"`   // 1 for one that the question names
}

// A Sentence is a sentence that passed activation on.
type Sentence struct {
	Key    string  `json:"key"`
	Text   string  `json:"text"`
	Cosine float64 `json:"cosine"` // with the question
}

// search ranks chunks as LinearRAG does: entities that the question names pass activation on
// to other entities through the sentences that name both and are nearest to the question;
// walks from these entities, and from chunks like the question, spread over the chunks that
// mention them. It needs no model at indexing. A corpus without sentences is ErrNotIndexed. If
// the question names nothing, chunks are ranked by their similarity.
func search(ctx context.Context, r query.Request) (result, error) {
	var all result
	for _, c := range r.Reader.Corpora {
		if _, err := r.Reader.CorpusWith(ctx, c.Name, neo4jstore.ArtifactSentences); err != nil {
			return all, err
		}
		l := activation{Request: r, corpus: c, active: map[string]Entity{}}
		if err := l.rank(ctx); err != nil {
			return all, err
		}
		all.Add(l.out.Ranking)
		all.Entities, all.Sentences = append(all.Entities, l.out.Entities...), append(all.Sentences, l.out.Sentences...)
	}
	all.Sort()
	return all, nil
}

// An activation is the state of Linear for one corpus.
type activation struct {
	query.Request

	corpus retrieve.Corpus
	graph  *snapshot.Snapshot
	vector []float32 // of the question
	active map[string]Entity
	out    result
}

func (l *activation) rank(ctx context.Context) (err error) {
	if l.graph, err = l.Options.Snapshots.Get(ctx, l.Reader.Store, l.corpus.Name); err != nil {
		return fmt.Errorf("read the graph of corpus %s: %w", l.corpus.Name, err)
	}
	if l.vector, err = l.corpus.Embed(ctx, l.Text); err != nil {
		return err
	}
	if !retrieve.HasDirection(l.vector) {
		return nil
	}
	similar, err := l.Reader.SimilarTo(ctx, l.corpus, l.Text, l.vector, int(l.Tuning.Value("hits", linearHits)), l.Tuning)
	if err != nil {
		return err
	}
	l.seed()
	if len(l.active) == 0 {
		l.out.Ranking = similar
		l.out.Notes = []string{"The question names no entity of corpus " + l.corpus.Name + ", so its chunks were ranked by their similarity."}
		return nil
	}
	if err := l.activate(ctx); err != nil {
		return err
	}
	l.out.Entities = slices.SortedFunc(maps.Values(l.active), func(a, b Entity) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key))
	})
	l.spread(similar.Chunks)
	l.out.ScaleTo(similar.Chunks, l.Reader)
	return nil
}

// seed activates the entities that the question names. Of two names one of which is a part of
// the other, the longer counts.
func (l *activation) seed() {
	var taken []string
	for _, name := range retrieve.CandidateNames(l.corpus.Name, l.Text) {
		if _, ok := l.graph.Node(graph.KindEntity, name.Key); !ok {
			continue
		}
		if part := " " + name.Name + " "; !slices.ContainsFunc(taken, func(longer string) bool { return strings.Contains(longer, part) }) {
			taken = append(taken, part)
			l.active[name.Key] = Entity{Key: name.Key, Name: name.Name, Score: 1, Hop: 1}
		}
	}
}

// activate passes activation on, round by round: each entity that became active takes the
// sentences nearest to the question of those that name it and were not taken yet, and
// activates what they name.
func (l *activation) activate(ctx context.Context) error {
	standard := linearLeast
	if l.corpus.Embedder == nil {
		standard = hashedLeast
	}
	least, used := l.Tuning.Value("least", standard), map[string]bool{}
	newest := slices.Sorted(maps.Keys(l.active))
	for round := range int(l.Tuning.Value("rounds", linearRounds)) {
		found, err := l.Reader.Store.NamedSentences(ctx, l.corpus.Name, l.corpus.Filter, newest, slices.Sorted(maps.Keys(used)), l.vector, int(l.Tuning.Value("sentences", linearSentences)))
		if err != nil {
			return err
		}
		var next []string
		for _, s := range found {
			if !used[s.Key] {
				used[s.Key] = true
				l.out.Sentences = append(l.out.Sentences, Sentence{s.Key, s.Text, s.Cosine})
			}
			next = append(next, l.pass(s, least, round+2)...)
		}
		slices.Sort(next)
		if newest = slices.Compact(next); len(newest) == 0 {
			return nil
		}
	}
	return nil
}

// pass activates what a sentence names, and returns the entities that were not active before.
func (l *activation) pass(s neo4jstore.NamedSentence, least float64, hop int) (activated []string) {
	score := float64(l.active[s.Entity].Score * s.Cosine)
	if score < least {
		return nil
	}
	for _, e := range s.Entities {
		switch known, ok := l.active[e.Key]; {
		case !ok:
			l.active[e.Key] = Entity{Key: e.Key, Name: e.Name, Score: score, Hop: hop}
			activated = append(activated, e.Key)
		case known.Hop == hop:
			known.Score = max(known.Score, score)
			l.active[e.Key] = known
		}
	}
	return activated
}

// spread ranks the chunks of the scope by walks from active entities and from chunks.
func (l *activation) spread(similar []rank.Scored) {
	entities := map[uint32]Entity{}
	for _, e := range l.out.Entities {
		if node, ok := l.graph.Node(graph.KindEntity, e.Key); ok {
			entities[node] = e
		}
	}
	scores := linearScores(l.graph, entities, retrieve.SimilarChunks(l.graph, similar), l.corpus.ChunkPart(l.Tuning, linearChunk), l.Tuning)
	l.out.Documents, l.out.Chunks = l.corpus.Walked(l.graph, scores)
}
