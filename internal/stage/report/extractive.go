package report

import (
	"context"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text/tokens"
)

// ExtractiveModel is the name of the model in reports written without a model.
const ExtractiveModel = "extractive"

// extractiveVersion changes when the same context gives a different report.
const extractiveVersion = "5"

// Extractive writes reports without a model, from the most central sentences of the
// evidence, each with its references.
type Extractive struct {
	Options
	Counter *tokens.Counter
}

// Fingerprint covers everything that affects a report except its context.
func (x Extractive) Fingerprint() string {
	return graph.Hash(ExtractiveModel, extractiveVersion, strconv.Itoa(x.Limits().MaxTokens), x.Counter.Name())
}

// Reads covers what the report of a community is written from: besides the context its
// title, the counts that its rating is computed from, and whether it has children.
func (x Extractive) Reads(in Input, c Context) string {
	parts := []string{x.Fingerprint(), c.Reads, c.Title, strconv.Itoa(len(in.Community.Members)), strconv.Itoa(in.Community.Weight), strconv.Itoa(len(in.Claims)), strconv.FormatBool(in.Community.Final)}
	for _, e := range c.Prominent {
		parts = append(parts, graph.Local(e.Key), e.Name, e.Type)
	}
	return graph.Hash(append(parts, sectionParts(c.sections)...)...)
}

// Report writes the report of a community from its context, with at most MaxTokens
// tokens. The result depends only on what Reads covers. The caller sets Key.
//
// The title is made of the distinctive phrases of the evidence if these say enough, else it is
// the title of the context.
func (x Extractive) Report(ctx context.Context, in Input, c Context) (graph.Report, error) {
	if err := ctx.Err(); err != nil {
		return graph.Report{}, err
	}
	sel := newSelector(c, x.Counter)
	r := in.report(ExtractiveModel)
	r.Title = sel.title(in.Community.Final)
	r.Rating, r.RatingExplanation = rating(r.Size, r.Weight, len(in.Claims))
	draft := sel.draft(x.Limits().MaxTokens)
	for {
		r.Summary, r.Findings, r.References = draft.render()
		r.FullContent = Markdown(r)
		r.NTokens = x.Counter.Count(r.FullContent)
		if r.NTokens <= x.Limits().MaxTokens || !draft.dropLast() { // the costs added up are an estimate
			return r, nil
		}
	}
}

// RatingPrefix begins the line of a report that gives its rating.
const RatingPrefix = "Rating: "

// Markdown returns a report as one text: title, summary, rating and findings.
func Markdown(r graph.Report) string {
	parts := []string{"# " + r.Title}
	if r.Summary != "" {
		parts = append(parts, r.Summary)
	}
	parts = append(parts, strings.TrimSpace(RatingPrefix+strconv.FormatFloat(r.Rating, 'f', -1, 64)+" of 10. "+r.RatingExplanation))
	for _, f := range r.Findings {
		parts = append(parts, "## "+f.Summary, f.Explanation)
	}
	return strings.Join(parts, "\n\n")
}
