package methods_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/neorag/neorag/internal/eval"
	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/eval/score"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/methods/auto"
	"github.com/neorag/neorag/internal/query/methods/global"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/prompts"
)

// evidenceQuestions are asked of the first stave, three by each method.
var evidenceQuestions = map[string][]string{
	"local":  {"Who was Jacob Marley to Scrooge?", "What does Scrooge's nephew say of Christmas?", "What does Marley's Ghost wear about its middle?"},
	"basic":  {"What did the two gentlemen ask Scrooge for?", "What did Scrooge see in the knocker of his door?", "Where does Scrooge live?"},
	"global": {"How does Scrooge treat the clerk and the nephew?", "What does Marley's Ghost warn Scrooge of?", "How is the weather in the City described?"},
	"drift":  {"What happens between Scrooge and Marley's Ghost?", "Why is the Ghost doomed to wander?", "What is said of the poor, prisons and workhouses?"},
}

// simulated returns a chat with a model that a handler simulates.
func simulated(t *testing.T, handler func(llmtest.Request) llmtest.Reply) llm.Chat {
	t.Helper()
	server := llmtest.New(llmtest.Options{Handler: handler})
	t.Cleanup(server.Close)
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "simulated"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return llm.New(llm.Config{Provider: client.Chat()})
}

// TestEvidenceOfModels measures the evidence of the answers of two models: one repeats
// sentences, untidily; the other obeys a prompt to the letter and uses other words. A judge that
// wants the words of a statement in their order finds more precise citations in those of the first
// one, beyond the intervals.
func TestEvidenceOfModels(t *testing.T) {
	t.Parallel()
	store := open(t)
	dir := t.TempDir()
	body, err := os.ReadFile(filepath.Join(sample, "stave-1.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "stave-1.txt"), body, 0o600); err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(body), "\r\n", "\n")
	var mu sync.Mutex
	judged := map[string]score.ConditionEvidence{}
	t.Run("models", func(t *testing.T) {
		evidenceOfModels(t, store, dir, text, func(name string, e score.ConditionEvidence) {
			mu.Lock()
			defer mu.Unlock()
			judged[name] = e
		})
	})
	repeats := judged["repeats sentences"]
	for _, name := range []string{"to the letter", "to the letter, whole records"} {
		other, ok := judged[name]
		if !ok || other.Precision.High >= repeats.Precision.Low || other.Recall.High >= repeats.Recall.Low {
			t.Errorf("%s: precision %v, recall %v; of the model that repeats sentences: %v, %v", name, other.Precision, other.Recall, repeats.Precision, repeats.Recall)
		}
	}
}

// evidenceOfModels measures the evidence of each model, and calls judged with its scores.
func evidenceOfModels(t *testing.T, store *neo4jstore.Store, dir, text string, judged func(string, score.ConditionEvidence)) {
	t.Helper()
	for _, tc := range []struct {
		name     string
		handler  func(llmtest.Request) llmtest.Reply
		records  bool
		coverage float64 // at least, of each method
		quoted   float64
	}{
		{"repeats sentences", fakemodel.Handler, false, .85, .85}, // a question or a heading that it repeats has no quote
		{"to the letter", fakemodel.Literal, false, .65, .8},
		{"to the letter, whole records", fakemodel.Literal, true, .5, .65},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			chat, corpus := simulated(t, tc.handler), neo4jtest.Borrow(t, "index")
			indexed(t, store, index.Options{Corpus: corpus, Model: &index.Model{Extract: chat, Summarise: chat, Report: chat}}, dir)
			e, err := query.New(store, query.Options{Corpus: corpus, Model: &synth.Model{Map: chat, Answer: chat}})
			if err != nil {
				t.Fatal(err)
			}
			var answers []eval.Answered
			var kept []evalrun.Answer
			for method, questions := range evidenceQuestions {
				for _, q := range questions {
					a, err := e.Ask(t.Context(), query.Question{Text: q, Method: method, CiteRecords: tc.records})
					if err != nil {
						t.Fatal(err)
					}
					checkCitations(t, a, text)
					if tokens := a.Usage.TokensIn + a.Usage.TokensOut; method == "local" && tokens > mostLocalTokens {
						t.Errorf("local %q takes %d tokens", q, tokens)
					}
					kept = append(kept, keptAnswer(q, a))
					answers = append(answers, eval.Answered{Method: method, Citations: a.Citations, Uncited: a.Uncited, Calls: a.Usage.Calls, Tokens: a.Usage.TokensIn + a.Usage.TokensOut})
				}
			}
			result, err := eval.MeasureEvidence(t.Context(), answers, func(c cite.Citation) bool { return c.End <= len(text) && text[c.Start:c.End] == c.Quote }, nil)
			if err != nil {
				t.Fatal(err)
			}
			scores := judgedEvidence(t, kept)
			judged(tc.name, scores.Conditions[0])
			t.Logf("\n%s\n%s", result.Table(), scores.Table())
			for _, m := range result.Methods {
				if m.InDocument != 1 || m.Quoted < tc.quoted || m.Coverage < tc.coverage {
					t.Errorf("%s: %+v, want quotes for %.2f of the citations and a coverage of %.2f", m.Method, m, tc.quoted, tc.coverage)
				}
			}
			for _, q := range []query.Question{{Method: "text"}, {Method: "light"}, {Method: "auto", Own: map[string]any{"auto": auto.Settings{ByModel: true}}}, {Method: "global", Own: map[string]any{"global": global.Settings{Dynamic: true}}}} {
				q.Text, q.CiteRecords = evidenceQuestions["global"][1], tc.records
				a, err := e.Ask(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				checkCitations(t, a, text)
			}
		})
	}
}

// allMethods is the condition of all answers.
var allMethods = evalrun.Condition{Label: "all methods"}

// keptAnswer returns an answer as the folder of an evaluation keeps it.
func keptAnswer(question string, a query.Answer) evalrun.Answer {
	out := evalrun.Answer{Condition: allMethods.Key(), Question: evalrun.Question{Text: question}.Key(), Text: a.Answer, References: len(a.References), Uncited: a.Uncited}
	for _, c := range a.Citations {
		out.Citations = append(out.Citations, evalrun.Citation{N: c.N, Statement: c.Statement, Quote: c.Quote})
	}
	return out
}

// judgedEvidence has the simulated model judge the evidence of answers.
func judgedEvidence(t *testing.T, answers []evalrun.Answer) score.EvidenceScores {
	t.Helper()
	f, err := evalrun.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if err := f.Conditions.Add(allMethods); err != nil {
		t.Fatal(err)
	}
	for _, questions := range evidenceQuestions {
		for _, q := range questions {
			if err := f.Questions.Add(evalrun.Question{Text: q}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, a := range answers {
		if err := f.Answers.Add(a); err != nil {
			t.Fatal(err)
		}
	}
	model := &synth.Model{Map: simulated(t, fakemodel.Handler)}
	judge := &score.Model{Name: "simulated", Ask: func(ctx context.Context, prompt string, values prompts.Values, valid func(string) error) (string, error) {
		return model.AskJSON(ctx, synth.Call{Task: score.Task, Prompt: prompt, Values: values, Valid: valid})
	}}
	if count, err := score.JudgeEvidence(t.Context(), f, judge, score.Options{Limit: 4}); err != nil || count.Made != len(answers) {
		t.Fatalf("judged %+v of %d, %v, %v", count, len(answers), err, f.Failures())
	}
	return score.Evidence(f, judge.Identity(prompts.AnswerEvidence))
}

// checkCitations: an answer cites something, and its quotes are in the text.
func checkCitations(t *testing.T, a query.Answer, text string) {
	t.Helper()
	if len(a.Citations) == 0 {
		t.Errorf("%s %q: no citation in %q", a.Method, a.Question, a.Answer)
	}
	for _, c := range a.Citations {
		if c.Quote == "" {
			t.Logf("%s %q: no quote for %q", a.Method, a.Question, c.Statement)
		} else if text[c.Start:c.End] != c.Quote {
			t.Errorf("%s %q: bytes %d to %d are not %q", a.Method, a.Question, c.Start, c.End, c.Quote)
		}
	}
}

// The most that one question may take with a model, in and out: half of what it took before
// sources came first, or less.
const (
	mostLocalTokens = 5000
	mostDriftTokens = 33_000
	mostDriftCalls  = 13
)

// TestCostOfLocalAndDrift asks all five staves: no question takes more than the limits.
func TestCostOfLocalAndDrift(t *testing.T) {
	t.Parallel()
	store := open(t)
	chat, corpus := simulated(t, fakemodel.Handler), neo4jtest.Borrow(t, "index")
	indexed(t, store, index.Options{Corpus: corpus, Model: &index.Model{Extract: chat, Summarise: chat, Report: chat}}, sample)
	e, err := query.New(store, query.Options{Corpus: corpus, Model: &synth.Model{Map: chat, Answer: chat}})
	if err != nil {
		t.Fatal(err)
	}
	questions := append([]string{"What happens to Tiny Tim?", "How does Scrooge change?"}, evidenceQuestions["drift"]...)
	for method, limit := range map[string]struct{ calls, tokens int64 }{"local": {1, mostLocalTokens}, "drift": {mostDriftCalls, mostDriftTokens}} {
		calls, tokens := int64(0), int64(0)
		for _, q := range questions {
			a, err := e.Ask(t.Context(), query.Question{Text: q, Method: method})
			if err != nil {
				t.Fatal(err)
			}
			calls, tokens = max(calls, a.Usage.Calls), max(tokens, a.Usage.TokensIn+a.Usage.TokensOut)
		}
		t.Logf("%s takes at most %d calls and %d tokens", method, calls, tokens)
		if calls > limit.calls || tokens > limit.tokens {
			t.Errorf("%s takes up to %d calls and %d tokens, want at most %d and %d", method, calls, tokens, limit.calls, limit.tokens)
		}
	}
}
