package llm_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
)

// Equal concurrent questions, from many goroutines of two chains that share a folder as
// two processes do, are asked at most once by each chain.
func TestEqualConcurrentQuestions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, chat := chain(t, llmtest.Options{Latency: 50 * time.Millisecond}, llm.Config{Cache: &llm.Cache{Dir: dir}})
	other, err := openai.New(openai.Config{BaseURL: s.URL(), Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(other.Close)
	chats := []llm.Chat{chat, llm.New(llm.Config{Provider: other.Chat(), Cache: &llm.Cache{Dir: dir}})}
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			if res, err := chats[i%2].Chat(context.Background(), ask(fmt.Sprint("q", i/2%2))); err != nil || res.Text != "ok" {
				t.Errorf("%q, %v", res.Text, err)
			}
		})
	}
	wg.Wait()
	if n := s.Counts().Requests; n < 2 || n > 4 {
		t.Errorf("%d requests for 2 questions in 2 processes, want at most 4", n)
	}
}

func TestCacheAnswersTheSecondTime(t *testing.T) {
	t.Parallel()
	cache := &llm.Cache{Dir: t.TempDir()}
	meter := &llm.Meter{}
	s, chat := chain(t, llmtest.Options{}, llm.Config{Cache: cache, Meter: meter, Price: llm.Price{In: 1e6}})
	first := mustAsk(t, chat, ask("q"))
	var shown []string
	req := ask("q")
	req.Task = "another" // the task does not change the answer
	req.Stream = func(delta string) { shown = append(shown, delta) }
	second := mustAsk(t, chat, req)
	if first.Cached || !second.Cached || second.Text != first.Text || s.Counts().Requests != 1 {
		t.Errorf("first %+v, second %+v after %d requests", first, second, s.Counts().Requests)
	}
	if diff := cmp.Diff([]string{"ok"}, shown); diff != "" {
		t.Errorf("streamed from the cache (-want +got):\n%s", diff)
	}
	want := map[string]llm.TaskUsage{
		"t":       {Usage: llm.Usage{Calls: 1, TokensIn: 1, TokensOut: 1, Cost: 1}, Requests: 1},
		"another": {Requests: 1, Hits: 1, Saved: llm.Usage{Calls: 1, TokensIn: 1, TokensOut: 1, Cost: 1}},
	}
	if diff := cmp.Diff(want, meter.Tasks()); diff != "" {
		t.Errorf("totals (-want +got):\n%s", diff)
	}
	if meter.Total() != want["t"].Usage || meter.Saved() != want["another"].Saved {
		t.Errorf("total %+v, saved %+v", meter.Total(), meter.Saved())
	}
}

// Truncated, invalid, empty and refused answers are never stored.
func TestCacheKeepsOnlyValidAnswers(t *testing.T) {
	t.Parallel()
	short := func(string) error { return errors.New("too short") }
	schema := &llm.Schema{Name: "s", JSON: []byte(`{"type":"object"}`)}
	for _, c := range []struct {
		name  string
		reply llmtest.Reply
		req   llm.Request
		fails bool
	}{
		{"truncated", llmtest.Reply{Text: `{"a":1}`, Finish: "length"}, llm.Request{Schema: schema}, true},
		{"unparseable", llmtest.Reply{Text: "I cannot."}, llm.Request{Schema: schema}, true},
		{"invalid text", llmtest.Reply{Text: "x"}, llm.Request{Valid: short}, true},
		{"invalid JSON", llmtest.Reply{Text: `{"a":1}`}, llm.Request{Schema: schema, Valid: short}, true},
		{"empty", llmtest.Reply{Text: "  "}, llm.Request{}, true},
		{"broken off by the server", llmtest.Reply{Text: "half", Finish: "error"}, llm.Request{}, true},
		{"aborted", llmtest.Reply{Text: "half", Finish: "abort"}, llm.Request{}, true},
		{"ended for an unknown reason", llmtest.Reply{Text: "x", Finish: "eos2"}, llm.Request{}, false},
		{"as long as its limit without a reason", llmtest.Reply{Raw: `{"choices":[{"message":{"content":"x"}}]}`}, llm.Request{MaxTokens: 1}, false},
		{"filtered", llmtest.Reply{Text: "x", Finish: "content_filter"}, llm.Request{}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s, chat := chain(t, llmtest.Options{Fault: func(llmtest.Request) *llmtest.Reply { return &c.reply }}, llm.Config{Cache: &llm.Cache{Dir: dir}})
			c.req.Messages = ask("q").Messages
			for range 2 {
				s.Reset()
				if _, err := chat.Chat(context.Background(), c.req); (err != nil) != c.fails {
					t.Errorf("error %v", err)
				}
				if s.Counts().Requests == 0 {
					t.Error("answered from the cache")
				}
			}
			if got := files(t, dir); got != nil {
				t.Errorf("stored %v", got)
			}
		})
	}
}

// An answer that may end at its token limit is complete there: it is no error and is
// cached. Other answers to the same messages are not.
func TestAnswersThatMayEndAtTheLimit(t *testing.T) {
	t.Parallel()
	s, chat := chain(t, llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: "YES YES"} }}, llm.Config{Cache: &llm.Cache{Dir: t.TempDir()}})
	req := ask("q")
	req.MaxTokens, req.MayEndAtLimit = 1, true
	for range 2 {
		if res := mustAsk(t, chat, req); res.Text != "YES" {
			t.Errorf("got %q", res.Text)
		}
	}
	if n := s.Counts().Requests; n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
	req.MayEndAtLimit = false
	if _, err := chat.Chat(context.Background(), req); !errors.Is(err, llm.ErrTruncated) {
		t.Errorf("the same question without leave to be cut off: %v", err)
	}
}

// A stored answer that a stricter check refuses is requested again.
func TestCacheChecksStoredAnswers(t *testing.T) {
	t.Parallel()
	s, chat := chain(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		return llmtest.Reply{Text: fmt.Sprint("answer ", r.N)}
	}}, llm.Config{Cache: &llm.Cache{Dir: t.TempDir()}})
	mustAsk(t, chat, ask("q"))
	req := ask("q")
	req.Valid = func(text string) error {
		if text == "answer 1" {
			return errors.New("old")
		}
		return nil
	}
	for range 2 {
		if res := mustAsk(t, chat, req); res.Text != "answer 2" {
			t.Errorf("got %q", res.Text)
		}
	}
	if n := s.Counts().Requests; n != 2 {
		t.Errorf("%d requests, want 2", n)
	}
}
