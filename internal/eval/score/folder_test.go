package score_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/eval/score"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// folder returns an evaluation with two conditions that answer two questions, "long" with more.
func folder(t *testing.T, dir string) *evalrun.Folder {
	t.Helper()
	f, err := evalrun.Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	questions := []evalrun.Question{
		{ID: "1", Text: "Who died?", Answer: "Jacob Marley", Type: "single"},
		{ID: "2", Text: "Who repaired the roof?", Type: "null"},
		{ID: "3", Text: "What are the themes?"},
	}
	short, long := evalrun.Condition{Method: "basic", Version: "v"}, evalrun.Condition{Method: "global", Version: "v"}
	var errs []error
	for _, q := range questions {
		errs = append(errs, f.Questions.Add(q))
	}
	for _, c := range []evalrun.Condition{short, long} {
		errs = append(errs, f.Conditions.Add(c))
	}
	for _, a := range []evalrun.Answer{
		{Condition: short.Key(), Question: questions[0].Key(), Text: "Jacob Marley died on that Christmas Eve. [1]", References: 1, Citations: []evalrun.Citation{
			{N: 1, Statement: "Jacob Marley died on that Christmas Eve.", Quote: "Jacob Marley died on that very Christmas Eve"},
		}},
		{Condition: short.Key(), Question: questions[1].Key(), Text: "Nothing that was found in this corpus answers the question."},
		{Condition: long.Key(), Question: questions[0].Key(), Text: "It was old Jacob Marley who died; Scrooge signed the register. [1][2] The clergyman signed the same register. [3]", References: 3, Uncited: 1, Citations: []evalrun.Citation{
			{N: 1, Statement: "It was old Jacob Marley who died; Scrooge signed the register.", Quote: "old Jacob Marley who died"},
			{N: 2, Statement: "It was old Jacob Marley who died; Scrooge signed the register.", Quote: "it was Scrooge signed the register"},
			{N: 3, Statement: "The clergyman signed the same register."},
		}},
	} {
		errs = append(errs, f.Answers.Add(a))
	}
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return f
}

// simulated returns the simulated model, and counts its calls.
func simulated(t *testing.T, calls *atomic.Int64) *score.Model {
	t.Helper()
	return &score.Model{Name: "simulated", Ask: func(_ context.Context, name string, values prompts.Values, valid func(string) error) (string, error) {
		calls.Add(1)
		p, err := (prompts.Set{}).Get(name)
		if err != nil {
			return "", err
		}
		system, user := p.Render(values)
		text := fakemodel.Handler(llmtest.Request{Messages: []llmtest.Message{{Role: "system", Content: system}, {Role: "user", Content: user}}}).Text
		text = strings.TrimSuffix(strings.TrimPrefix(text, "```json\n"), "\n```")
		return text, valid(text)
	}}
}

func claimsOf(f *evalrun.Folder) map[string][]string {
	out := map[string][]string{}
	for _, c := range f.Claims.All() {
		a, _ := f.Answers.Get(c.Answer)
		condition, _ := f.Conditions.Get(a.Condition)
		q, _ := f.Questions.Get(a.Question)
		out[condition.Name()+" "+q.ID+" "+strings.Fields(c.Extractor)[0]] = c.Claims
	}
	return out
}

// TestExtractClaims: by a model and by rules, each cell once, and a broken one again.
func TestExtractClaims(t *testing.T) {
	t.Parallel()
	f := folder(t, t.TempDir())
	var calls atomic.Int64
	m := simulated(t, &calls)
	broken := *m
	broken.Ask = func(ctx context.Context, name string, values prompts.Values, valid func(string) error) (string, error) {
		if strings.Contains(values["text"], "clergyman") {
			return "", errors.New("the server is ill")
		}
		return m.Ask(ctx, name, values, valid)
	}
	got, err := score.ExtractClaims(t.Context(), f, &broken, score.Options{Limit: 3})
	if err != nil || got != (evalrun.Count{Cells: 3, Made: 2, Failed: 1}) || len(f.Failures()) != 1 {
		t.Fatalf("broken: %+v, %v, failures %v", got, err, f.Failures())
	}
	if got, err = score.ExtractClaims(t.Context(), f, m, score.Options{}); err != nil || got != (evalrun.Count{Cells: 3, Made: 1}) || len(f.Failures()) != 0 || calls.Load() != 3 {
		t.Fatalf("again: %+v, %v, %d calls, failures %v", got, err, calls.Load(), f.Failures())
	}
	if got, err = score.ExtractClaims(t.Context(), f, nil, score.Options{}); err != nil || got != (evalrun.Count{Cells: 3, Made: 3}) {
		t.Fatalf("by rules: %+v, %v", got, err)
	}
	want := map[string][]string{
		"basic 1 simulated":  {"Jacob Marley died on that Christmas Eve."},
		"basic 2 simulated":  {"Nothing that was found in this corpus answers the question."},
		"global 1 simulated": {"It was old Jacob Marley who died", "Scrooge signed the register.", "The clergyman signed the same register."},
		"basic 1 rules":      {"Jacob Marley died on that Christmas Eve."},
		"basic 2 rules":      {},
		"global 1 rules":     {"It was old Jacob Marley who died; Scrooge signed the register.", "The clergyman signed the same register."},
	}
	if diff := cmp.Diff(want, claimsOf(f)); diff != "" {
		t.Errorf("claims (-want +got):\n%s", diff)
	}
}

// TestLongAnswer: a long answer is read in parts, each with the sentences before it.
func TestLongAnswer(t *testing.T) {
	t.Parallel()
	f := folder(t, t.TempDir())
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, "- In year %d the keeper of the lighthouse wrote one more long letter to the harbour office. [1]\n", 1700+i)
	}
	if err := f.Answers.Add(evalrun.Answer{Condition: "long", Question: "q", Text: b.String()}); err != nil {
		t.Fatal(err)
	}
	var calls, overlapping atomic.Int64
	m := simulated(t, &calls)
	ask := m.Ask
	m.Ask = func(ctx context.Context, name string, values prompts.Values, valid func(string) error) (string, error) {
		if strings.HasPrefix(values["text"], "In year") {
			overlapping.Add(1)
		}
		return ask(ctx, name, values, valid)
	}
	if _, err := score.ExtractClaims(t.Context(), f, m, score.Options{}); err != nil {
		t.Fatal(err)
	}
	cell, ok := f.Claims.Get(evalrun.Claims{Answer: evalrun.AnswerKey("long", "q"), Extractor: score.ExtractorOf(m)}.Key())
	if !ok || len(cell.Claims) != 200 || calls.Load() != 3+4 || overlapping.Load() != 3 {
		t.Errorf("%d claims by %d calls, %d of them with sentences before", len(cell.Claims), calls.Load(), overlapping.Load())
	}
}

// TestInvalidClaims: answers of another form are refused, so that they are asked for again.
func TestInvalidClaims(t *testing.T) {
	t.Parallel()
	f := folder(t, t.TempDir())
	m := &score.Model{Name: "m", Ask: func(_ context.Context, _ string, _ prompts.Values, valid func(string) error) (string, error) {
		for _, bad := range []string{"no", `{"sentences": [{"sentence": 9, "claims": []}]}`, `{"sentences": [{"sentence": 0, "claims": []}]}`, `{"sentences": [{"sentence": 1, "claims": ["` + strings.Repeat("x", 2000) + `"]}]}`} {
			if valid(bad) == nil {
				return "", errors.New("valid: " + bad)
			}
		}
		return `{"sentences": []}`, nil
	}}
	if got, err := score.ExtractClaims(t.Context(), f, m, score.Options{}); err != nil || got.Made != 3 {
		t.Errorf("%+v, %v, failures %v", got, err, f.Failures())
	}
}

// TestEndOfRun: an error that every call would meet ends the run, without a failure for the cell.
func TestEndOfRun(t *testing.T) {
	t.Parallel()
	f := folder(t, t.TempDir())
	calls := 0
	m := &score.Model{Name: "m", Ask: func(context.Context, string, prompts.Values, func(string) error) (string, error) {
		calls++
		return "", fmt.Errorf("call: %w", llm.ErrBudget)
	}}
	if _, err := score.ExtractClaims(t.Context(), f, m, score.Options{Ends: llm.IsFatal}); !errors.Is(err, llm.ErrBudget) || calls != 1 || len(f.Failures()) != 0 {
		t.Errorf("%v after %d calls, %d failures", err, calls, len(f.Failures()))
	}
}

// TestJudges: verdicts on answers and on their evidence, and the scores made of them.
func TestJudges(t *testing.T) {
	t.Parallel()
	f := folder(t, t.TempDir())
	var calls atomic.Int64
	m := simulated(t, &calls)
	if got, err := score.JudgeCorrect(t.Context(), f, m, score.Options{Limit: 2}); err != nil || got.Made != 3 || calls.Load() != 3 {
		t.Fatalf("%+v, %v, %d calls", got, err, calls.Load())
	}
	qa, err := score.Folder(f, m.Identity(prompts.AnswerCorrect))
	if err != nil {
		t.Fatal(err)
	}
	global := qa.Methods[1]
	if qa.Without != 1 || global.Method != "global" || global.Missing != 1 || global.Groups["all"].Accuracy.Mean != 1 || len(qa.Methods) != 5 {
		t.Errorf("scores %+v", qa)
	}
	if got, err := score.JudgeEvidence(t.Context(), f, m, score.Options{}); err != nil || got.Made != 3 || calls.Load() != 5 {
		t.Fatalf("%+v, %v, %d calls: an answer without quotes needs none", got, err, calls.Load())
	}
	scores := score.Evidence(f, m.Identity(prompts.AnswerEvidence))
	var got []string
	for _, c := range scores.Conditions {
		got = append(got, fmt.Sprintf("%s: %d answers, %d statements, %d citations, quoted %.2f, referenced %.2f, precision %.2f, with parts %.2f, recall %.2f",
			c.Condition, c.Judged, c.Statements, c.Citations, c.Quoted.Mean, c.Referenced.Mean, c.Precision.Mean, c.WithParts.Mean, c.Recall.Mean))
	}
	want := []string{
		"basic: 2 answers, 1 statements, 1 citations, quoted 1.00, referenced 1.00, precision 1.00, with parts 1.00, recall 1.00",
		"global: 1 answers, 3 statements, 3 citations, quoted 0.67, referenced 0.67, precision 0.00, with parts 0.67, recall 0.33",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("evidence (-want +got):\n%s", diff)
	}
}

// TestInvalidVerdicts: verdicts of another form are refused.
func TestInvalidVerdicts(t *testing.T) {
	t.Parallel()
	f := folder(t, t.TempDir())
	bad := map[string][]string{
		prompts.AnswerCorrect: {"no", "{}", `{"correct": 2}`, `{"correct": "yes"}`},
		prompts.AnswerEvidence: {
			"no", `{"statements": []}`, `{"statements": [{"statement": 2, "together": 2, "quotes": [2]}]}`,
			`{"statements": [{"statement": 1, "together": 3, "quotes": [2]}]}`, `{"statements": [{"statement": 1, "together": 2, "quotes": [2, 2, 2]}]}`,
		},
	}
	m := &score.Model{Name: "m", Ask: func(_ context.Context, name string, values prompts.Values, valid func(string) error) (string, error) {
		for _, answer := range bad[name] {
			if valid(answer) == nil {
				return "", errors.New("valid: " + answer)
			}
		}
		verdicts := make([]int, strings.Count(values["text"], "\nQuote "))
		quotes, _ := json.Marshal(verdicts)
		return map[string]string{
			prompts.AnswerCorrect:  `{"reasoning": "r", "correct": 0}`,
			prompts.AnswerEvidence: `{"statements": [{"statement": 1, "together": 1, "quotes": ` + string(quotes) + `}]}`,
		}[name], nil
	}}
	for name, judge := range map[string]func(context.Context, *evalrun.Folder, *score.Model, score.Options) (evalrun.Count, error){"correct": score.JudgeCorrect, "evidence": score.JudgeEvidence} {
		if got, err := judge(t.Context(), f, m, score.Options{}); err != nil || got.Made != 3 {
			t.Errorf("%s: %+v, %v, failures %v", name, got, err, f.Failures())
		}
	}
}

// TestAgreement: counts of claims are compared with the majority of the judgements of both orders.
func TestAgreement(t *testing.T) {
	t.Parallel()
	f := folder(t, t.TempDir())
	if _, err := score.ExtractClaims(t.Context(), f, nil, score.Options{}); err != nil {
		t.Fatal(err)
	}
	answers := f.Answers.All()
	short, long, declined := answers[0].Key(), answers[2].Key(), answers[1].Key()
	judge := "j"
	add := func(first, second, criterion string, winners ...int) {
		for i, winner := range winners {
			if err := f.Judgements.Add(evalrun.Judgement{First: first, Second: second, Criterion: criterion, Replicate: i, Judge: judge, Winner: winner}); err != nil {
				t.Fatal(err)
			}
		}
	}
	add(short, long, "comprehensiveness", 2, 2, 1) // long, which has more claims
	add(long, short, "comprehensiveness", 1, 0)
	add(short, long, "diversity", 1, 1, 2)                // short
	add(short, declined, "comprehensiveness", 1, 1, 1, 1) // of different questions
	add(short, long, "empowerment", 1)
	judge = "k"
	add(short, long, "comprehensiveness", 1, 1, 2, 0, 0) // a tie
	scores := score.Claims(f, score.Rules)
	var got []string
	for _, a := range scores.Agreement {
		got = append(got, fmt.Sprintf("%s %.1f: %d pairs, %d labelled, %d equal, %.0f", a.Criterion, a.Threshold, a.Pairs, a.Labelled, a.Equal, a.Agreed.Mean))
	}
	want := []string{
		"comprehensiveness 0.0: 1 pairs, 1 labelled, 0 equal, 1",
		"diversity 0.5: 1 pairs, 1 labelled, 0 equal, 0", "diversity 0.6: 1 pairs, 1 labelled, 0 equal, 0",
		"diversity 0.7: 1 pairs, 1 labelled, 1 equal, 0", "diversity 0.8: 1 pairs, 1 labelled, 1 equal, 0",
		"comprehensiveness 0.0: 1 pairs, 0 labelled, 0 equal, 0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("agreement (-want +got):\n%s", diff)
	}
	if table := scores.Table(); !strings.Contains(table, "| basic | 2 | 0 | 0.50 (") || !strings.Contains(table, "| global | 1 | 0 | 2.00 (2.00 to 2.00) | 2.00") {
		t.Errorf("table:\n%s", table)
	}
}
