package evalreport

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/eval/stats"
)

// ErrNothingShared means that two evaluations have no question with the same figure.
var ErrNothingShared = errors.New("the evaluations share no condition with a figure of the same question")

// CompareOptions choose when a figure counts as worse.
type CompareOptions struct {
	// Against is the condition whose win rates over others are compared; "" for the first one.
	Against string
	// CostMargin is the share by which calls and tokens may rise before they count as worse; 0
	// allows none.
	CostMargin float64
	// Partial accepts that the new evaluation lacks what the old one has. Otherwise what it lacks
	// counts as worse.
	Partial bool
}

// The outcomes of a comparison.
const (
	OutcomeBetter  = "better"
	OutcomeWorse   = "worse"
	OutcomeSame    = "same"    // no difference beyond the interval
	OutcomeMissing = "missing" // the new evaluation lacks the figure, for all questions or for some
)

// A Comparison is what became better or worse, as `eval compare --json` prints it.
type Comparison struct {
	Figures []Change `json:"figures"`
	Better  int      `json:"better"`
	Worse   int      `json:"worse"`
	Missing int      `json:"missing"`
	Failed  bool     `json:"failed"` // there is a worse figure: the exit code is 1
}

// A Change is one figure of a condition in two evaluations. Means are over the questions that both
// have.
type Change struct {
	Condition  string         `json:"condition"`
	Figure     string         `json:"figure"`
	Judge      string         `json:"judge,omitempty"` // or the extractor of claims
	Questions  int            `json:"questions"`       // that both evaluations have
	Lacking    int            `json:"lacking"`         // questions that only the old one has
	Old        float64        `json:"old"`             // mean over the questions that both have
	New        float64        `json:"new"`             // mean over the questions that both have
	Difference stats.Interval `json:"difference"`      // new less old, paired by question, with its interval of 95 %
	P          float64        `json:"p_holm"`          // of a permutation test, corrected for all figures of quality or of cost
	Outcome    string         `json:"outcome" enum:"better,worse,same,missing"`

	lowerIsBetter bool
}

// A figure is a measure of one condition by the text of the question.
type figure struct {
	condition, name, judge string
	lowerIsBetter          bool
	byQuestion             map[string]float64
}

func (f figure) id() [3]string { return [3]string{f.condition, f.name, f.judge} }

// Compare pairs the figures of two evaluations by condition, judge and text of the question. A
// figure is better or worse if 0 is outside the interval of the difference and the p-value of a
// permutation test, corrected for all figures of quality or of cost, is below .05: of twenty figures
// that stayed the same, one interval would exclude 0 by chance.
func Compare(before, after *evalrun.Folder, o CompareOptions) (Comparison, error) {
	old, err := figuresOf(before, o.Against)
	if err != nil {
		return Comparison{}, fmt.Errorf("old evaluation: %w", err)
	}
	latest, err := figuresOf(after, o.Against)
	if err != nil {
		return Comparison{}, fmt.Errorf("new evaluation: %w", err)
	}
	c := Comparison{Figures: []Change{}}
	tested := false
	for _, f := range old {
		i := slices.IndexFunc(latest, func(g figure) bool { return g.id() == f.id() })
		var other map[string]float64
		if i >= 0 {
			other = latest[i].byQuestion
		}
		change := changeOf(f, other)
		tested = tested || change.Questions > 0
		c.Figures = append(c.Figures, change)
	}
	if !tested {
		return c, ErrNothingShared
	}
	c.correct(false)
	c.correct(true)
	for i := range c.Figures {
		c.count(&c.Figures[i], o)
	}
	c.Failed = c.Worse > 0 || c.Missing > 0 && !o.Partial
	return c, nil
}

// correct corrects the p-values of figures of quality, or of cost.
func (c *Comparison) correct(cost bool) {
	var family []*Change
	var p []float64
	for i := range c.Figures {
		if f := &c.Figures[i]; f.Questions > 0 && f.lowerIsBetter == cost {
			family, p = append(family, f), append(p, f.P)
		}
	}
	for i, corrected := range stats.Holm(p) {
		family[i].P = corrected
	}
}

// count sets the outcome of a figure, and counts it.
func (c *Comparison) count(f *Change, o CompareOptions) {
	f.Outcome = f.outcome(o)
	switch f.Outcome {
	case OutcomeBetter:
		c.Better++
	case OutcomeWorse:
		c.Worse++
	case OutcomeMissing:
		c.Missing++
	}
}

func (f *Change) outcome(o CompareOptions) string {
	changed := f.Questions > 0 && f.Difference.Apart() && f.P < significant
	rise := f.Difference.Mean > 0
	switch {
	case changed && f.lowerIsBetter && rise:
		if f.Difference.Mean > o.CostMargin*f.Old {
			return OutcomeWorse
		}
	case changed && rise != f.lowerIsBetter:
		return OutcomeBetter
	case changed:
		return OutcomeWorse
	}
	if f.Questions == 0 || f.Lacking > 0 && !o.Partial {
		return OutcomeMissing
	}
	return OutcomeSame
}

// changeOf compares a figure of the old evaluation with the values of the new one. P is not
// corrected yet.
func changeOf(f figure, other map[string]float64) Change {
	c := Change{Condition: f.condition, Figure: f.name, Judge: f.judge, lowerIsBetter: f.lowerIsBetter, P: 1}
	var differences []float64
	var clusters [][]float64
	for _, question := range sortedKeys(f.byQuestion) {
		x := f.byQuestion[question]
		y, ok := other[question]
		if !ok {
			c.Lacking++
			continue
		}
		c.Questions++
		c.Old, c.New = c.Old+x, c.New+y
		d := rounded(y - x)
		differences, clusters = append(differences, d), append(clusters, []float64{d})
	}
	n := float64(max(1, c.Questions))
	c.Old, c.New, c.Difference = c.Old/n, c.New/n, stats.Bootstrap(differences)
	if c.Questions > 0 {
		c.P = stats.ClusteredPermutation(clusters).P
	}
	return c
}

// figuresOf returns the figures of an evaluation that are compared.
func figuresOf(f *evalrun.Folder, against string) ([]figure, error) {
	v := newView(f, false)
	base, err := v.against(against)
	if err != nil {
		return nil, err
	}
	var out []figure
	add := func(condition, name, judge string, lower bool, of values) {
		byQuestion := map[string]float64{}
		for i, x := range of {
			if text := v.questions[i].Text; !math.IsNaN(x) {
				if _, twice := byQuestion[text]; !twice {
					byQuestion[text] = x
				}
			}
		}
		if len(byQuestion) > 0 {
			out = append(out, figure{condition, name, judge, lower, byQuestion})
		}
	}
	for i, c := range v.conditions {
		answered := empty(len(v.questions))
		for j, cell := range v.answers[i] {
			if cell.asked() {
				answered[j] = one(cell.answer != nil)
			}
		}
		add(c.Name, "answered", "", false, answered)
	}
	known := map[string]bool{}
	for _, c := range v.conditions {
		known[c.Name] = true
	}
	for _, a := range v.accuracies() {
		if known[a.Condition] { // and no constant answer
			add(a.Condition, "accuracy", a.Judge, false, a.values)
		}
	}
	for _, e := range v.evidence() {
		add(e.Condition, "citation precision", e.Judge, false, e.precision)
		add(e.Condition, "citation recall", e.Judge, false, e.recall)
	}
	for _, c := range v.claims() {
		add(c.Condition, "claims", c.Extractor, false, c.counts)
	}
	for _, r := range v.retrieval(against) {
		for _, f := range comparedMetrics {
			add(r.Name, f.name, "", false, r.values(f.of))
		}
	}
	for _, p := range v.pairs() {
		switch base {
		case p.Second:
			add(p.First, "win rate over "+base+", "+p.Criterion, p.Judge, false, p.scores)
		case p.First:
			add(p.Second, "win rate over "+base+", "+p.Criterion, p.Judge, false, p.scores.lostBy())
		}
	}
	for _, c := range v.costs() {
		add(c.Condition, "calls", "", true, c.calls)
		add(c.Condition, "tokens", "", true, c.tokens)
	}
	return out, nil
}
