package evalreport

import (
	"github.com/neorag/neorag/internal/eval/evalrun"
)

// A Cost is what one question costs under a condition: means over the answers that were made.
type Cost struct {
	Condition     string  `json:"condition"` // name of a condition
	Method        string  `json:"method"`
	Corpus        string  `json:"corpus"`
	Answers       int     `json:"answers"`
	Failed        int     `json:"failed"` // answers
	Calls         float64 `json:"calls"`  // mean over answers, as the next figures
	TokensIn      float64 `json:"tokens_in"`
	TokensOut     float64 `json:"tokens_out"`
	Money         float64 `json:"cost"`
	Seconds       float64 `json:"seconds"`
	ContextUnits  float64 `json:"context_units"`  // reports, chunks or records that an answer was made from; 0 if not known
	ContextTokens float64 `json:"context_tokens"` // tokens of these
	// ShareOfMost is the share of the context tokens of the condition that reads most, from 0 to 1
	// (GraphRAG, table 2).
	ShareOfMost float64 `json:"share_of_most"`

	tokens, calls values // by question
}

// costs returns what a question costs by condition.
func (v *view) costs() []Cost {
	var out []Cost
	most := 0.
	for i, c := range v.conditions {
		cost := Cost{
			Condition: c.Name, Method: c.Condition.Method, Corpus: c.Condition.Corpus, Answers: c.Answers, Failed: c.Failed,
			tokens: empty(len(v.questions)), calls: empty(len(v.questions)),
		}
		n := float64(max(1, c.Answers))
		for j, cell := range v.answers[i] {
			if cell.answer == nil {
				continue
			}
			u := cell.answer.Usage
			cost.calls[j], cost.tokens[j] = float64(u.Calls), float64(u.TokensIn+u.TokensOut)
			cost.Calls += float64(u.Calls) / n
			cost.TokensIn += float64(u.TokensIn) / n
			cost.TokensOut += float64(u.TokensOut) / n
			cost.Money += u.Cost / n
			cost.Seconds += cell.answer.Seconds / n
			cost.ContextUnits += float64(cell.answer.ContextUnits) / n
			cost.ContextTokens += float64(cell.answer.ContextTokens) / n
		}
		most = max(most, cost.ContextTokens)
		out = append(out, cost)
	}
	for i := range out {
		if most > 0 {
			out[i].ShareOfMost = out[i].ContextTokens / most
		}
	}
	return out
}

// A Spent is what one kind of record of the whole folder cost.
type Spent struct {
	Kind    string        `json:"kind"` // name of a file of the folder
	Records int           `json:"records"`
	Usage   evalrun.Usage `json:"usage"`
}

// spent returns what the evaluation itself cost, also for conditions that are not shown.
func (v *view) spent() []Spent {
	kinds := []Spent{{Kind: "answers"}, {Kind: "judgements"}, {Kind: "verdicts"}, {Kind: "claims"}}
	add := func(kind int, u evalrun.Usage) {
		s := &kinds[kind]
		s.Records++
		s.Usage.Calls += u.Calls
		s.Usage.TokensIn += u.TokensIn
		s.Usage.TokensOut += u.TokensOut
		s.Usage.Cost += u.Cost
	}
	for _, a := range v.folder.Answers.All() {
		add(0, a.Usage)
	}
	for _, j := range v.folder.Judgements.All() {
		add(1, j.Usage)
	}
	for _, verdict := range v.folder.Verdicts.All() {
		add(2, verdict.Usage)
	}
	for _, c := range v.folder.Claims.All() {
		add(3, c.Usage)
	}
	var out []Spent
	for _, s := range kinds {
		if s.Records > 0 {
			out = append(out, s)
		}
	}
	return out
}
