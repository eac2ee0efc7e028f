package evalreport_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/eval/evalreport"
	"github.com/neorag/neorag/internal/eval/evalrun"
)

// A quality is how well one condition answers questions, which is drawn for each.
type quality struct {
	accuracy  float64
	tokens    int
	questions int
	judge     string
	method    string
	failed    int // questions, the first ones, whose answers failed
}

func (q quality) write(t *testing.T, seed uint64) *evalrun.Folder {
	t.Helper()
	w := newWriter(t)
	draw := rand.New(rand.NewPCG(seed, 5)) //nolint:gosec // test data
	c := w.condition(evalrun.Condition{Method: q.method})
	for i := range q.questions {
		question := w.question(evalrun.Question{ID: fmt.Sprint(seed, "-", i), Text: fmt.Sprint("question ", i), Answer: "Yes"})
		if i < q.failed {
			w.fail(answers, evalrun.AnswerKey(c.Key(), question.Key()), "refused")
			continue
		}
		a := w.answer(c, question, q.tokens+draw.IntN(50))
		add(w, verdicts, evalrun.Verdict{Answer: a.Key(), Kind: evalrun.VerdictCorrect, Judge: q.judge, Correct: draw.Float64() < q.accuracy})
	}
	return w.open()
}

func TestCompare(t *testing.T) {
	t.Parallel()
	base := quality{accuracy: .8, tokens: 2000, questions: 60, judge: "j", method: "basic"}
	changed := func(change func(*quality)) quality {
		q := base
		change(&q)
		return q
	}
	for _, c := range []struct {
		name     string
		new      quality
		options  evalreport.CompareOptions
		failed   bool
		outcomes map[string]string // those that are not "same"
	}{
		{"equal", base, evalreport.CompareOptions{}, false, nil},
		{"less accurate", changed(func(q *quality) { q.accuracy = .3 }), evalreport.CompareOptions{}, true, map[string]string{"accuracy": "worse"}},
		{"more accurate", changed(func(q *quality) { q.accuracy = 1 }), evalreport.CompareOptions{}, false, map[string]string{"accuracy": "better"}},
		{"more tokens", changed(func(q *quality) { q.tokens = 3000 }), evalreport.CompareOptions{CostMargin: .1}, true, map[string]string{"tokens": "worse"}},
		{"more tokens within the margin", changed(func(q *quality) { q.tokens = 2100 }), evalreport.CompareOptions{CostMargin: .1}, false, nil},
		{"more tokens without a margin", changed(func(q *quality) { q.tokens = 2100 }), evalreport.CompareOptions{}, true, map[string]string{"tokens": "worse"}},
		{"fewer tokens", changed(func(q *quality) { q.tokens = 1000 }), evalreport.CompareOptions{}, false, map[string]string{"tokens": "better"}},
		{
			"answers failed", changed(func(q *quality) { q.failed = 25 }),
			evalreport.CompareOptions{Partial: true},
			true,
			map[string]string{"answered": "worse", "accuracy": "worse"},
		},
		{
			"questions missing", changed(func(q *quality) { q.questions = 40 }),
			evalreport.CompareOptions{},
			true,
			map[string]string{"answered": "missing", "accuracy": "missing", "calls": "missing", "tokens": "missing"},
		},
		{"questions missing, which is accepted", changed(func(q *quality) { q.questions = 40 }), evalreport.CompareOptions{Partial: true}, false, nil},
		{"another judge", changed(func(q *quality) { q.judge = "k" }), evalreport.CompareOptions{}, true, map[string]string{"accuracy": "missing"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := evalreport.Compare(base.write(t, 1), c.new.write(t, 2), c.options)
			if err != nil {
				t.Fatal(err)
			}
			outcomes := map[string]string{}
			for _, f := range got.Figures {
				if f.Outcome != evalreport.OutcomeSame {
					outcomes[f.Figure] = f.Outcome
				}
			}
			if c.outcomes == nil {
				c.outcomes = map[string]string{}
			}
			if diff := cmp.Diff(c.outcomes, outcomes); diff != "" || got.Failed != c.failed {
				t.Errorf("failed %v, want %v; outcomes (-want +got):\n%s\n%+v", got.Failed, c.failed, diff, got.Figures)
			}
		})
	}
	_, err := evalreport.Compare(base.write(t, 1), changed(func(q *quality) { q.method = "local" }).write(t, 2), evalreport.CompareOptions{Partial: true})
	if !errors.Is(err, evalreport.ErrNothingShared) {
		t.Errorf("nothing shared: %v", err)
	}
	if _, err = evalreport.Compare(base.write(t, 1), base.write(t, 2), evalreport.CompareOptions{Against: "none"}); !errors.Is(err, evalreport.ErrNoCondition) {
		t.Errorf("unknown condition: %v", err)
	}
}

// TestCompareSameQuality expects that two evaluations of the same quality differ in at most one run
// of twenty.
func TestCompareSameQuality(t *testing.T) {
	t.Parallel()
	const runs = 100
	failed := 0
	for seed := range uint64(runs) {
		q := quality{accuracy: .6, tokens: 2000, questions: 40, judge: "j", method: "basic"}
		c, err := evalreport.Compare(q.write(t, 2*seed), q.write(t, 2*seed+1), evalreport.CompareOptions{CostMargin: .1})
		if err != nil {
			t.Fatal(err)
		}
		failed += one(c.Failed)
	}
	if failed > runs/20 {
		t.Errorf("%d of %d comparisons failed", failed, runs)
	}
}

// TestCompareWinRates expects that a condition whose win rate over another one falls is worse, and
// the other one is not called better: one of both is what others are compared with.
func TestCompareWinRates(t *testing.T) {
	t.Parallel()
	folder := func(preferred int, seed uint64) *evalrun.Folder {
		draw := rand.New(rand.NewPCG(seed, 6)) //nolint:gosec // test data
		return tournament{2, 30, 1, biased(draw, preferred, .8)}.write(t).open()
	}
	for against, want := range map[string][2]string{
		"":         {"method-1", "worse"},
		"method-1": {"method-0", "better"},
	} {
		c, err := evalreport.Compare(folder(1, 1), folder(0, 2), evalreport.CompareOptions{Against: against})
		if err != nil {
			t.Fatal(err)
		}
		var changed [][2]string
		for _, f := range c.Figures {
			if f.Outcome != evalreport.OutcomeSame {
				changed = append(changed, [2]string{f.Condition, f.Outcome})
			}
		}
		if diff := cmp.Diff([][2]string{want}, changed); diff != "" {
			t.Errorf("against %q (-want +got):\n%s", against, diff)
		}
	}
}

// searched writes an evaluation in which a method ranks the document of each question at a rank that
// is drawn up to the worst one. The searches for the first questions fail.
func searched(t *testing.T, method string, seed uint64, questions, worst, failed int) *evalrun.Folder {
	t.Helper()
	w := newWriter(t)
	draw := rand.New(rand.NewPCG(seed, 7)) //nolint:gosec // test data
	c := w.condition(evalrun.Condition{Method: method, Search: true})
	for i := range questions {
		q := w.question(evalrun.Question{ID: strconv.Itoa(i), Text: fmt.Sprint("question ", i), Documents: []string{"a.txt"}})
		if i < failed {
			w.fail(searches, evalrun.SearchKey(c.Key(), q), "refused")
			continue
		}
		add(w, searches, evalrun.Search{Condition: c.Key(), Question: q.Key(), Evidence: q.Documents, Ranks: []int{1 + draw.IntN(worst)}})
	}
	return w.open()
}

// TestCompareRetrieval expects that searches which find less, fail or are missing are worse, and
// others are not.
func TestCompareRetrieval(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                     string
		questions, worst, failed int
		options                  evalreport.CompareOptions
		wantFailed               bool
		outcomes                 map[string]string // those that are not "same"
	}{
		{"equal", 60, 4, 0, evalreport.CompareOptions{}, false, map[string]string{}},
		{"worse ranks", 60, 12, 0, evalreport.CompareOptions{}, true, map[string]string{"recall@5": "worse", "MRR": "worse", "nDCG@10": "worse"}},
		{"better ranks", 60, 1, 0, evalreport.CompareOptions{}, false, map[string]string{"MRR": "better", "nDCG@10": "better"}},
		{"failed searches", 60, 4, 30, evalreport.CompareOptions{}, true, map[string]string{"recall@5": "worse", "MRR": "worse", "nDCG@10": "worse"}},
		{"missing searches", 40, 4, 0, evalreport.CompareOptions{}, true, map[string]string{"recall@5": "missing", "MRR": "missing", "nDCG@10": "missing"}},
		{"missing searches, which is accepted", 40, 4, 0, evalreport.CompareOptions{Partial: true}, false, map[string]string{}},
	} {
		got, err := evalreport.Compare(searched(t, "basic", 1, 60, 4, 0), searched(t, "basic", 2, c.questions, c.worst, c.failed), c.options)
		if err != nil {
			t.Fatal(err)
		}
		outcomes := map[string]string{}
		for _, f := range got.Figures {
			if f.Outcome != evalreport.OutcomeSame {
				outcomes[f.Figure] = f.Outcome
			}
		}
		if diff := cmp.Diff(c.outcomes, outcomes); diff != "" || got.Failed != c.wantFailed || len(got.Figures) != 3 {
			t.Errorf("%s: failed %v, want %v; outcomes (-want +got):\n%s\n%+v", c.name, got.Failed, c.wantFailed, diff, got.Figures)
		}
	}
	if _, err := evalreport.Compare(searched(t, "basic", 1, 60, 4, 0), searched(t, "local", 1, 60, 4, 0), evalreport.CompareOptions{Partial: true}); !errors.Is(err, evalreport.ErrNothingShared) {
		t.Errorf("another method: %v", err)
	}
	if _, err := evalreport.Compare(searched(t, "basic", 1, 60, 4, 0), searched(t, "basic", 1, 60, 4, 0), evalreport.CompareOptions{Against: "none"}); !errors.Is(err, evalreport.ErrNoCondition) {
		t.Errorf("against an unknown condition: %v", err)
	}
}
