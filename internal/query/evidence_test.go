package query_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/eval"
	"github.com/neorag/neorag/internal/fakemodel"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/neo4jtest"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/synth"
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
// sentences, untidily; the other obeys a prompt to the letter and uses other words.
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
					answers = append(answers, eval.Answered{Method: method, Citations: a.Citations, Uncited: a.Uncited, Calls: a.Usage.Calls, Tokens: a.Usage.TokensIn + a.Usage.TokensOut})
				}
			}
			result, err := eval.MeasureEvidence(t.Context(), answers, func(string) (string, int, bool) { return text, 0, true }, nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("\n%s", result.Table())
			for _, m := range result.Methods {
				if m.InDocument != 1 || m.Quoted < tc.quoted || m.Coverage < tc.coverage {
					t.Errorf("%s: %+v, want quotes for %.2f of the citations and a coverage of %.2f", m.Method, m, tc.quoted, tc.coverage)
				}
			}
			for _, q := range []query.Question{{Method: "text"}, {Method: "light"}, {Method: "auto", RouteByModel: true}, {Method: "global", Dynamic: true}} {
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
