// Package qcg answers from chunks by questions that were made of them, over a graph of similar
// questions (QCG-RAG, section 3.4).
package qcg

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
)

// Method is registered under its name.
var Method = query.Register(query.Method{
	Name:    "qcg",
	Summary: "chunks by questions that were made of them, over a graph of similar questions; needs `neorag index --with queries`",
	Profile: query.Profile{
		Reads: "the chunks whose question-answer pairs resemble the question",
		Use:   "questions like the ones that the text answers",
		Needs: []query.Artifact{query.Queries},
		Uses:  []query.Artifact{query.Vectors},
		Paper: query.QCGRAG("3.4"),
		Calls: "1",
		Cost:  query.CostOf(1, 1, 2717, 3732, 57, 210),
	},
	Settings: []query.Setting{
		query.OwnSetting("qcg", "pairs", func(s *Settings, n int) { s.Pairs = n }),
		query.OwnSetting("qcg", "gamma", func(s *Settings, x float64) { s.Gamma = x }),
		query.OwnSetting("qcg", "hops", func(s *Settings, n int) { s.setHops(n) }),
		query.OwnSetting("qcg", "neighbours", func(s *Settings, n int) { s.Neighbours = n }),
		query.OwnSetting("qcg", "top", func(s *Settings, n int) { s.TopChunks = n }),
		query.OwnSetting("qcg", "node", func(s *Settings, nodes string) { s.Node = nodes }),
	},
	Shared:   []string{"map-reduce", "map-tokens"},
	Traces:   []query.Trace{Trace{}},
	Answer:   answerQCG,
	Retrieve: retrieveQCG,
	Scoped:   true,
	Unpinned: true,
	Tuning:   []string{"gamma", "hops", "k", "n", "node"},
})

// Settings are the settings of qcg. The zero value has the defaults, for Pairs and Gamma the defaults of
// the preset of the corpus.
type Settings struct {
	Pairs      int     // most pairs that the question finds
	Gamma      float64 // least similarity of these, a cosine plus 1, for the embedder of the paper; a search adjusts it to the corpus
	Hops       int     // edges to similar pairs that are followed: 1 or 2; negative means none; 0 means 1
	Neighbours int     // similar pairs of each pair; 0 means all
	TopChunks  int     // chunks that the answer is made of; 0 means 5
	Node       string  // one of Nodes
}

func (s *Settings) setHops(n int) {
	s.Hops = n
	if n == 0 {
		s.Hops = -1 // none; 0 would mean the default
	}
}

// Defaults of qcg (QCG-RAG, section 4.1).
const (
	qcgChunks = 5    // of a context
	qcgTokens = 6000 // of a context
)

// searchQCG searches by the settings of the question, which Tuning overrides.
func searchQCG(ctx context.Context, r query.Request) (PairSearch, Settings, error) {
	q := query.SettingsOf[Settings](r.Question, "qcg")
	q.Node = cmp.Or(q.Node, NodePair)
	for name, value := range r.Tuning {
		switch name {
		case "gamma":
			q.Gamma = value
		case "hops":
			q.setHops(int(value))
		case "k":
			q.Neighbours = int(value)
		case "n":
			q.Pairs = int(value)
		case "node":
			nodes := Nodes()
			q.Node = nodes[min(max(0, int(value)), len(nodes)-1)]
		}
	}
	if !slices.Contains(Nodes(), q.Node) {
		return PairSearch{}, q, fmt.Errorf("%w %q of qcg: choose one of %v", query.ErrUnknownMode, q.Node, Nodes())
	}
	found, err := SearchPairs(ctx, r.Reader, r.Text, q)
	return found, q, err
}

func retrieveQCG(ctx context.Context, r query.Request) (retrieve.Ranking, error) {
	found, _, err := searchQCG(ctx, r)
	if err != nil {
		return retrieve.Ranking{}, err
	}
	return r.RerankRanking(ctx, found.Ranking())
}

// answerQCG answers from the chunks whose pairs are most similar to the question.
func answerQCG(ctx context.Context, r query.Request) (query.Answer, error) {
	found, q, err := searchQCG(ctx, r)
	if err != nil {
		return query.Answer{}, err
	}
	top := cmp.Or(q.TopChunks, qcgChunks)
	r.ReduceTokens = r.Tokens(qcgTokens)
	ranking := found.Ranking()
	readNearest(ranking.Chunks, top, found.Retrieved)
	if ranking, err = r.RerankRanking(ctx, ranking); err != nil {
		return query.Answer{}, err
	}
	r.Options.Reranker = nil // it has chosen
	ranking.Chunks = ranking.Chunks[:min(top, len(ranking.Chunks))]
	a, _, err := r.AnswerRanked(ctx, ranking)
	trace := newPairTrace(found, q, ranking.Chunks)
	a.Traces = append(a.Traces, trace)
	if len(found.Retrieved) == 0 && err == nil {
		a.Notes = append(a.Notes, "No question-answer pair is similar enough to the question: a lower --gamma takes more of them.")
	}
	return a, err
}

// readNearest moves the chunk of the pair nearest to the question to the front of a ranking, if the
// mean of its other pairs ranks it below the first n.
func readNearest(ranking []rank.Scored, n int, retrieved []hit) {
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
