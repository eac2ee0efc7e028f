package drift

import (
	"context"
	"regexp"
	"slices"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/route"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
)

// driftOffline explores without a model: it looks up the findings of the most
// relevant reports, which are about one thing each, together with the question.
type driftOffline struct{}

const (
	followedReports = 6  // whose findings are looked up
	questionShare   = .6 // of a sentence's score by the question; the rest is by the follow-up question
)

// typeSuffix is the type of an entity at the end of a finding's title.
var typeSuffix = regexp.MustCompile(`\s*\([^()]*\)\s*$`)

func (driftOffline) prime(ctx context.Context, question string, reports []neo4jstore.ReportRow) (finding, error) {
	asked := textproc.ReadQuestion(question)
	overview := route.IsOverview(asked)
	followed := reports[:min(followedReports, len(reports))]
	var texts []string
	for _, r := range followed {
		for _, f := range r.Findings {
			texts = append(texts, f.Summary+" "+f.Explanation)
		}
	}
	focus := textproc.NewSentenceScorer(asked, texts)
	f := finding{Reading: synth.Reading{Blocks: query.ReportBlocks(reports)}}
	for i, r := range followed {
		place := 1 - float64(i)/float64(followedReports)
		for _, found := range r.Findings {
			topic := typeSuffix.ReplaceAllString(text.OneLine(cite.StripNumbers(found.Summary)), "")
			relevance := focus.Score(found.Summary + " " + found.Explanation)
			if topic == "" || relevance == 0 && !overview {
				continue
			}
			if !overview {
				topic += ": " + question
			}
			f.next = append(f.next, FollowUp{topic, 100 * (.5*place + .5*relevance)})
		}
	}
	return f, ctx.Err()
}

func (driftOffline) follow(ctx context.Context, _ string, _ FollowUp, _ notes, blocks []synth.Block) (finding, error) {
	return finding{Reading: synth.Reading{Blocks: blocks}}, ctx.Err()
}

// conclude chooses among the sentences of all that was read: by their scores for
// the question, and for the follow-up question that they were found for.
func (driftOffline) conclude(_ context.Context, r synth.Request, findings []finding, asked []FollowUp) (synth.Draft, error) {
	question := textproc.ReadQuestion(r.Question)
	share := questionShare
	if route.IsOverview(question) { // it has no words to find sentences by
		share = 0
	}
	var all []synth.Sentence
	for i, f := range findings {
		var own []synth.Sentence
		for k := range f.Blocks {
			own = append(own, f.Blocks[k].Sentences()...)
		}
		if i == 0 {
			synth.Score(question, own)
			all = append(all, own...)
			continue
		}
		followUp := asked[i-1]
		followed := slices.Clone(own)
		synth.Score(question, own)
		synth.Score(textproc.ReadQuestion(followUp.Question), followed)
		for k, s := range own {
			if s.Score > 0 {
				s.Score = share*s.Score + (1-share)*followed[k].Score*followUp.Score/100
				all = append(all, s)
			}
		}
	}
	all = slices.DeleteFunc(all, func(s synth.Sentence) bool { return s.Score <= 0 })
	return synth.Draft{Items: synth.Summarize(r, all)}, nil
}
