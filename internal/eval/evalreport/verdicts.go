package evalreport

import (
	"cmp"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/eval/score"
	"github.com/neorag/neorag/internal/eval/stats"
)

// An Accuracy is the share of questions that a condition answers correctly, as one judge says, all
// and by type (QCG-RAG, table 1). An answer or a verdict that failed is not correct.
type Accuracy struct {
	Condition string           `json:"condition"` // name of a condition, or always "ANSWER" for a constant answer
	Judge     string           `json:"judge"`
	All       Share            `json:"all"`
	ByType    map[string]Share `json:"by_type"`

	values values
}

// A Share is of some questions.
type Share struct {
	stats.Interval

	Questions int `json:"questions"`
	Failed    int `json:"failed"` // answers or verdicts, which count as wrong
}

// judgesOf returns the judges that made verdicts of a kind, sorted.
func (v *view) judgesOf(kind string) []string {
	judges := map[string]bool{}
	for _, verdict := range v.folder.Verdicts.All() {
		if verdict.Kind == kind {
			judges[verdict.Judge] = true
		}
	}
	return sortedKeys(judges)
}

// accuracies returns how many answers are correct, by judge and condition, and as rules find; after
// the conditions of a judge come the constant answers.
func (v *view) accuracies() []Accuracy {
	var out []Accuracy
	for _, judge := range append(v.judgesOf(evalrun.VerdictCorrect), "") {
		name := cmp.Or(judge, score.Rules)
		found := false
		for _, c := range v.conditions {
			correct, failed := empty(len(v.questions)), make([]bool, len(v.questions))
			for j, mark := range v.records.Marks(c.Key, judge) {
				if mark.State >= score.StateFailed {
					correct[j], failed[j] = one(mark.Correct), mark.State == score.StateFailed
				}
			}
			if len(correct.known()) > 0 {
				out, found = append(out, v.accuracyOf(c.Name, name, correct, failed)), true
			}
		}
		if !found {
			continue
		}
		measured := map[string]bool{}
		for _, q := range v.records.Measured(judge) {
			measured[q.Key()] = true
		}
		for _, answer := range score.Constants {
			correct := empty(len(v.questions))
			for j, q := range v.questions {
				if measured[q.Key()] {
					correct[j] = one(score.IsConstant(q, answer, judge != ""))
				}
			}
			if len(correct.known()) > 0 {
				out = append(out, v.accuracyOf(`always "`+answer+`"`, name, correct, make([]bool, len(v.questions))))
			}
		}
	}
	return out
}

// accuracyOf computes shares of all questions and of the questions of each type.
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
	return score.SortTypes(all)
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
	for _, judge := range v.judgesOf(evalrun.VerdictEvidence) {
		for _, c := range v.conditions {
			e := Evidence{Condition: c.Name, Judge: judge, precision: empty(len(v.questions)), recall: empty(len(v.questions))}
			var precision, partly, recall score.Ratio
			for j, s := range v.records.Supports(c.Key, judge) {
				verdict := s.Verdict
				switch s.State {
				case score.StateMade:
					e.Answers++
					e.precision[j], e.recall[j] = ratio(verdict.Supported, verdict.Citations), ratio(verdict.Covered, verdict.Statements)
				case score.StateFailed:
					e.Failed++
					e.precision[j], e.recall[j] = 0, 0
				default:
					continue
				}
				e.Statements, e.Citations = e.Statements+verdict.Statements, e.Citations+verdict.Citations
				precision.Add(float64(verdict.Supported), verdict.Citations)
				partly.Add(float64(verdict.Partly), verdict.Citations)
				recall.Add(float64(verdict.Covered), verdict.Statements)
			}
			e.Precision, e.Partly, e.Recall = precision.Interval(), partly.Interval(), recall.Interval()
			if e.Answers+e.Failed > 0 {
				out = append(out, e)
			}
		}
	}
	return out
}

// A Quoted is the evidence of the answers of a condition as it can be measured without a judge. Shares
// are from 0 to 1.
type Quoted struct {
	Condition  string         `json:"condition"`
	Answers    int            `json:"answers"`
	Statements int            `json:"statements"`
	Citations  int            `json:"citations"`
	Referenced stats.Interval `json:"referenced"` // share of the statements with a reference
	Quoted     stats.Interval `json:"quoted"`     // share of the citations with a quote
	Coverage   stats.Interval `json:"coverage"`   // mean share of a referenced statement's terms that its quotes hold
}

// quoted measures the evidence of answers without a judge, by condition.
func (v *view) quoted() []Quoted {
	var out []Quoted
	for _, c := range v.conditions {
		if e := v.records.EvidenceOf(c.Key); e.Citations > 0 {
			out = append(out, Quoted{c.Name, e.Answers, e.Statements, e.Citations, e.Referenced, e.Quoted, e.Coverage})
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
