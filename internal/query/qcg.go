package query

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/stage/qcg"
)

var _ = Register(Method{
	Name:    "qcg",
	Summary: "chunks by questions that were made of them, over a graph of similar questions; needs `neorag index --with queries`",
	Profile: Profile{
		Reads: "the chunks whose question-answer pairs resemble the question",
		Use:   "questions like those that the text answers",
		Needs: []Artifact{Queries},
		Uses:  []Artifact{Vectors},
		Paper: PaperOf(qcgRAG, "3.4"),
		Calls: "1",
		Cost:  Cost{Calls: Range{1, 1}, TokensIn: Range{2717, 3732}, TokensOut: Range{57, 210}},
	},
	Answer:   answerQCG,
	Retrieve: retrieveQCG,
	Scoped:   true,
	Unpinned: true,
	Tuning:   []string{"gamma", "hops", "k", "n", "node"},
})

// Defaults of qcg (QCG-RAG, section 4.1).
const (
	qcgChunks = 5    // of a context
	qcgTokens = 6000 // of a context
)

// PairNodes returns the node choices of qcg, the default first.
func PairNodes() []string { return retrieve.Nodes() }

// A PairTrace is what qcg found, each kind best first: the pairs that the question found, those
// that were added over the edges to similar ones, and the chunks by the mean of their pairs.
type PairTrace struct {
	Node      string         `json:"node"`
	Hops      int            `json:"hops"`
	Settings  []PairSettings `json:"settings"` // of each corpus
	Retrieved []PairHit      `json:"retrieved"`
	Added     []PairHit      `json:"added"`
	Chunks    []PairChunk    `json:"chunks"`
}

// PairSettings are how a corpus was searched. Least is gamma on the scale of its vectors, whose
// mean cosine is Unrelated for unrelated pairs and Near for a pair and its nearest neighbour.
type PairSettings struct {
	Corpus    string  `json:"corpus"`
	Preset    string  `json:"preset"`
	Pairs     int     `json:"pairs"`
	Gamma     float64 `json:"gamma"`
	Least     float64 `json:"least"`
	Unrelated float64 `json:"unrelated"`
	Near      float64 `json:"near"`
}

// A PairHit is a pair that qcg found. The query of a sentence is empty.
type PairHit struct {
	Key    string  `json:"key"`
	Query  string  `json:"query"`
	Answer string  `json:"answer"`
	Chunk  string  `json:"chunk"` // its name
	Score  float64 `json:"score"` // cosine with the question plus one
	Hop    int     `json:"hop"`
}

// A PairChunk is a chunk with the keys of its pairs that were found.
type PairChunk struct {
	Key   string   `json:"key"`
	Name  string   `json:"name"`
	Score float64  `json:"score"`
	Pairs []string `json:"pairs"`
	Read  bool     `json:"read"` // it is among the chunks that the answer may be made of
}

// searchQCG searches by the settings of the question, which Tuning overrides.
func (r Request) searchQCG(ctx context.Context) (retrieve.PairSearch, retrieve.PairQuery, error) {
	q := retrieve.PairQuery{
		Question: r.Text, Node: cmp.Or(r.Node, retrieve.NodePair), Seeds: r.Pairs, Gamma: r.Gamma, Hops: r.Hops, Neighbours: r.Neighbours,
	}
	for name, value := range r.Tuning {
		switch name {
		case "gamma":
			q.Gamma = value
		case "hops":
			if q.Hops = int(value); q.Hops == 0 {
				q.Hops = -1
			}
		case "k":
			q.Neighbours = int(value)
		case "n":
			q.Seeds = int(value)
		case "node":
			nodes := retrieve.Nodes()
			q.Node = nodes[min(max(0, int(value)), len(nodes)-1)]
		}
	}
	if !slices.Contains(retrieve.Nodes(), q.Node) {
		return retrieve.PairSearch{}, q, fmt.Errorf("%w %q of qcg: choose one of %v", ErrUnknownMode, q.Node, retrieve.Nodes())
	}
	found, err := r.Reader.SearchPairs(ctx, q)
	return found, q, err
}

func retrieveQCG(ctx context.Context, r Request) (retrieve.Ranking, error) {
	found, _, err := r.searchQCG(ctx)
	if err != nil {
		return retrieve.Ranking{}, err
	}
	return r.RerankRanking(ctx, found.Ranking())
}

// answerQCG answers from the chunks whose pairs are most similar to the question.
func answerQCG(ctx context.Context, r Request) (Answer, error) {
	found, q, err := r.searchQCG(ctx)
	if err != nil {
		return Answer{}, err
	}
	top := cmp.Or(r.TopChunks, qcgChunks)
	ranking := found.Ranking()
	readNearest(ranking.Chunks, top, found.Retrieved)
	if ranking, err = r.RerankRanking(ctx, ranking); err != nil {
		return Answer{}, err
	}
	r.Options.Reranker = nil // it has chosen
	ranking.Chunks = ranking.Chunks[:min(top, len(ranking.Chunks))]
	a, err := r.AnswerChunks(ctx, ranking)
	trace := newPairTrace(found, q, ranking.Chunks)
	a.Pairs = &trace
	if len(found.Retrieved) == 0 && err == nil {
		a.Notes = append(a.Notes, "No question-answer pair is similar enough to the question: a lower --gamma takes more of them.")
	}
	return a, err
}

// readNearest moves the chunk of the pair nearest to the question to the front of a ranking, if the
// mean of its other pairs ranks it below the first n.
func readNearest(ranking []rank.Scored, n int, retrieved []retrieve.PairHit) {
	if len(retrieved) == 0 {
		return
	}
	at := slices.IndexFunc(ranking, func(c rank.Scored) bool { return c.Key == retrieved[0].Chunk })
	if at < n {
		return
	}
	nearest := ranking[at]
	copy(ranking[1:], ranking[:at])
	ranking[0] = nearest
}

// newPairTrace returns what a search found, in the form of an answer, which is made of the chunks
// that are read.
func newPairTrace(found retrieve.PairSearch, q retrieve.PairQuery, read []rank.Scored) PairTrace {
	hops := cmp.Or(q.Hops, qcg.DefaultHops)
	t := PairTrace{Node: q.Node, Hops: max(0, hops), Settings: []PairSettings{}, Retrieved: []PairHit{}, Added: []PairHit{}, Chunks: []PairChunk{}}
	for _, s := range found.Scales {
		t.Settings = append(t.Settings, PairSettings{
			Corpus: s.Corpus, Preset: s.Preset, Pairs: s.Seeds, Gamma: s.Gamma, Least: s.Least, Unrelated: s.Scale.Unrelated, Near: s.Scale.Near,
		})
	}
	names := map[string]string{}
	hits := func(list []retrieve.PairHit) []PairHit {
		out := make([]PairHit, len(list))
		for i, h := range list {
			names[h.Chunk] = SourceName(h.Title, h.ChunkIndex)
			out[i] = PairHit{Key: h.Key, Query: h.Query, Answer: h.Answer, Chunk: names[h.Chunk], Score: h.Score, Hop: h.Hop}
		}
		return out
	}
	t.Retrieved, t.Added = hits(found.Retrieved), hits(found.Added)
	for _, c := range found.Chunks {
		chunk := PairChunk{Key: c.Chunk, Name: names[c.Chunk], Score: c.Score}
		chunk.Read = slices.ContainsFunc(read, func(k rank.Scored) bool { return k.Key == c.Chunk })
		for _, h := range c.Hits {
			chunk.Pairs = append(chunk.Pairs, h.Key)
		}
		t.Chunks = append(t.Chunks, chunk)
	}
	return t
}
