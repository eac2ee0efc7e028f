package score

import (
	"github.com/neorag/neorag/internal/eval/claimset"
	"github.com/neorag/neorag/internal/eval/evalrun"
)

// Records are the records of an evaluation by condition and question, from which all figures are
// computed. Lists by question are in the order of Questions.
type Records struct {
	Questions []evalrun.Question
	Failed    map[string]bool // keys of the cells that failed

	folder *evalrun.Folder
}

// Read returns the records of a folder.
func Read(f *evalrun.Folder) Records {
	r := Records{Questions: f.Questions.All(), Failed: map[string]bool{}, folder: f}
	for key := range f.Failures() {
		r.Failed[key] = true
	}
	return r
}

// A State is what became of the assessment of an answer, or of a search.
type State int

// The states.
const (
	StateMissing    State = iota // there is no answer yet, or none is assessed
	StateUnassessed              // there is an answer, but not what is said of it
	StateFailed                  // the answer or its assessment failed, which counts as the worst result
	StateMade
)

// A Mark is whether an answer is correct.
type Mark struct {
	State   State
	Correct bool // as the judge or rules find
}

// Marks returns what a judge finds of the answers of a condition to questions with known answers, or
// rules; "" for rules.
func (r Records) Marks(condition, judge string) []Mark {
	out := make([]Mark, len(r.Questions))
	for i, q := range r.Questions {
		if !HasAnswer(q) {
			continue
		}
		answer := evalrun.AnswerKey(condition, q.Key())
		if judge == "" {
			out[i].State = r.state(answer, "", true)
			if a, ok := r.folder.Answers.Get(answer); ok {
				out[i].Correct = measure(Answered{Question: q, Text: a.Text, Declined: a.References == 0}).accuracy == 1
			}
			continue
		}
		verdict := evalrun.Verdict{Answer: answer, Kind: evalrun.VerdictCorrect, Judge: judge}.Key()
		made, ok := r.folder.Verdicts.Get(verdict)
		out[i] = Mark{r.state(answer, verdict, ok), made.Correct}
	}
	return out
}

// state returns the state of the assessment of an answer, given whether it was made.
func (r Records) state(answer, assessment string, made bool) State {
	answered := r.folder.Answers.Has(answer)
	switch {
	case !answered && r.Failed[answer], answered && !made && r.Failed[assessment]:
		return StateFailed
	case !answered:
		return StateMissing
	case !made:
		return StateUnassessed
	}
	return StateMade
}

// Measured returns the questions with known answers of which an answer of any condition was assessed
// or failed, or all with known answers if there is none.
func (r Records) Measured(judge string) []evalrun.Question {
	var measured, known []evalrun.Question
	marks := [][]Mark{}
	for _, c := range r.conditions() {
		marks = append(marks, r.Marks(c.key, judge))
	}
	for i, q := range r.Questions {
		if !HasAnswer(q) {
			continue
		}
		known = append(known, q)
		for _, of := range marks {
			if of[i].State >= StateFailed {
				measured = append(measured, q)
				break
			}
		}
	}
	if len(measured) == 0 {
		return known
	}
	return measured
}

// A Support is how the citations of an answer support its statements.
type Support struct {
	State State
	// Verdict has the numbers of statements and citations of a failed verdict too, none of which are
	// supported.
	Verdict evalrun.Verdict
}

// Supports returns what a judge finds of the evidence of the answers of a condition.
func (r Records) Supports(condition, judge string) []Support {
	out := make([]Support, len(r.Questions))
	for i, q := range r.Questions {
		v := evalrun.Verdict{Answer: evalrun.AnswerKey(condition, q.Key()), Kind: evalrun.VerdictEvidence, Judge: judge}
		made, ok := r.folder.Verdicts.Get(v.Key())
		out[i].State = r.state(v.Answer, v.Key(), ok)
		switch out[i].State {
		case StateMade:
			out[i].Verdict = made
		case StateFailed:
			if a, ok := r.folder.Answers.Get(v.Answer); ok {
				countEvidence(a, &v)
			}
			out[i].Verdict = v
		}
	}
	return out
}

// Counts are the numbers of the claims of an answer, and of the clusters of these by
// claimset.Thresholds. They are 0 if the answer or the extraction failed.
type Counts struct {
	State    State
	Claims   int
	Clusters [len(claimset.Thresholds)]int
}

// ClaimCounts returns the numbers of the claims that an extractor found in the answers of a condition.
func (r Records) ClaimCounts(condition, extractor string) []Counts {
	out := make([]Counts, len(r.Questions))
	for i, q := range r.Questions {
		claims := evalrun.Claims{Answer: evalrun.AnswerKey(condition, q.Key()), Extractor: extractor}
		made, ok := r.folder.Claims.Get(claims.Key())
		out[i].State = r.state(claims.Answer, claims.Key(), ok)
		if out[i].State == StateMade {
			out[i].Claims = len(made.Claims)
			copy(out[i].Clusters[:], claimset.Clusters(made.Claims, claimset.Thresholds[:]...))
		}
	}
	return out
}
