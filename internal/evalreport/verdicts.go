package evalreport

import (
	"maps"
	"slices"

	"github.com/neorag/neorag/internal/claimset"
	"github.com/neorag/neorag/internal/evalrun"
	"github.com/neorag/neorag/internal/stats"
)

// An Accuracy is the share of questions that a condition answers correctly, as one judge says, all
// and by type (QCG-RAG, table 1). An answer or a verdict that failed is not correct.
type Accuracy struct {
	Condition string           `json:"condition"`
	Judge     string           `json:"judge"`
	All       Share            `json:"all"`
	ByType    map[string]Share `json:"by_type"`

	values values
}

// A Share is of some questions.
type Share struct {
	stats.Interval

	Questions int `json:"questions"`
	Failed    int `json:"failed"`
}

// constantAnswers are the baselines that answer every question alike.
var constantAnswers = []string{"Yes", "Insufficient information"}

// typeUnanswerable is the type of questions that the documents do not answer.
const typeUnanswerable = "null"

// verdictsOf returns the verdicts of a kind by judge and key of the answer, and the judges, sorted.
func (v *view) verdictsOf(kind string) (map[string]map[string]evalrun.Verdict, []string) {
	out := map[string]map[string]evalrun.Verdict{}
	for _, verdict := range v.folder.Verdicts.All() {
		if verdict.Kind != kind {
			continue
		}
		if out[verdict.Judge] == nil {
			out[verdict.Judge] = map[string]evalrun.Verdict{}
		}
		out[verdict.Judge][verdict.Answer] = verdict
	}
	return out, slices.Sorted(maps.Keys(out))
}

// verdictFailed reports whether the answer or the verdict of a judge on it failed.
func (v *view) verdictFailed(c cell, kind, judge string) bool {
	return c.failed || v.failed[evalrun.Verdict{Answer: c.key, Kind: kind, Judge: judge}.Key()]
}

// accuracies returns how many answers are correct, by judge and condition; after the conditions of
// a judge come the constant answers.
func (v *view) accuracies() []Accuracy {
	var out []Accuracy
	verdicts, judges := v.verdictsOf(evalrun.VerdictCorrect)
	for _, judge := range judges {
		measured := make([]bool, len(v.questions))
		for i, c := range v.conditions {
			correct, failed := empty(len(v.questions)), make([]bool, len(v.questions))
			for j, cell := range v.answers[i] {
				verdict, ok := verdicts[judge][cell.key]
				switch {
				case ok:
					correct[j] = one(verdict.Correct)
				case v.hasKnownAnswer(j) && v.verdictFailed(cell, evalrun.VerdictCorrect, judge):
					correct[j], failed[j] = 0, true
				default:
					continue
				}
				measured[j] = true
			}
			if len(correct.known()) > 0 {
				out = append(out, v.accuracyOf(c.Name, judge, correct, failed))
			}
		}
		for _, answer := range constantAnswers {
			correct := empty(len(v.questions))
			for j, q := range v.questions {
				if measured[j] {
					correct[j] = one(isConstant(q, answer))
				}
			}
			if len(correct.known()) > 0 {
				out = append(out, v.accuracyOf(`always "`+answer+`"`, judge, correct, make([]bool, len(v.questions))))
			}
		}
	}
	return out
}

func (v *view) hasKnownAnswer(question int) bool {
	q := v.questions[question]
	return q.Answer != "" || q.Type == typeUnanswerable
}

// isConstant reports whether an answer that does not depend on the question is the known one.
func isConstant(q evalrun.Question, answer string) bool {
	if q.Type == typeUnanswerable {
		return answer == constantAnswers[1]
	}
	return slices.Equal(claimset.Words(q.Answer), claimset.Words(answer))
}

// accuracyOf computes shares of all questions and of those of each type.
func (v *view) accuracyOf(condition, judge string, correct values, failed []bool) Accuracy {
	share := func(has func(evalrun.Question) bool) Share {
		some, s := empty(len(correct)), Share{}
		for j, q := range v.questions {
			if has(q) {
				some[j] = correct[j]
				s.Failed += int(one(failed[j]))
			}
		}
		s.Interval, s.Questions = some.interval()
		return s
	}
	a := Accuracy{Condition: condition, Judge: judge, values: correct, ByType: map[string]Share{}}
	a.All = share(func(evalrun.Question) bool { return true })
	for _, name := range v.types() {
		if s := share(func(q evalrun.Question) bool { return q.Type == name }); s.Questions > 0 {
			a.ByType[name] = s
		}
	}
	return a
}

// types returns the types of questions, sorted; "null" is last.
func (v *view) types() []string {
	all := map[string]bool{}
	for _, q := range v.questions {
		if q.Type != "" {
			all[q.Type] = true
		}
	}
	return sortTypes(all)
}

func sortTypes(all map[string]bool) []string {
	names := slices.Sorted(maps.Keys(all))
	if i := slices.Index(names, typeUnanswerable); i >= 0 {
		names = append(slices.Delete(names, i, i+1), typeUnanswerable)
	}
	return names
}

// An Evidence is how well the citations of a condition support its statements, as one judge says.
// Shares are of all citations or statements, with intervals over questions. What failed is counted,
// and supports nothing.
type Evidence struct {
	Condition  string         `json:"condition"`
	Judge      string         `json:"judge"`
	Answers    int            `json:"answers"`
	Failed     int            `json:"failed"` // answers or verdicts
	Statements int            `json:"statements"`
	Citations  int            `json:"citations"`
	Precision  stats.Interval `json:"precision"` // share of the citations whose quote supports all of the statement
	Partly     stats.Interval `json:"partly"`    // share whose quote supports a part of it
	Recall     stats.Interval `json:"recall"`    // share of the statements that their quotes support together

	precision, recall values // of each question
}

// evidence returns the verdicts on evidence, by judge and condition.
func (v *view) evidence() []Evidence {
	var out []Evidence
	verdicts, judges := v.verdictsOf(evalrun.VerdictEvidence)
	for _, judge := range judges {
		for i, c := range v.conditions {
			e := Evidence{Condition: c.Name, Judge: judge, precision: empty(len(v.questions)), recall: empty(len(v.questions))}
			var supported, partly, citations, covered, statements []float64
			for j, cell := range v.answers[i] {
				verdict, ok := verdicts[judge][cell.key]
				if !ok {
					if v.verdictFailed(cell, evalrun.VerdictEvidence, judge) {
						e.Failed++
						e.precision[j], e.recall[j] = 0, 0
					}
					continue
				}
				e.Answers++
				e.Statements, e.Citations = e.Statements+verdict.Statements, e.Citations+verdict.Citations
				supported, partly = append(supported, float64(verdict.Supported)), append(partly, float64(verdict.Partly))
				citations = append(citations, float64(verdict.Citations))
				covered, statements = append(covered, float64(verdict.Covered)), append(statements, float64(verdict.Statements))
				e.precision[j], e.recall[j] = ratio(verdict.Supported, verdict.Citations), ratio(verdict.Covered, verdict.Statements)
			}
			e.Precision, e.Partly = stats.BootstrapRatio(supported, citations), stats.BootstrapRatio(partly, citations)
			e.Recall = stats.BootstrapRatio(covered, statements)
			if e.Answers+e.Failed > 0 {
				out = append(out, e)
			}
		}
	}
	return out
}

// ratio returns none if the whole is 0.
func ratio(part, whole int) float64 {
	if whole == 0 {
		return none
	}
	return float64(part) / float64(whole)
}
