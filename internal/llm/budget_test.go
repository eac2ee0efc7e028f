package llm_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
)

// Concurrent calls stop before the budget is exceeded, and use most of it.
func TestBudgetIsNotExceeded(t *testing.T) {
	t.Parallel()
	const each = 0.000105 // 5 tokens in, 100 out, at 1 per million
	s, chat := chain(t, llmtest.Options{Latency: time.Millisecond, Handler: func(llmtest.Request) llmtest.Reply {
		return llmtest.Reply{Text: "ok", TokensIn: 5, TokensOut: 100}
	}}, llm.Config{Price: llm.Price{In: 1, Out: 1}, Budget: llm.NewBudget(100 * each)})
	errs := many(capped{chat}, 300, 16, "q")
	for _, err := range errs {
		if !errors.Is(err, llm.ErrBudget) {
			t.Fatal(err)
		}
	}
	paid := s.Counts().Requests
	if paid+len(errs) != 300 || paid > 100 || paid < 90 {
		t.Errorf("%d calls paid, %d refused; the budget is for 100", paid, len(errs))
	}
}

// capped limits answers to 100 tokens.
type capped struct{ model }

type model = llm.Chat

func (c capped) Chat(ctx context.Context, req llm.Request) (llm.Response, error) {
	req.MaxTokens = 100
	return c.model.Chat(ctx, req)
}

func TestCachedAnswersNeedNoBudget(t *testing.T) {
	t.Parallel()
	cache := &llm.Cache{Dir: t.TempDir()}
	_, rich := chain(t, llmtest.Options{}, llm.Config{Cache: cache})
	mustAsk(t, rich, ask("q"))
	s, poor := chain(t, llmtest.Options{}, llm.Config{Cache: cache, Price: llm.Price{In: 1}, Budget: llm.NewBudget(0)})
	if res := mustAsk(t, poor, ask("q")); !res.Cached {
		t.Errorf("response %+v", res)
	}
	if _, err := poor.Chat(context.Background(), ask("another")); !errors.Is(err, llm.ErrBudget) || s.Counts().Requests != 0 {
		t.Errorf("error %v after %d requests", err, s.Counts().Requests)
	}
}

func TestBudgetOfEmbedding(t *testing.T) {
	t.Parallel()
	s, e := vectors(t, llmtest.Options{}, llm.EmbedConfig{Budget: llm.NewBudget(10), Price: llm.Price{In: 1e6}})
	ctx := context.Background()
	// Costs 2 of the 10, though 4 are reserved for it.
	if _, used, err := e.Embed(ctx, []string{"one two"}); err != nil || used.Cost != 2 {
		t.Fatalf("usage %+v, %v", used, err)
	}
	// The estimates for 15 and 12 bytes are 9 and 7: the 8 that are left suffice for the second.
	if _, _, err := e.Embed(ctx, []string{strings.Repeat("a", 15)}); !errors.Is(err, llm.ErrBudget) || s.Counts().Requests != 1 {
		t.Errorf("an estimate above the rest: error %v after %d requests", err, s.Counts().Requests)
	}
	if _, _, err := e.Embed(ctx, []string{strings.Repeat("a", 12)}); err != nil || s.Counts().Requests != 2 {
		t.Errorf("an estimate below the rest: error %v after %d requests", err, s.Counts().Requests)
	}
}
