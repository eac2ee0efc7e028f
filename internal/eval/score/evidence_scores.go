package score

import (
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/eval/stats"
	"github.com/neorag/neorag/internal/text/textproc"
)

// EvidenceScores are the quality of the evidence of the answers of an evaluation.
type EvidenceScores struct {
	Judge      string              `json:"judge"` // the model and its prompt; empty without --judge
	Conditions []ConditionEvidence `json:"conditions"`
}

// ConditionEvidence is the quality of the evidence of the answers of one condition. Shares are from
// 0 to 1, of all citations or statements of the condition, with their intervals over answers.
type ConditionEvidence struct {
	Condition  string         `json:"condition"` // method and settings
	Key        string         `json:"key"`       // of the condition in the folder
	Answers    int            `json:"answers"`
	Statements int            `json:"statements"` // with and without references
	Referenced stats.Interval `json:"referenced"` // share of the statements with a reference, from 0 to 1, as all shares, with its 95 % interval
	Citations  int            `json:"citations"`  // pairs of a statement and a record
	Quoted     stats.Interval `json:"quoted"`     // share of the citations with a quote, with its 95 % interval
	Coverage   stats.Interval `json:"coverage"`   // mean share of a referenced statement's terms that its quotes hold, with its 95 % interval
	Judged     int            `json:"judged"`     // answers with a verdict
	Failed     int            `json:"failed"`     // answers or verdicts that failed, which find no support
	Precision  stats.Interval `json:"precision"`  // share of the citations of judged answers whose quote supports all of the statement, with its 95 % interval
	WithParts  stats.Interval `json:"with_parts"` // share of the citations whose quote supports all or a part of it, with its 95 % interval
	Recall     stats.Interval `json:"recall"`     // share of the statements that their quotes support together, with its 95 % interval
}

// A Ratio is a share of sums, with what each answer adds to them.
type Ratio struct{ parts, wholes []float64 }

// Add adds an answer.
func (r *Ratio) Add(part float64, whole int) {
	r.parts, r.wholes = append(r.parts, part), append(r.wholes, float64(whole))
}

// Interval returns the share with its interval.
func (r Ratio) Interval() stats.Interval { return stats.BootstrapRatio(r.parts, r.wholes) }

// Evidence measures the evidence of answers without a model, and by the verdicts of a judge; ""
// for none.
func Evidence(f *evalrun.Folder, judge string) EvidenceScores {
	out := EvidenceScores{Judge: judge, Conditions: []ConditionEvidence{}}
	r := Read(f)
	for _, c := range r.conditions() {
		line := r.EvidenceOf(c.key)
		line.Condition = c.name
		var precision, withParts, recall Ratio
		for _, s := range r.Supports(c.key, judge) {
			switch s.State {
			case StateMade:
				line.Judged++
			case StateFailed:
				line.Failed++
			default:
				continue
			}
			precision.Add(float64(s.Verdict.Supported), s.Verdict.Citations)
			withParts.Add(float64(s.Verdict.Supported+s.Verdict.Partly), s.Verdict.Citations)
			recall.Add(float64(s.Verdict.Covered), s.Verdict.Statements)
		}
		line.Precision, line.WithParts, line.Recall = precision.Interval(), withParts.Interval(), recall.Interval()
		out.Conditions = append(out.Conditions, line)
	}
	return out
}

// EvidenceOf measures the evidence of the answers of a condition without a judge.
func (r Records) EvidenceOf(condition string) ConditionEvidence {
	var answers []evalrun.Answer
	for _, q := range r.Questions {
		if a, ok := r.folder.Answers.Get(evalrun.AnswerKey(condition, q.Key())); ok {
			answers = append(answers, a)
		}
	}
	out := ConditionEvidence{Key: condition, Answers: len(answers)}
	out.measure(answers)
	return out
}

// measure sets what needs no judge.
func (c *ConditionEvidence) measure(answers []evalrun.Answer) {
	var referenced, quoted, coverage Ratio
	for _, a := range answers {
		own := citedIn(a)
		c.Statements += len(own) + a.Uncited
		c.Citations += len(a.Citations)
		referenced.Add(float64(len(own)), len(own)+a.Uncited)
		quotes, covered := 0, 0.
		for _, s := range own {
			quotes += len(s.quotes)
			covered += s.coverage()
		}
		quoted.Add(float64(quotes), len(a.Citations))
		coverage.Add(covered, len(own))
	}
	c.Referenced, c.Quoted, c.Coverage = referenced.Interval(), quoted.Interval(), coverage.Interval()
}

// coverage returns the share of the terms of a statement that its quotes hold.
func (c cited) coverage() float64 {
	terms := textproc.TermSetOf(c.statement)
	if len(terms) == 0 {
		return 0
	}
	return float64(textproc.TermSetOf(strings.Join(c.quotes, "\n")).Shared(terms)) / float64(len(terms))
}

// Table returns the figures as a Markdown table.
func (s EvidenceScores) Table() string {
	var b strings.Builder
	b.WriteString("| condition | answers | statements | referenced % | citations | quoted % | coverage % |")
	rule := "|---|---:|---:|---:|---:|---:|---:|"
	if s.Judge != "" {
		b.WriteString(" judged | failed | precision % | with parts % | recall % |")
		rule += "---:|---:|---:|---:|---:|"
	}
	b.WriteString("\n" + rule + "\n")
	for _, c := range s.Conditions {
		fmt.Fprintf(&b, "| %s | %d | %d | %.1f | %d | %.1f | %.1f |", cell(c.Condition), c.Answers, c.Statements, 100*c.Referenced.Mean, c.Citations, 100*c.Quoted.Mean, 100*c.Coverage.Mean)
		if s.Judge != "" {
			fmt.Fprintf(&b, " %d | %d | %s | %s | %s |", c.Judged, c.Failed, percent(c.Precision), percent(c.WithParts), percent(c.Recall))
		}
		b.WriteString("\n")
	}
	return b.String()
}
