// Package auto chooses among global, local and fused, by rules or by a model.
package auto

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/methods/fused"
	"github.com/neorag/neorag/internal/query/methods/global"
	"github.com/neorag/neorag/internal/query/methods/local"
	"github.com/neorag/neorag/internal/query/overview"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/route"
	"github.com/neorag/neorag/prompts"
)

// Method is registered under its name.
var Method = query.Register(query.Method{
	Name:    "auto",
	Summary: "chooses among global, local and fused, and shows why",
	Profile: query.Profile{
		Reads: "chooses `global`, `local` or `fused` and shows why",
		Use:   "any question",
		Uses:  []query.Artifact{query.Reports, query.Vectors},
		Calls: "as the chosen method, and 1 with `--route model`",
		Cost:  query.CostOf(1, 1, 4231, 7761, 97, 223),
	},
	Traces:  []query.Trace{Choice{}},
	Prompts: []string{prompts.Route},
	Settings: append([]query.Setting{
		query.OwnSetting("auto", "route", func(s *Settings, means string) { s.ByModel = means == "model" }),
	}, global.Method.Settings...),
	Shared:   []string{"level", "seed", "map-tokens"},
	Answer:   answerAuto,
	Scoped:   true,
	Unpinned: true,
})

// Settings are the settings of auto. The zero value has the defaults.
type Settings struct {
	ByModel bool // choose the method by one call to the model
}

// answerAuto searches once, chooses a method by the question and the search, and
// answers by that method from the same search.
func answerAuto(ctx context.Context, r query.Request) (query.Answer, error) {
	found, err := r.Reader.HybridSearch(ctx, r.Text)
	if err != nil {
		return query.Answer{}, err
	}
	choice, notes, err := choose(ctx, r, found)
	if err != nil {
		return query.Answer{}, err
	}
	a, err := answerRouted(ctx, r, choice, found)
	if errors.Is(err, retrieve.ErrNoReportInScope) {
		choice.Method, choice.Why = "local", choice.Why+", but no report cites what the filter leaves"
		a, err = answerRouted(ctx, r, choice, found)
	}
	if err != nil {
		return query.Answer{}, err
	}
	a.Choice = fmt.Sprintf("auto chose %s: %s.", choice.Method, strings.TrimSuffix(choice.Why, "."))
	a.Traces, a.Notes = append([]query.Trace{Choice{choice}}, a.Traces...), append(a.Notes, notes...)
	return a, nil
}

// answerRouted answers by the chosen method, by local from what was found. What the graph answers as a
// whole is read there without a model, whatever the method.
func answerRouted(ctx context.Context, r query.Request, choice route.Choice, found retrieve.Candidates) (query.Answer, error) {
	if a, ok, err := overview.Answer(ctx, r, overview.FoundNames(found)); ok || err != nil {
		return a, err
	}
	switch choice.Method {
	case "global":
		return r.RunMethod(ctx, global.Method)
	case "local":
		return local.AnswerFound(ctx, r, found)
	default:
		return r.RunMethod(ctx, fused.Method)
	}
}

// choose chooses a method: by one call to the model if the question asks for that,
// else, or when the call fails, by rules.
func choose(ctx context.Context, r query.Request, found retrieve.Candidates) (choice route.Choice, notes []string, err error) {
	f := route.FeaturesOf(r.Text, route.Found{
		Names: namesOf(found.Names()), Topics: namesOf(found.Topics()), Entities: len(found.Entities), Chunks: len(found.Chunks), Reports: found.HasReports, Model: r.ForModel(),
	})
	choice = route.Decide(f)
	if !query.SettingsOf[Settings](r.Question, "auto").ByModel || r.Options.Model == nil {
		return choice, nil, nil
	}
	byModel, err := route.DecideByModel(ctx, r.Asker(route.TaskRoute), r.Text, f)
	if byModel.Method == "global" && !f.Reports {
		return choice, []string{"The model chose global, but the index has no reports, so rules chose."}, nil
	}
	return query.Fallback(ctx, byModel, err, choice, "The model could not choose a method, so rules did")
}

func namesOf(found []retrieve.Name) []route.Name {
	names := make([]route.Name, len(found))
	for i, n := range found {
		names[i] = route.Name{Text: n.Text, Type: n.Type}
	}
	return names
}

// A Choice is which method auto chose, and why.
type Choice struct{ route.Choice }

// TraceName is part of query.Trace.
func (Choice) TraceName() string { return "choice" }

// Print prints the features of the question that decided.
func (c Choice) Print(w io.Writer) {
	f := c.Features
	for _, line := range [][2]string{
		{"chosen by", c.By},
		{"broad question", strconv.FormatBool(f.Overview)},
		{"broad words", query.ListOrNone(f.Broad)},
		{"known entities", query.ListOrNone(f.Names)},
		{"known topics", query.ListOrNone(f.Topics)},
		{"known words", query.ListOrNone(f.Words)},
		{"asks for identity", strconv.FormatBool(f.Identity)},
		{"relation words", query.ListOrNone(f.Relates)},
		{"comparing words", query.ListOrNone(f.Compares)},
		{"exact words", strconv.FormatBool(f.Quote)},
		{"asks for a fact", cmp.Or(f.Asks, "none")},
		{"entities found", strconv.Itoa(f.Entities)},
		{"chunks found", strconv.Itoa(f.Chunks)},
		{"reports", strconv.FormatBool(f.Reports)},
	} {
		fmt.Fprintf(w, "  %-18s %s\n", line[0], line[1])
	}
}
