package query

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/keywords"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/text"
)

var _ = Register(Method{
	Name:    "light",
	Summary: "entities and relationships by keywords on two levels, with what surrounds them: one short call, no reports",
	Profile: Profile{
		Reads: "entities and relationships that keywords of the question find, with their neighbours and chunks",
		Use:   "things and themes at the cost of one short call",
		Uses:  []Artifact{Vectors},
		Paper: PaperOf(lightRAG, "3.2"),
		Calls: "2",
		Cost:  Cost{Calls: Range{2, 2}, TokensIn: Range{8400, 27500}, TokensOut: Range{86, 180}},
	},
	Answer:   answerLight,
	Retrieve: retrieveLight,
	Scoped:   true,
	Unpinned: true,
	Modes:    lightModes,
	Tuning:   retrieve.DualTuning(),
})

// ErrUnknownMode means that light has no mode of that name.
var ErrUnknownMode = errors.New("unknown mode")

// lightModes are the modes of light (LightRAG, sections 3.2 and 4.4).
var lightModes = []string{"hybrid", "low", "high", "mix"}

// LightModes returns the names of the modes of the method light, the default first.
func LightModes() []string { return slices.Clone(lightModes) }

// lightTokens is the default of the tokens of a context, as in LightRAG.
const lightTokens = 30_000

// lightSections are the sections of a context in the order shown, each with its share of
// the budget: of 30,000 tokens 6,000 and 8,000, and the rest for chunks.
var lightSections = []SectionShare{{graph.KindEntity, 6. / 30}, {graph.KindRelationship, 8. / 30}, {graph.KindChunk, 16. / 30}}

// A LightTrace is what the method light searched for and found, each kind best first.
type LightTrace struct {
	Mode          string            `json:"mode"`
	Keywords      keywords.Keywords `json:"keywords"`
	Entities      []LightHit        `json:"entities"`
	Relationships []LightHit        `json:"relationships"`
	Neighbours    []LightHit        `json:"neighbours"`
	Chunks        []LightHit        `json:"chunks"`
}

// A LightHit is a node that light found. The score of an entity or relationship is that of
// the search by keywords, 0 if it is only connected to one that was found; the score of a
// neighbour is the number of entities that it is related to, and a fraction for the weight
// of these relationships.
type LightHit struct {
	Key   string  `json:"key"`
	Name  string  `json:"name"`
	Score float64 `json:"score"`
}

// lightKeywords returns the keywords of the question: those of the user, or else those that
// the model, or without one the rules, read from it. Without any, the question itself is a
// low-level keyword.
func (r Request) lightKeywords(ctx context.Context) (k keywords.Keywords, notes []string, err error) {
	switch k = keywords.Given(r.Low, r.High); {
	case !k.IsEmpty():
	case r.Options.Model == nil:
		k = keywords.ByRules(r.Text)
	default:
		r.Step("keywords", 0, 0)
		k, err = keywords.ByModel(ctx, r.Asker(keywords.TaskKeywords), r.Text)
		if ctx.Err() != nil {
			return k, nil, ctx.Err()
		}
		if err != nil {
			k, notes = keywords.ByRules(r.Text), []string{"The model gave no keywords, so rules did: " + text.FirstLine(err.Error())}
		}
	}
	if k.IsEmpty() {
		k.Low = []string{r.Text}
	}
	return k, notes, nil
}

// searchLight searches on the levels of the mode. A level alone, for which the question has
// no keywords, is searched by those of the other level.
func (r Request) searchLight(ctx context.Context) (retrieve.Dual, LightTrace, error) {
	trace := LightTrace{Mode: r.Mode}
	if !slices.Contains(lightModes, r.Mode) {
		return retrieve.Dual{}, trace, fmt.Errorf("%w %q of light: choose one of %v", ErrUnknownMode, r.Mode, lightModes)
	}
	k, notes, err := r.lightKeywords(ctx)
	if err != nil {
		return retrieve.Dual{}, trace, err
	}
	trace.Keywords = k
	q := retrieve.DualQuery{Question: r.Text, Low: k.Low, High: k.High, AllChunks: r.Mode == "mix", Tuning: r.Tuning}
	switch r.Mode {
	case "low":
		q.High = nil
		if len(q.Low) == 0 {
			q.Low = k.High
		}
	case "high":
		q.Low = nil
		if len(q.High) == 0 {
			q.High = k.Low
		}
	}
	found, err := r.Reader.Dual(ctx, q)
	if err != nil {
		return found, trace, err
	}
	var reranked []string
	found.Chunks, reranked, err = r.Rerank(ctx, found.Chunks)
	found.Notes = slices.Concat(notes, found.Notes, reranked)
	return found, trace, err
}

// retrieveLight ranks the chunks that a context would be packed from.
func retrieveLight(ctx context.Context, r Request) (retrieve.Ranking, error) {
	found, _, err := r.searchLight(ctx)
	if err != nil {
		return retrieve.Ranking{}, err
	}
	return RankingOf(found.Chunks, found.Notes), nil
}

// answerLight answers from what the keywords of the question lead to. It reads no reports.
func answerLight(ctx context.Context, r Request) (Answer, error) {
	found, trace, err := r.searchLight(ctx)
	if err != nil {
		return Answer{}, err
	}
	trace.add(found)
	c := PackedContext{Known: cite.Known{}, Notes: found.Notes}
	for _, chunk := range found.Chunks {
		c.Known.AddChunk(chunk.ChunkRow)
	}
	if r.NoSources {
		found.Chunks = nil
	}
	c.Pack(lightBlocks(found), lightSections, r.ContextBudget(r.MaxTokens))
	a, err := r.AnswerContext(ctx, c)
	a.Light = &trace
	return a, err
}

// lightBlocks returns the blocks of each kind, best first.
func lightBlocks(found retrieve.Dual) map[graph.Kind][]synth.Block {
	return NeighborhoodBlocks(retrieve.Neighborhood{
		Entities: slices.Concat(found.Entities, found.Neighbours), Relationships: found.Relationships, Chunks: found.Chunks,
	})
}

// add adds what was found.
func (t *LightTrace) add(found retrieve.Dual) {
	entities := func(list []graph.Entity) []LightHit {
		out := make([]LightHit, len(list))
		for i, e := range list {
			out[i] = LightHit{Key: e.Key, Name: e.Name, Score: found.Scores[e.Key]}
		}
		return out
	}
	t.Entities, t.Neighbours = entities(found.Entities), entities(found.Neighbours)
	t.Relationships = make([]LightHit, len(found.Relationships))
	for i, r := range found.Relationships {
		t.Relationships[i] = LightHit{Key: r.Key, Name: r.SourceName + " — " + r.TargetName, Score: found.Scores[r.Key]}
	}
	t.Chunks = make([]LightHit, len(found.Chunks))
	for i, c := range found.Chunks {
		t.Chunks[i] = LightHit{Key: c.Key, Name: SourceName(c.Title(), c.Index), Score: c.Score}
	}
}
