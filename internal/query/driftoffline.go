package query

import (
	"context"
	"regexp"
	"slices"

	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/textproc"
)

// driftOffline explores without a model: the findings of the closest reports,
// which are about one thing each, are looked up together with the question.
type driftOffline struct{}

const (
	primedReports = 6 // whose findings are followed
	ownShare      = .6
)

// ofType is the type of an entity at the end of a finding's title.
var ofType = regexp.MustCompile(`\s*\([^()]*\)\s*$`)

func (driftOffline) prime(ctx context.Context, q Question, reports []neo4jstore.ReportRow) (finding, error) {
	asked := textproc.ReadQuestion(q.Text)
	overview := isOverview(asked)
	var texts []string
	for _, r := range reports[:min(primedReports, len(reports))] {
		for _, f := range r.Findings {
			texts = append(texts, f.Summary+" "+f.Explanation)
		}
	}
	focus := textproc.NewSentenceScorer(asked, texts)
	f := finding{blocks: reportBlocks(reports)}
	for i, r := range reports[:min(primedReports, len(reports))] {
		rank := 1 - float64(i)/float64(primedReports)
		for _, found := range r.Findings {
			about := ofType.ReplaceAllString(withoutNumbers(found.Summary), "")
			says := focus.Score(found.Summary + " " + found.Explanation)
			if about == "" || says == 0 && !overview {
				continue
			}
			question := about
			if !overview {
				question = about + ": " + q.Text
			}
			f.next = append(f.next, FollowUp{question, 100 * (.5*rank + .5*says)})
		}
	}
	return f, ctx.Err()
}

// withoutNumbers is a stored text without its numbers, on one line.
func withoutNumbers(text string) string { return foldSpace(marks.ReplaceAllString(text, "")) }

func (driftOffline) follow(ctx context.Context, _ Question, _ FollowUp, blocks []block) (finding, error) {
	return finding{blocks: blocks}, ctx.Err()
}

// conclude chooses among the sentences of all that was read: by what they say to
// the question, and to the follow-up question that they were found for.
func (driftOffline) conclude(_ context.Context, q Question, findings []finding, asked []FollowUp) (draft, error) {
	question := textproc.ReadQuestion(q.Text)
	share := ownShare
	if isOverview(question) { // no words of its own: what was followed counts
		share = 0
	}
	var all []statement
	for i, f := range findings {
		var own []statement
		for k := range f.blocks {
			own = append(own, f.blocks[k].statements()...)
		}
		if i == 0 {
			rate(question, own)
			all = append(all, own...)
			continue
		}
		followed := slices.Clone(own)
		rate(question, own)
		rate(textproc.ReadQuestion(asked[i-1].Question), followed)
		for k, s := range own {
			if s.score > 0 {
				s.score = share*s.score + (1-share)*followed[k].score*asked[i-1].Score/100
				all = append(all, s)
			}
		}
	}
	all = slices.DeleteFunc(all, func(s statement) bool { return s.score <= 0 })
	return draft{statements: reduce(all, q)}, nil
}
