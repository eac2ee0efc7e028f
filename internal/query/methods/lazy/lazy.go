// Package lazy answers from chunks that pass a test of relevance, community by community
// (LazyGraphRAG).
package lazy

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/prompts"
)

// Method is registered under its name.
var Method = query.Register(query.Method{
	Name:    "lazy",
	Summary: "map-reduce over the chunks that pass a test of relevance, community by community, within a budget of tests: questions about the whole, if the corpus has no reports (LazyGraphRAG)",
	Profile: query.Profile{
		Reads: "chunks that a model finds relevant, one at a time and community by community, at most as many as `--budget`",
		Use:   "questions about the whole, if the corpus has no reports",
		Uses:  []query.Artifact{query.Vectors},
		Paper: query.Paper{Name: "LazyGraphRAG", Section: "Query", URL: "https://www.microsoft.com/en-us/research/blog/lazygraphrag-setting-a-new-standard-for-quality-and-cost/"},
		Calls: "at most 100 of one word, 1 for each 8,000 tokens of relevant chunks, and 1",
		Cost:  query.CostOf(27, 85, 21000, 86600, 54, 2370),
	},
	Maps:    true,
	Traces:  []query.Trace{Trace{}},
	Prompts: []string{prompts.Relevance},
	Settings: []query.Setting{
		query.OwnSetting("lazy", "budget", func(s *Settings, n int) { s.Budget = n }),
	},
	Answer:   answerLazy,
	Retrieve: retrieveLazy,
	Scoped:   true,
	Tuning:   []string{"budget", "share"},
})

// Settings are the settings of lazy. The zero value has the defaults.
type Settings struct {
	Budget int // chunks that are tested, at most; 0 means 100
}

const (
	// DefaultBudget is how many chunks are tested.
	DefaultBudget = 100
	lazyHits      = 1000 // chunks that tests choose from, or as many as the budget if that is more
	lazyShare     = .1   // of the score of the most similar chunk, from which on one is relevant without a model
)

// lazyFound is what lazy answers from.
type lazyFound struct {
	chunks []retrieve.Chunk // relevant, most similar first
	notes  []string
	trace  Trace
}

// lazy finds the chunks that are relevant: by the communities, and next to those.
func lazy(ctx context.Context, r query.Request) (lazyFound, error) {
	out := lazyFound{trace: Trace{Budget: int(r.Tuning.Value("budget", float64(cmp.Or(query.SettingsOf[Settings](r.Question, "lazy").Budget, DefaultBudget)))), Communities: []Community{}}}
	ranked, err := rankMany(ctx, r.Reader, r.Text, max(lazyHits, out.trace.Budget))
	if err == nil {
		ranked, err = r.RerankRanking(ctx, ranked)
	}
	if err != nil {
		return out, err
	}
	scope, err := newScope(ctx, r.Reader, ranked)
	if err != nil {
		return out, err
	}
	judge := &relevanceJudge{Request: r, budget: out.trace.Budget}
	found, err := walk{Chunks: scope.Chunks, Budget: out.trace.Budget, Test: judge.test}.Run(ctx)
	if err != nil {
		return out, err
	}
	for _, c := range found.Communities {
		c.Label = scope.Labels[c.Key]
		out.trace.Communities = append(out.trace.Communities, c)
	}
	near, err := lazyNeighbours(ctx, scope, found, judge)
	if err != nil {
		return out, err
	}
	out.trace.Neighbours = Counts{judge.tests - len(found.Tested), len(near)}
	out.trace.Tests = judge.tests
	var keys []rank.Scored
	for _, c := range append(found.Relevant, near...) {
		keys = append(keys, rank.Scored{Key: c.Key, Score: c.Score})
	}
	out.notes = slices.Concat(ranked.Notes, judge.notes())
	if out.chunks, err = r.Reader.Chunks(ctx, keys); err == nil {
		out.trace.Sources = query.ScoredSources(out.chunks)
	}
	return out, err
}

// lazyNeighbours returns the chunks next to relevant ones that are relevant too, as far as the
// budget allows to test them.
func lazyNeighbours(ctx context.Context, scope scope, found walkResult, judge *relevanceJudge) ([]chunk, error) {
	next, err := scope.Neighbours(ctx, found)
	if err != nil {
		return nil, err
	}
	next = next[:min(len(next), judge.budget-judge.tests)]
	helps, err := judge.test(ctx, next)
	if err != nil {
		return nil, err
	}
	var out []chunk
	for i, c := range next {
		if helps[i] {
			out = append(out, c)
		}
	}
	return out, nil
}

// answerLazy answers from all chunks that are relevant, window by window.
func answerLazy(ctx context.Context, r query.Request) (query.Answer, error) {
	found, err := lazy(ctx, r)
	if err != nil {
		return query.Answer{}, err
	}
	var d synth.Draft
	if len(found.chunks) > 0 {
		if d, err = r.Synthesizer().MapReduce(ctx, r.Synthesis(), synth.ChunkBlocks(found.chunks)); err != nil {
			return query.Answer{}, err
		}
	}
	d.Notes = append(d.Notes, found.notes...)
	a, err := r.Complete(ctx, d, query.Completion{Headings: true, Known: query.KnownChunks(found.chunks)})
	a.Traces = append(a.Traces, found.trace)
	return a, err
}

func retrieveLazy(ctx context.Context, r query.Request) (retrieve.Ranking, error) {
	found, err := lazy(ctx, r)
	return query.RankingOf(found.chunks, found.notes), err
}

// A Trace is what lazy tested: the whole scope, communities in the order of their tests,
// and the neighbours of relevant chunks; and the sources that are relevant, most similar first.
type Trace struct {
	Budget      int                  `json:"budget"` // most tests
	Tests       int                  `json:"tests"`  // chunks that were tested
	Communities []Community          `json:"communities"`
	Neighbours  Counts               `json:"neighbours"`
	Sources     []query.ScoredSource `json:"sources"` // with their similarity as score
}

// Counts are tests of chunks, and how many of these are relevant.
type Counts struct {
	Tests    int `json:"tests"`
	Relevant int `json:"relevant"` // of the chunks that were tested
}

// A Community is a community that was tested. Key and label are empty, and the level is -1,
// for the whole scope.
type Community struct {
	Counts

	Key   string `json:"key"`
	Label string `json:"label"` // such as C1_3
	Level int    `json:"level"`
}

// TraceName is part of query.Trace.
func (Trace) TraceName() string { return "lazy" }

// Print prints what was tested.
func (t Trace) Print(w io.Writer) {
	fmt.Fprintf(w, "\nlazy tested %d chunks of at most %d:\n", t.Tests, t.Budget)
	for _, k := range t.Communities {
		fmt.Fprintf(w, "    %-10s %d of %d relevant\n", cmp.Or(k.Label, k.Key, "all chunks"), k.Relevant, k.Tests)
	}
	fmt.Fprintf(w, "    %-10s %d of %d relevant\n", "neighbours", t.Neighbours.Relevant, t.Neighbours.Tests)
	query.PrintSources(w, t.Sources, "their similarity", 3)
}
