package evalreport_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/neorag/neorag/internal/eval/evalreport"
	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/eval/stats"
)

// A tournament is an evaluation in which every pair of conditions is judged.
type tournament struct {
	conditions, questions, replicates int
	// judge returns the winner of the answers of two conditions in the order in which they are read.
	judge func(first, second, question int) int
}

func (m tournament) write(t *testing.T) writer {
	t.Helper()
	w := newWriter(t)
	given := make([][]evalrun.Answer, m.conditions)
	for i := range given {
		c := w.condition(evalrun.Condition{Method: fmt.Sprint("method-", i)})
		for j := range m.questions {
			q := evalrun.Question{ID: strconv.Itoa(j), Text: fmt.Sprint("question ", j)}
			if i == 0 {
				w.question(q)
			}
			given[i] = append(given[i], w.answer(c, q, 100))
		}
	}
	for a := range given {
		for b := range given {
			for j := range m.questions {
				for r := range m.replicates {
					if a != b {
						w.judgement(given[a][j], given[b][j], "comprehensiveness", r, m.judge(a, b, j))
					}
				}
			}
		}
	}
	return w
}

func (m tournament) pairs(t *testing.T) []evalreport.ConditionPair {
	t.Helper()
	r := m.write(t).report()
	if want := m.conditions * (m.conditions - 1) / 2; len(r.Pairs) != want {
		t.Fatalf("%d pairs, want %d", len(r.Pairs), want)
	}
	return r.Pairs
}

// biased returns a judge that prefers the answer it reads first to the other with a probability of
// .7, and changes its mind for a preferred condition with that one.
func biased(draw *rand.Rand, preferred int, probability float64) func(int, int, int) int {
	return func(first, second, _ int) int {
		switch p := draw.Float64(); {
		case first == preferred && p < probability:
			return 1
		case second == preferred && p < probability:
			return 2
		case p < .1:
			return 0
		}
		return 1 + one(draw.Float64() > .7)
	}
}

// TestJudgeWithoutPreference expects that among the pairs of a judge who prefers no condition, but
// what is read first, at most one run in twenty has a significant one.
func TestJudgeWithoutPreference(t *testing.T) {
	t.Parallel()
	const runs = 120
	significant, uncorrected := 0, 0
	for seed := range uint64(runs) {
		draw := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // test data
		found, single := false, false
		for _, p := range (tournament{4, 24, 1, biased(draw, -1, 0)}).pairs(t) {
			found = found || p.Holm < .05
			single = single || p.Wilcoxon.P < .05
		}
		significant, uncorrected = significant+one(found), uncorrected+one(single)
	}
	if significant > runs/20 {
		t.Errorf("%d of %d runs have a significant pair", significant, runs)
	}
	if uncorrected <= significant {
		t.Errorf("%d of %d runs have a significant pair before the correction, which should be more than the %d after it", uncorrected, runs, significant)
	}
}

// TestJudgeWithPreference expects that a strong preference is found in spite of the bias, and one
// between the other conditions in at most one run in ten.
func TestJudgeWithPreference(t *testing.T) {
	t.Parallel()
	const runs = 20
	others := 0
	for seed := range uint64(runs) {
		draw := rand.New(rand.NewPCG(seed, 2)) //nolint:gosec // test data
		for _, p := range (tournament{3, 30, 2, biased(draw, 2, .7)}).pairs(t) {
			if p.Second != "method-2" {
				others += one(p.Holm < .05)
			} else if p.Holm >= .05 || p.Permutation.P >= .05 || p.Score.High >= 50 {
				t.Errorf("seed %d: %s and %s: %+v", seed, p.First, p.Second, p)
			}
		}
	}
	if others > runs/10 {
		t.Errorf("in %d of %d runs a preference between the others was found", others, runs)
	}
}

// TestPositionBiasCancels expects that a judge who always prefers what it reads first prefers no
// condition, also if more judgements of one order failed.
func TestPositionBiasCancels(t *testing.T) {
	t.Parallel()
	w := tournament{2, 12, 3, func(int, int, int) int { return 1 }}.write(t)
	f, fresh := w.open(), newWriter(t)
	copyRecords(fresh, f)
	for i, j := range f.Judgements.All() {
		if j.Replicate == 2 && i < 36 { // of the first order
			fresh.fail(judgements, j.Key(), "refused")
			continue
		}
		add(fresh, judgements, j)
	}
	p := fresh.report().Pairs[0]
	if p.Failed != 12 || p.Judged != 60 || p.OneOrder != 0 {
		t.Fatalf("%d judgements failed, %d did not, %d questions in one order", p.Failed, p.Judged, p.OneOrder)
	}
	if p.Score.Mean != 50 || p.Wilcoxon.Pairs != 0 || p.Holm != 1 {
		t.Errorf("%+v", p)
	}
}

func copyRecords(to writer, from *evalrun.Folder) {
	for _, q := range from.Questions.All() {
		to.question(q)
	}
	for _, c := range from.Conditions.All() {
		to.condition(c)
	}
	for _, a := range from.Answers.All() {
		add(to, answers, a)
	}
}

// TestReplicatesAreNoQuestions expects that a judge who prefers either condition by the question,
// and says so in each replicate, finds no difference more often than the level of the test: six
// judgements of one question are one observation.
func TestReplicatesAreNoQuestions(t *testing.T) {
	t.Parallel()
	const runs = 100
	permutation, wilcoxon := 0, 0
	for seed := range uint64(runs) {
		draw := rand.New(rand.NewPCG(seed, 3)) //nolint:gosec // test data
		preferred := make([]int, 20)
		for i := range preferred {
			preferred[i] = draw.IntN(2)
		}
		p := tournament{2, 20, 3, func(first, _, question int) int { return 1 + one(preferred[question] != first) }}.pairs(t)[0]
		permutation, wilcoxon = permutation+one(p.Permutation.P < .05), wilcoxon+one(p.Wilcoxon.P < .05)
	}
	if permutation > runs/12 || wilcoxon > runs/12 {
		t.Errorf("of %d runs the permutation test found a difference in %d, the signed-rank test in %d", runs, permutation, wilcoxon)
	}
}

// TestConditionsSwapped expects that the order of conditions in the folder only exchanges columns.
func TestConditionsSwapped(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(4, 4)) //nolint:gosec // test data
	w := tournament{2, 40, 3, biased(draw, 1, .3)}.write(t)
	f, swapped := w.open(), newWriter(t)
	swapped.condition(f.Conditions.All()[1])
	copyRecords(swapped, f)
	for _, j := range f.Judgements.All() {
		add(swapped, judgements, j)
	}
	p, q := onlyPair(t, w), onlyPair(t, swapped)
	if p.First != q.Second || p.Second != q.First {
		t.Fatalf("%s and %s, swapped %s and %s", p.First, p.Second, q.First, q.Second)
	}
	for what, pair := range map[string][2]float64{
		"mean": {p.Score.Mean, 100 - q.Score.Mean}, "low": {p.Score.Low, 100 - q.Score.High}, "Z": {p.Wilcoxon.Z, -q.Wilcoxon.Z},
		"p": {p.Holm, q.Holm}, "p of permutations": {p.Permutation.P, q.Permutation.P}, "W": {p.Shapiro.W, q.Shapiro.W},
	} {
		if !(math.Abs(pair[0]-pair[1]) < 2) || what != "low" && !(math.Abs(pair[0]-pair[1]) < 1e-9) {
			t.Errorf("%s = %v, swapped %v", what, pair[0], pair[1])
		}
	}
}

// TestEqualScoresAreTies expects that scores of thirds, which no float holds exactly, are ties.
func TestEqualScoresAreTies(t *testing.T) {
	t.Parallel()
	w := newWriter(t)
	var given [2][]evalrun.Answer
	var signs []float64
	for i := range given {
		c := w.condition(evalrun.Condition{Method: fmt.Sprint("method-", i)})
		for j := range 20 {
			q := evalrun.Question{ID: strconv.Itoa(j), Text: fmt.Sprint("question ", j)}
			if i == 0 {
				w.question(q)
			}
			given[i] = append(given[i], w.answer(c, q, 100))
		}
	}
	// The winners of each order, from the first condition's view, whose mean score is 50, a third of
	// 100, or two thirds.
	scores := [][2][3]int{{{1, 1, 2}, {1, 2, 2}}, {{1, 2, 2}, {2, 2, 1}}, {{1, 1, 2}, {1, 2, 1}}}
	for j := range 20 {
		kind := j % 7 % 3
		signs = append(signs, float64([]int{0, -1, 1}[kind]))
		for r := range 3 {
			w.judgement(given[0][j], given[1][j], "comprehensiveness", r, scores[kind][0][r])
			w.judgement(given[1][j], given[0][j], "comprehensiveness", r, 3-scores[kind][1][r])
		}
	}
	if got, want := onlyPair(t, w).Wilcoxon, stats.SignedRank(signs); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func onlyPair(t *testing.T, w writer) evalreport.ConditionPair {
	t.Helper()
	r := w.report()
	if len(r.Pairs) != 1 {
		t.Fatalf("%d pairs", len(r.Pairs))
	}
	return r.Pairs[0]
}
