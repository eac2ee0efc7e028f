package methods_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/methods/drift"
	"github.com/neorag/neorag/internal/query/methods/light"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/text/textproc"
	"github.com/neorag/neorag/internal/text/tokens"
)

// A contractServer is the simulated model, with faults.
type contractServer struct {
	*llmtest.Server

	chat  llm.Chat
	fault atomic.Pointer[func(llmtest.Request) *llmtest.Reply]
}

// contractModel returns a model, and an embedder of the same server.
func contractModel(t *testing.T) (*contractServer, *index.ModelEmbedder) {
	t.Helper()
	s := &contractServer{}
	s.Server = llmtest.New(llmtest.Options{Handler: wordy, Dimension: textproc.Dimension, Fault: func(r llmtest.Request) *llmtest.Reply {
		if fault := s.fault.Load(); fault != nil {
			return (*fault)(r)
		}
		return nil
	}})
	t.Cleanup(s.Close)
	client, err := openai.New(openai.Config{BaseURL: s.URL(), Model: "simulated", EmbeddingModel: "simulated"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	retry := llm.Retry{Attempts: 2, FirstWait: time.Millisecond}
	s.chat = llm.New(llm.Config{Provider: client.Chat(), Retry: retry})
	return s, &index.ModelEmbedder{BatchEmbedder: llm.NewEmbedder(llm.EmbedConfig{Provider: client.Embedder(), Retry: retry})}
}

// wordy is the simulated model, which says so where it finds no words of the question.
func wordy(r llmtest.Request) llmtest.Reply {
	reply := fakemodel.Handler(r)
	if reply.Text == "" && reply.Status == 0 {
		reply.Text = "The sources do not answer this."
	}
	return reply
}

// withModel returns an engine over the corpus town with a model that writes, and embeds.
func (c *contract) withModel(t *testing.T) (*contractServer, *query.Engine) {
	t.Helper()
	s, embedder := contractModel(t)
	e, err := query.New(c.store, query.Options{Corpus: c.names[1], Model: &synth.Model{Map: s.chat, Answer: s.chat}, Embedder: embedder})
	if err != nil {
		t.Fatal(err)
	}
	return s, e
}

// writing returns the contract with engines that have a model.
func (c *contract) writing(t *testing.T) *contract {
	t.Helper()
	s, embedder := contractModel(t)
	engine := func(corpus string, e retrieve.Embedder) *query.Engine {
		out, err := query.New(c.store, query.Options{Corpus: corpus, Model: &synth.Model{Map: s.chat, Answer: s.chat}, Embedder: e})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	w := *c
	w.museum, w.town = engine(c.names[0], nil), engine(c.names[1], embedder)
	w.empty, w.missing, w.bare = engine(c.others[0], nil), engine(c.others[1], nil), engine(c.others[2], nil)
	return &w
}

// checkModel: a model's answer is sound, the same when it is asked for again, and made by the
// same calls.
func checkModel(t *testing.T, c *contract, m query.Method) {
	s, e := c.withModel(t)
	for _, text := range []string{"What did Edith Farrow say about the budget?", "Was sagte Mary Quill?", "市の予算は?"} {
		q := query.Question{Text: text, Method: m.Name}
		var contexts [2][]string
		var answers [2]query.Answer
		for i := range answers {
			s.Reset()
			var err error
			if answers[i], err = e.Ask(t.Context(), q); err != nil {
				t.Fatal(err)
			}
			c.sound(t, answers[i])
			contexts[i] = contextsOf(s)
			if n := int(answers[i].Usage.Calls); n < s.Counts().Chats {
				t.Errorf("%q: %d calls are counted of %d", text, n, s.Counts().Chats)
			}
		}
		if diff := sameAnswer(answers[0], answers[1]); diff != "" && s.Counts().Embeds > 0 {
			t.Errorf("%q: asked again (-first +second):\n%s", text, diff)
		}
		if !slices.Equal(contexts[0], contexts[1]) {
			t.Errorf("%q: the model is shown other contexts when it is asked again", text)
		}
	}
}

// contextsOf returns what a model was shown, sorted.
func contextsOf(s *contractServer) []string {
	var out []string
	for _, r := range s.Requests() {
		if !r.Embeds() {
			out = append(out, fakemodel.Material(r))
		}
	}
	slices.Sort(out)
	return out
}

// checkModelFails lets the model refuse everything from its nth call on: the answer is an
// error, or it has a note and holds nothing without evidence.
func checkModelFails(t *testing.T, c *contract, m query.Method) {
	s, e := c.withModel(t)
	q := query.Question{Text: "What did Edith Farrow say about the budget?", Method: m.Name, MapTokens: 1000, ReduceTokens: 2000}
	if _, err := e.Ask(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	all := s.Counts().Requests
	for n := 1; n <= min(all, 6); n++ {
		for name, reply := range map[string]llmtest.Reply{
			"forbidden": {Status: http.StatusForbidden, Message: "no more"},
			"gone":      {Reset: true},
			"garbage":   {Raw: "<html>Bad gateway</html>"},
		} {
			fault := func(r llmtest.Request) *llmtest.Reply {
				if r.N < n {
					return nil
				}
				return &reply
			}
			s.Reset()
			s.fault.Store(&fault)
			ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
			a, err := e.Ask(ctx, q)
			stop()
			if errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("%s from call %d: it hangs", name, n)
			}
			if err != nil {
				continue
			}
			if len(a.Notes) == 0 || a.Uncited > 0 {
				t.Errorf("%s from call %d of %d: notes %q, %d statements without a reference: %s", name, n, all, a.Notes, a.Uncited, a.Answer)
			}
			c.sound(t, a)
		}
	}
}

// fewTokens is a budget that no chunk of the corpus town fits into.
const fewTokens = 500

// checkFewTokens: every context stays within a small budget, and something is answered, or without a
// model said not to be.
func checkFewTokens(t *testing.T, c *contract, m query.Method) {
	q := query.Question{
		Text: "What did Edith Farrow say about the budget?", Method: m.Name,
		MapTokens: fewTokens, ReduceTokens: fewTokens, Own: map[string]any{"drift": drift.Settings{MaxTokens: fewTokens}, "light": light.Settings{MaxTokens: fewTokens}},
	}
	counter, err := tokens.Get("")
	if err != nil {
		t.Fatal(err)
	}
	s, with := c.withModel(t)
	for name, e := range map[string]*query.Engine{"without a model": c.town, "with a model": with} {
		a, err := e.Ask(t.Context(), q)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		c.sound(t, a)
		// Of what a method finds first, a small context may hold what does not answer.
		if len(a.References) == 0 && (e == with || !strings.Contains(a.Answer, "The closest document is")) {
			t.Errorf("%s: %q, notes %q", name, a.Answer, a.Notes)
		}
		if n := a.Usage.ContextTokens; n > fewTokens && !m.Maps {
			t.Errorf("%s: a context of %d tokens", name, n)
		}
	}
	for _, context := range contextsOf(s) {
		// The tokens of the numbers of sentences are estimated, and a window that is mapped
		// holds at least one record.
		if n := counter.Count(context); n > fewTokens*11/10 && !m.Maps {
			t.Errorf("the model is shown %d tokens", n)
		}
	}
}

// promptly is how long an answer may take to end after its context is cancelled.
const promptly = 5 * time.Second

// checkCancelled cancels a question before it is asked, after each statement, and at each
// call to the model.
func checkCancelled(t *testing.T, c *contract, m query.Method) {
	s, with := c.withModel(t)
	for name, e := range map[string]*query.Engine{"without a model": c.museum, "with a model": with} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := e.Ask(ctx, query.Question{Text: contractQuestion, Method: m.Name}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, before it is asked: got %v, want context.Canceled", name, err)
		}
		cancelEach(t, m, name+", statement", e, func(n int, cancel func()) {
			var seen atomic.Int64
			hook := func() {
				if seen.Add(1) == int64(n) {
					cancel()
				}
			}
			c.onQuery.call.Store(&hook)
		})
		c.onQuery.call.Store(nil)
	}
	cancelEach(t, m, "call", with, func(n int, cancel func()) {
		s.Reset()
		fault := func(r llmtest.Request) *llmtest.Reply {
			if r.N < n {
				return nil
			}
			cancel()
			return &llmtest.Reply{Delay: time.Minute}
		}
		s.fault.Store(&fault)
	})
}

// cancelEach asks again and again, and cancels the question at its first, second and later
// waits, until it is answered without being cancelled.
func cancelEach(t *testing.T, m query.Method, what string, e *query.Engine, cancelAt func(n int, cancel func())) {
	t.Helper()
	for n := 1; n < 20; n++ {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var when atomic.Pointer[time.Time]
		cancelAt(n, func() {
			now := time.Now()
			when.CompareAndSwap(nil, &now)
			cancel()
		})
		_, err := e.Ask(ctx, query.Question{Text: contractQuestion, Method: m.Name})
		at := when.Load()
		if at == nil {
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
			return
		}
		// What is cancelled after its last wait is answered.
		if err != nil && !errors.Is(err, context.Canceled) || time.Since(*at) > promptly {
			t.Errorf("%s %d: got %v after %v, want context.Canceled", what, n, err, time.Since(*at))
		}
	}
}
