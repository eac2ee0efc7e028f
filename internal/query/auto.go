package query

import (
	"context"
	"errors"

	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/route"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/prompts"
)

var _ = Register(Method{
	Name:    "auto",
	Summary: "chooses among global, local and fused, and says why",
	Profile: Profile{
		Reads: "chooses `global`, `local` or `fused` and shows why",
		Use:   "when you do not know",
		Uses:  []Artifact{Reports, Vectors},
		Calls: "those of the chosen method, and 1 with `--route model`",
		Cost:  Cost{Calls: Range{1, 1}, TokensIn: Range{4231, 7761}, TokensOut: Range{97, 223}},
	},
	Answer:   answerAuto,
	Scoped:   true,
	Unpinned: true,
})

// answerAuto searches once, chooses a method by the question and the search, and
// answers by that method from the same search.
func answerAuto(ctx context.Context, r Request) (Answer, error) {
	found, err := r.Reader.HybridSearch(ctx, r.Text)
	if err != nil {
		return Answer{}, err
	}
	choice, notes, err := r.route(ctx, found)
	if err != nil {
		return Answer{}, err
	}
	a, err := r.answerRouted(ctx, choice, found)
	if errors.Is(err, retrieve.ErrNoReportInScope) {
		choice.Method, choice.Why = "local", choice.Why+", but no report cites what the filter leaves"
		a, err = r.answerRouted(ctx, choice, found)
	}
	if err != nil {
		return Answer{}, err
	}
	a.Choice, a.Notes = &choice, append(a.Notes, notes...)
	return a, nil
}

// answerRouted answers by the chosen method, by local from what was found. What the graph answers as a
// whole is read there without a model, whatever the method.
func (r Request) answerRouted(ctx context.Context, choice route.Choice, found retrieve.Candidates) (Answer, error) {
	if a, ok, err := r.answerOverview(ctx, foundNames(found)); ok || err != nil {
		return a, err
	}
	switch choice.Method {
	case "global":
		return r.RunMethod(ctx, methods["global"])
	case "local":
		return r.answerNeighborhood(ctx, found)
	default:
		return r.RunMethod(ctx, methods["fused"])
	}
}

// route chooses a method: by one call to the model if the question asks for that,
// else, or when the call fails, by rules.
func (r Request) route(ctx context.Context, found retrieve.Candidates) (choice route.Choice, notes []string, err error) {
	var names []route.Name
	for _, n := range found.Names() {
		names = append(names, route.Name{Text: n.Text, Type: n.Type})
	}
	f := route.FeaturesOf(r.Text, route.Found{
		Names: names, Entities: len(found.Entities), Chunks: len(found.Chunks), Reports: found.HasReports, Model: r.Options.Model != nil,
	})
	choice = route.Decide(f)
	if !r.RouteByModel || r.Options.Model == nil {
		return choice, nil, nil
	}
	byModel, err := route.DecideByModel(ctx, r.askRoute, r.Text, f)
	switch {
	case ctx.Err() != nil:
		return choice, nil, ctx.Err()
	case err != nil:
		return choice, []string{"The model could not choose a method, so rules did: " + text.FirstLine(err.Error())}, nil
	case byModel.Method == "global" && !f.Reports:
		return choice, []string{"The model chose global, but the index has no reports, so rules chose."}, nil
	}
	return byModel, nil, nil
}

func (r Request) askRoute(ctx context.Context, prompt string, values prompts.Values, valid func(string) error) (string, error) {
	return r.Options.Model.AskJSON(ctx, synth.Call{Task: route.TaskRoute, Prompt: prompt, Values: values, Valid: valid})
}
