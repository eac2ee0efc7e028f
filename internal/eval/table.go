package eval

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/eval/score"
	"github.com/neorag/neorag/internal/eval/stats"
)

// Table returns the result as a Markdown table: a row for each variant, and below it one
// for each type of question if there are several.
func (r Retrieval) Table() string {
	var b strings.Builder
	b.WriteString("| method | questions | recall@1 | @3 | @5 | @10 | all@5 | MRR | nDCG@10 | ms Neo4j | ms Go |\n")
	b.WriteString("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	row := func(name string, f score.Metrics) {
		fmt.Fprintf(&b, "| %s | %d | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f | %.1f | %.1f |\n",
			strings.ReplaceAll(name, "|", "/"), f.Questions, f.Recall1, f.Recall3, f.Recall5, f.Recall10, f.Hit5, f.MRR, f.NDCG, f.MSNeo4j, f.MSGo)
	}
	for _, l := range r.Methods {
		row(Variant{l.Method, l.Settings}.Name(), l.Metrics)
		if len(l.ByType) < 2 {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(l.ByType)) {
			row("- "+name, l.ByType[name])
		}
	}
	return b.String()
}

// Comparison returns a Markdown table that compares the variants with the first one: recall@5
// and MRR of groups of questions, and differences with their intervals of 95 %. It is empty
// for a single variant.
func (r Retrieval) Comparison() string {
	if len(r.Methods) < 2 {
		return ""
	}
	var b strings.Builder
	base := Variant{r.Methods[0].Method, r.Methods[0].Settings}.Name()
	fmt.Fprintf(&b, "| method | questions | recall@5 | less %s | MRR | less %s |\n|---|---|---:|---|---:|---|\n", base, base)
	show := func(d stats.Interval) string { return fmt.Sprintf("%+.3f (%+.3f to %+.3f)", d.Mean, d.Low, d.High) }
	for _, l := range r.Methods {
		for _, g := range score.RetrievalGroups {
			group := l.Groups[g]
			recall, mrr := "", ""
			if v := group.Versus; v != nil {
				recall, mrr = show(v.Recall5), show(v.MRR)
			}
			fmt.Fprintf(&b, "| %s | %s, %d | %.3f | %s | %.3f | %s |\n", Variant{l.Method, l.Settings}.Name(), g, group.Questions, group.Recall5, recall, group.MRR, mrr)
		}
	}
	return b.String()
}

// Remarks returns sentences about what was left out.
func (r Retrieval) Remarks() []string {
	var out []string
	for _, left := range []struct {
		n    int
		what string
	}{
		{r.Without, "questions have no evidence and are left out"},
		{r.Absent, "questions are left out: none of their documents is in the corpus"},
		{r.Unknown, "pieces of evidence are not in the corpus and are left out"},
		{r.Resumed, "measurements come from an earlier run"},
		{r.Failed, "searches failed, and count as having found nothing"},
	} {
		if left.n > 0 {
			out = append(out, fmt.Sprintf("%d %s.", left.n, left.what))
		}
	}
	return out
}
