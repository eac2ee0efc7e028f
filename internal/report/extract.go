package report

import (
	"context"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/tokens"
)

// Model is what a report written without a model names as its model.
const Model = "extractive"

// extractiveVersion changes when the same context gives another report.
const extractiveVersion = "1"

// Extractive writes a report without a model: the most central sentences of
// the evidence, each with its references.
type Extractive struct {
	Options
	Counter *tokens.Counter
}

// Fingerprint covers all that changes a report beside its context.
func (x Extractive) Fingerprint() string {
	return graph.Hash(Model, extractiveVersion, strconv.Itoa(x.withDefaults().MaxTokens), x.Counter.Name())
}

// Report writes the report of a community from its context, at most MaxTokens
// long. It depends on what the context's fingerprint covers, and on nothing
// else. Key is left to who stores it.
func (x Extractive) Report(ctx context.Context, in Input, c Context) (graph.Report, error) {
	if err := ctx.Err(); err != nil {
		return graph.Report{}, err
	}
	w := newWriter(c, x.Counter)
	r := graph.Report{
		Community: in.Community.Key, Level: in.Community.Level, Final: in.Community.Final,
		Size: len(in.Community.Members), Weight: in.Community.Weight, Model: Model, Title: c.Title,
	}
	r.Rating, r.RatingExplanation = rating(r.Size, r.Weight, len(in.Claims))
	draft := w.draft(x.withDefaults().MaxTokens)
	for {
		r.Summary, r.Findings, r.References = draft.write()
		r.FullContent = Markdown(r)
		r.NTokens = x.Counter.Count(r.FullContent)
		if r.NTokens <= x.withDefaults().MaxTokens || !draft.shorten() {
			return r, nil
		}
	}
}

// Markdown is a report as one text: title, summary, rating and findings.
func Markdown(r graph.Report) string {
	parts := []string{"# " + r.Title}
	if r.Summary != "" {
		parts = append(parts, r.Summary)
	}
	parts = append(parts, strings.TrimSpace("Rating: "+strconv.FormatFloat(r.Rating, 'f', -1, 64)+" of 10. "+r.RatingExplanation))
	for _, f := range r.Findings {
		parts = append(parts, "## "+f.Summary, f.Explanation)
	}
	return strings.Join(parts, "\n\n")
}
