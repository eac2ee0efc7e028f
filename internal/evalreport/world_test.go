package evalreport_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/neorag/neorag/internal/evalrun"
)

// A writer adds records to the folder of an evaluation.
type writer struct {
	t testing.TB
	*evalrun.Folder
}

func newFolder(t testing.TB) writer {
	t.Helper()
	f, err := evalrun.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return writer{t, f}
}

func add[R evalrun.Record](w writer, cells *evalrun.Cells[R], r R) R {
	w.t.Helper()
	if err := cells.Add(r); err != nil {
		w.t.Fatal(err)
	}
	return r
}

func (w writer) fail(kind, cell, cause string) {
	w.t.Helper()
	if err := w.Fail(kind, cell, errors.New(cause)); err != nil {
		w.t.Fatal(err)
	}
}

func (w writer) question(q evalrun.Question) evalrun.Question { return add(w, w.Questions, q) }

func (w writer) condition(c evalrun.Condition) evalrun.Condition { return add(w, w.Conditions, c) }

// answer adds an answer with that many tokens of context.
func (w writer) answer(c evalrun.Condition, q evalrun.Question, tokens int) evalrun.Answer {
	return add(w, w.Answers, evalrun.Answer{
		Condition: c.Key(), Question: q.Key(), Text: "An answer. [1]", WrittenBy: "model", References: 1, Seconds: float64(tokens) / 1000,
		Usage:         evalrun.Usage{Calls: 1 + int64(tokens/8000), TokensIn: int64(tokens) + 300, TokensOut: 120, Cost: float64(tokens) / 1e6},
		ContextTokens: tokens, ContextUnits: tokens / 500,
	})
}

func (w writer) judgement(first, second evalrun.Answer, criterion string, replicate, winner int) {
	add(w, w.Judgements, evalrun.Judgement{
		First: first.Key(), Second: second.Key(), Criterion: criterion, Replicate: replicate, Judge: "judge-1", Winner: winner,
		Usage: evalrun.Usage{Calls: 1, TokensIn: 900, TokensOut: 40, Cost: .001},
	})
}

// small writes an evaluation with whatever a report shows: failures, a changed corpus, two judges of
// answers, and texts that neither Markdown nor HTML may show as they are.
func small(t testing.TB) writer {
	w := newFolder(t)
	draw := rand.New(rand.NewPCG(3, 3)) //nolint:gosec // test data
	var questions []evalrun.Question
	for i := range 8 {
		q := evalrun.Question{ID: fmt.Sprint("q", i+1), Text: fmt.Sprintf("What is said of %d?", i+1), Type: []string{"single|<b>", "multi"}[i%2], Answer: []string{"Yes", "Marley"}[i/2%2]}
		if i > 5 {
			q.Type, q.Answer = "null", ""
		}
		questions = append(questions, w.question(q))
	}
	base := evalrun.Condition{Method: "basic", Corpus: "carol", State: "0123456789ab", Model: "model-1", Prompts: "fedcba987654", Version: "1.0"}
	old := base
	old.State = "before"
	w.condition(old)
	conditions := []evalrun.Condition{w.condition(base)}
	for _, level := range []string{"0", "2"} {
		c := base
		c.Method, c.Settings = "global", map[string]string{"level": level}
		conditions = append(conditions, w.condition(c))
	}
	tokens := []int{7600, 6200, 20100}
	answers := make([][]evalrun.Answer, len(conditions))
	for i, c := range conditions {
		for j, q := range questions {
			if i == 2 && j == 7 {
				w.fail("answers", evalrun.AnswerKey(c.Key(), q.Key()), "the server answered 500: <script>alert(1)</script> | \x1b[31m`")
				answers[i] = append(answers[i], evalrun.Answer{})
				continue
			}
			a := w.answer(c, q, tokens[i]+draw.IntN(500))
			answers[i] = append(answers[i], a)
			w.assess(a, q, i, draw)
		}
	}
	w.answer(old, questions[0], 9999)
	for a := range conditions {
		for b := a + 1; b < len(conditions); b++ {
			for j := range questions {
				if answers[b][j].Condition != "" {
					w.judgeBoth(answers[a][j], answers[b][j], b, draw)
				}
			}
		}
	}
	return w
}

// assess adds verdicts and claims.
func (w writer) assess(a evalrun.Answer, q evalrun.Question, condition int, draw *rand.Rand) {
	v := evalrun.Verdict{Answer: a.Key(), Kind: evalrun.VerdictCorrect, Judge: "judge-1", Correct: draw.IntN(4) < 2+condition}
	if q.ID == "q3" && condition == 0 {
		w.fail("verdicts", v.Key(), "no verdict after three attempts")
	} else {
		add(w, w.Verdicts, v)
	}
	citations := 1 + draw.IntN(6)
	supported := draw.IntN(citations + 1)
	add(w, w.Verdicts, evalrun.Verdict{
		Answer: a.Key(), Kind: evalrun.VerdictEvidence, Judge: "judge-1",
		Supported: supported, Partly: (citations - supported) / 2, Citations: citations, Covered: min(supported, 3), Statements: 3,
	})
	add(w, w.Claims, evalrun.Claims{Answer: a.Key(), Extractor: "model-1", Claims: make([]string, 4+4*condition+draw.IntN(4))})
}

// judgeBoth adds judgements in both orders, in which later conditions tend to win, except that they
// are less direct. One of them fails.
func (w writer) judgeBoth(x, y evalrun.Answer, later int, draw *rand.Rand) {
	for _, criterion := range []string{"overall", "directness", "comprehensiveness"} {
		for replicate := range 2 {
			better := 1 + one(draw.IntN(5) < 3)
			if criterion == "directness" {
				better = 1
			}
			w.judgement(x, y, criterion, replicate, better)
			backward := evalrun.Judgement{First: y.Key(), Second: x.Key(), Criterion: criterion, Replicate: replicate, Judge: "judge-1", Winner: 3 - better}
			switch {
			case later == 1 && replicate == 1 && criterion == "overall" && draw.IntN(3) == 0:
				w.fail("judgements", backward.Key(), "invalid JSON")
				continue
			case draw.IntN(4) == 0:
				backward.Winner = 0
			}
			add(w, w.Judgements, backward)
		}
	}
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// smallFolder is the evaluation of small, as a folder of the repository.
const smallFolder = "testdata/small"

// TestSmallFolder expects that the folder of the repository is what small writes.
func TestSmallFolder(t *testing.T) {
	w := small(t)
	files, err := filepath.Glob(filepath.Join(w.Dir, "*.jsonl"))
	if err != nil || len(files) != 7 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		golden(t, filepath.Join(smallFolder, filepath.Base(name)), read(t, name))
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	body, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return body
}
