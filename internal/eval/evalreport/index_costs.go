package evalreport

import (
	"slices"

	"github.com/neorag/neorag/internal/eval/evalrun"
)

// An IndexCost is what all runs of a corpus cost.
type IndexCost struct {
	Corpus  string        `json:"corpus"`
	Tokens  int64         `json:"tokens"` // of its documents
	Runs    int           `json:"runs"`
	Usage   evalrun.Usage `json:"usage"`
	Seconds float64       `json:"seconds"`
}

// A CostReport is what questions and indexes cost, as `eval cost --json` prints it.
type CostReport struct {
	Questions []QuestionCost `json:"questions"` // what one question costs, by condition
	Spent     []Spent        `json:"spent"`     // what the records of the whole folder cost
	Indexes   []IndexCost    `json:"indexes"`   // what all runs of a corpus cost; empty without a server

	report Report
}

// A QuestionCost is what one question costs under a condition.
type QuestionCost struct {
	Cost

	// ShareOfCorpus is the share of the tokens of the corpus that the context has; absent if the
	// corpus is not on the server. It is above 1 where texts are read more than once.
	ShareOfCorpus *float64 `json:"share_of_corpus,omitempty"`
}

// Corpora returns the names of the corpora that questions were asked about.
func (r Report) Corpora() []string {
	var names []string
	for _, c := range r.Costs {
		names = append(names, c.Corpus)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// CostsOf returns the costs of a report, with the costs of indexes.
func (r Report) CostsOf(indexes []IndexCost) CostReport {
	out := CostReport{Questions: []QuestionCost{}, Spent: r.Spent, Indexes: list(indexes), report: r}
	for _, c := range r.Costs {
		q := QuestionCost{Cost: c}
		for _, x := range indexes {
			if x.Corpus == c.Corpus && x.Tokens > 0 {
				share := c.ContextTokens / float64(x.Tokens)
				q.ShareOfCorpus = &share
			}
		}
		out.Questions = append(out.Questions, q)
	}
	return out
}

// Tables returns the costs of questions, of the context, of the evaluation and of indexes.
func (c CostReport) Tables() []Table {
	out := c.report.Tables("tokens", "cost")
	shares := Table{Title: "Share of the corpus", Head: []string{"condition", "corpus", "tokens of the corpus", "tokens of a context", "share"}, Text: 2, Notes: []string{"Of the documents as they are now, without overlaps of chunks."}}
	for _, q := range c.Questions {
		if q.ShareOfCorpus == nil || q.Answers == 0 {
			continue
		}
		shares.Rows = append(shares.Rows, row(q.Condition, q.Corpus, number(float64(c.tokensOf(q.Corpus)), 0), number(q.ContextTokens, 0), percent(*q.ShareOfCorpus)))
	}
	index := Table{
		Title: "Cost of the index", Head: []string{"corpus", "tokens", "runs", "calls", "tokens in", "tokens out", "cost", "seconds", "calls per 1,000 tokens", "tokens per 1,000 tokens", "cost per 1,000 tokens"}, Text: 1,
		Notes: []string{"All runs of the corpus, of its documents as they are now. An index without a model takes no calls.", indexInPapers},
	}
	for _, x := range c.Indexes {
		per := func(total float64) float64 { return 1000 * total / float64(max(1, x.Tokens)) }
		u := x.Usage
		index.Rows = append(index.Rows, row(x.Corpus, number(float64(x.Tokens), 0), number(float64(x.Runs), 0), number(float64(u.Calls), 0), number(float64(u.TokensIn), 0),
			number(float64(u.TokensOut), 0), number(u.Cost, 4), number(x.Seconds, 1), number(per(float64(u.Calls)), 2), number(per(float64(u.TokensIn+u.TokensOut)), 0), number(per(u.Cost), 4)))
	}
	for _, t := range []Table{shares, index} {
		if len(t.Rows) > 0 {
			out = append(out, t)
		}
	}
	return out
}

func (c CostReport) tokensOf(corpus string) int64 {
	for _, x := range c.Indexes {
		if x.Corpus == corpus {
			return x.Tokens
		}
	}
	return 0
}
