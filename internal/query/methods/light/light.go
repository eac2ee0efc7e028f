// Package light answers from entities and relationships that keywords on two levels find (LightRAG,
// section 3.2).
package light

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/keywords"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/prompts"
)

// Method is registered under its name.
var Method = query.Register(query.Method{
	Name:    "light",
	Summary: "entities and relationships by keywords on two levels, with what surrounds them: one short call, no reports",
	Profile: query.Profile{
		Reads: "entities and relationships that keywords of the question find, with their neighbours and chunks",
		Use:   "things and themes at the cost of one short call",
		Uses:  []query.Artifact{query.Vectors},
		Paper: query.Paper{Name: "LightRAG", Section: "3.2", URL: "https://arxiv.org/abs/2410.05779"},
		Calls: "2",
		Cost:  query.CostOf(2, 2, 8400, 27500, 86, 180),
	},
	Traces:  []query.Trace{Trace{}},
	Prompts: []string{prompts.Keywords},
	Settings: []query.Setting{
		query.OwnSetting("light", "no_sources", func(s *Settings, on bool) { s.NoSources = on }),
		query.OwnSetting("light", "max_tokens", func(s *Settings, n int) { s.MaxTokens = n }),
	},
	Answer:   answerLight,
	Retrieve: retrieveLight,
	Scoped:   true,
	Unpinned: true,
	Modes:    lightModes,
	Tuning:   []string{"nodes", "relationship", "similarity"},
})

// Settings are the settings of light. The zero value has the defaults.
type Settings struct {
	NoSources bool     // leave the text of the sources out of the context
	MaxTokens int      // of the context; 0 means 30,000
	Low, High []string // keywords, in place of those that are read from the question
}

// SetKeywords gives a question keywords.
func SetKeywords(q *query.Question, low, high []string) {
	settings := query.SettingsOf[Settings](*q, "light")
	settings.Low, settings.High = low, high
	q.SetOwn("light", settings)
}

// lightModes are the modes of light (LightRAG, sections 3.2 and 4.4).
var lightModes = []string{"hybrid", "low", "high", "mix"}

// lightTokens is the default of the tokens of a context, as in LightRAG.
const lightTokens = 30_000

// lightSections are the sections of a context in the order shown, each with its share of
// the budget: of 30,000 tokens 6,000 and 8,000, and the rest for chunks.
var lightSections = []query.SectionShare{{Kind: graph.KindEntity, Share: 6. / 30}, {Kind: graph.KindRelationship, Share: 8. / 30}, {Kind: graph.KindChunk, Share: 16. / 30}}

// lightKeywords returns the keywords of the question: the user's, or else the ones that
// the model, or without one the rules, read from it. Without any, the question itself is a
// low-level keyword.
func lightKeywords(ctx context.Context, r query.Request) (k keywords.Keywords, notes []string, err error) {
	settings := query.SettingsOf[Settings](r.Question, "light")
	switch k = keywords.Given(settings.Low, settings.High); {
	case !k.IsEmpty():
	case r.Options.Model == nil:
		k = keywords.ByRules(r.Text)
	default:
		r.Step("keywords", 0, 0)
		k, err = keywords.ByModel(ctx, r.Asker(keywords.TaskKeywords), r.Text)
		k, notes, err = query.Fallback(ctx, k, err, keywords.ByRules(r.Text), "The model gave no keywords, so rules did")
	}
	if k.IsEmpty() {
		k.Low = []string{r.Text}
	}
	return k, notes, err
}

// searchLight searches on the levels of the mode. A level alone, for which the question has
// no keywords, is searched by the keywords of the other level.
func searchLight(ctx context.Context, r query.Request) (result, Trace, error) {
	r.Mode = cmp.Or(r.Mode, lightModes[0])
	trace := Trace{Mode: r.Mode}
	if !slices.Contains(lightModes, r.Mode) {
		return result{}, trace, fmt.Errorf("%w %q of light: choose one of %v", query.ErrUnknownMode, r.Mode, lightModes)
	}
	k, notes, err := lightKeywords(ctx, r)
	if err != nil {
		return result{}, trace, err
	}
	trace.Keywords = k
	switch {
	case r.Mode == "low" && len(k.Low) > 0:
		k.High = nil
	case r.Mode == "low":
		k.Low, k.High = k.High, nil
	case r.Mode == "high" && len(k.High) > 0:
		k.Low = nil
	case r.Mode == "high":
		k.Low, k.High = nil, k.Low
	}
	found, err := search(ctx, r, k)
	if err != nil {
		return found, trace, err
	}
	var reranked []string
	found.Chunks, reranked, err = r.Rerank(ctx, found.Chunks)
	found.Notes = slices.Concat(notes, found.Notes, reranked)
	return found, trace, err
}

// retrieveLight ranks the chunks that a context would be packed from.
func retrieveLight(ctx context.Context, r query.Request) (retrieve.Ranking, error) {
	found, _, err := searchLight(ctx, r)
	if err != nil {
		return retrieve.Ranking{}, err
	}
	return query.RankingOf(found.Chunks, found.Notes), nil
}

// answerLight answers from what the keywords of the question lead to. It reads no reports.
func answerLight(ctx context.Context, r query.Request) (query.Answer, error) {
	found, trace, err := searchLight(ctx, r)
	if err != nil {
		return query.Answer{}, err
	}
	trace.add(found)
	c := query.PackedContext{Known: query.KnownChunks(found.Chunks), Notes: found.Notes}
	settings := query.SettingsOf[Settings](r.Question, "light")
	if settings.NoSources {
		found.Chunks = nil
	}
	c.Pack(lightBlocks(found), lightSections, r.ContextBudget(cmp.Or(settings.MaxTokens, r.Tokens(lightTokens))))
	a, err := r.AnswerContext(ctx, c)
	a.Traces = append(a.Traces, trace)
	return a, err
}

// lightBlocks returns the blocks of each kind, best first.
func lightBlocks(found result) map[graph.Kind][]synth.Block {
	return query.NeighborhoodBlocks(retrieve.Neighborhood{
		Entities: slices.Concat(found.Entities, found.Neighbours), Relationships: found.Relationships, Chunks: found.Chunks,
	})
}
