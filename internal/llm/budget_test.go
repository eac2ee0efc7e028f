package llm_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
)

// answers are the answers of a server that charges for them.
type answers struct {
	mu          sync.Mutex
	price       llm.Price
	spent, most float64 // by all calls, and by the dearest one
}

// charge returns a reply with a number of tokens and counts what it costs.
func (a *answers) charge(in, out int64) llmtest.Reply {
	cost := a.price.Cost(llm.Usage{TokensIn: in, TokensOut: out})
	a.mu.Lock()
	defer a.mu.Unlock()
	a.spent, a.most = a.spent+cost, max(a.most, cost)
	return llmtest.Reply{Text: "ok", TokensIn: in, TokensOut: out}
}

// counted returns a text of n copies of a format, each with another number, so that it is no loop.
func counted(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// Whatever answers cost, 16 concurrent callers spend the budget and at most one call more.
func TestBudgetIsNotExceeded(t *testing.T) {
	t.Parallel()
	const long = 20_000
	lengthy := counted("貓貓貓貓%d", 200)
	for name, c := range map[string]struct {
		price llm.Price
		text  string
		reply func(llmtest.Request) (in, out int64)
		limit float64
	}{
		"answers as long as the limit allows": {
			llm.Price{In: 1, Out: 10}, "q", func(r llmtest.Request) (int64, int64) {
				if r.MaxTokens > 0 {
					return 10, min(long, int64(r.MaxTokens))
				}
				return 10, long
			}, 4,
		},
		"a server that ignores the limit": {
			llm.Price{In: 1, Out: 10}, "q", func(llmtest.Request) (int64, int64) { return 10, long }, 4,
		},
		"a token for each byte": {
			llm.Price{In: 1, Out: 1}, strings.Repeat("貓", 20_000), func(r llmtest.Request) (int64, int64) { return int64(len(r.Last())), 1 }, 1.5,
		},
		"short answers": {
			llm.Price{In: 1, Out: 1}, "q", func(llmtest.Request) (int64, int64) { return 5, 100 }, 0.02,
		},
		"a server that reports no usage": {
			llm.Price{In: 1, Out: 1}, strings.Repeat("貓", 2000), func(r llmtest.Request) (int64, int64) { return int64(len(r.Last())), int64(len(lengthy)) }, 0.5,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			paid, budget := &answers{price: c.price}, llm.NewBudget(c.limit)
			if budget.Refused() || (*llm.Budget)(nil).Refused() {
				t.Error("a budget that nothing was spent of refused calls")
			}
			_, chat := chain(t, llmtest.Options{Latency: time.Millisecond, Handler: func(r llmtest.Request) llmtest.Reply {
				reply := paid.charge(c.reply(r))
				if strings.Contains(name, "no usage") {
					reply.Text, reply.NoUsage = lengthy, true
				}
				return reply
			}},
				llm.Config{Price: c.price, Budget: budget})
			errs := many(chat, 300, 16, c.text)
			if !budget.Refused() {
				t.Error("the budget does not report that it refused calls")
			}
			for _, err := range errs {
				if !errors.Is(err, llm.ErrBudget) {
					t.Fatal(err)
				}
			}
			t.Logf("spent %.4f of %.4f, a call costs up to %.4f", paid.spent, c.limit, paid.most)
			if len(errs) == 0 || paid.spent > c.limit+paid.most || paid.spent < c.limit/2 {
				t.Errorf("%d calls refused; %.4f of %.4f spent, a call costs up to %.4f", len(errs), paid.spent, c.limit, paid.most)
			}
		})
	}
}

// A call is sent only if the budget suffices for a token for each byte of the prompt and
// for an answer as long as its token limit.
func TestMostOfACall(t *testing.T) {
	t.Parallel()
	const text = 30_000 // bytes
	long := ask(strings.Repeat("貓", text/3))
	schema := ask("q")
	schema.Schema = &llm.Schema{Name: "s", JSON: []byte(`{"description":"` + strings.Repeat("a", text) + `"}`)}
	limited := ask("q")
	limited.MaxTokens = text
	for name, c := range map[string]struct {
		req  llm.Request
		most float64
	}{
		"prompt":        {long, text},
		"schema":        {schema, text},
		"limit":         {limited, text},
		"default limit": {ask("q"), llm.DefaultMaxTokens},
	} {
		price := llm.Price{In: 1e6}
		if strings.Contains(name, "limit") {
			price = llm.Price{Out: 1e6}
		}
		for limit, sent := range map[float64]int{c.most - 1: 0, c.most + 200: 1} {
			s, chat := chain(t, llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: "{}"} }},
				llm.Config{Price: price, Budget: llm.NewBudget(limit)})
			_, err := chat.Chat(context.Background(), c.req)
			if got := s.Counts().Requests; got != sent || errors.Is(err, llm.ErrBudget) != (sent == 0) {
				t.Errorf("%s with a budget of %.0f: %d requests, %v, want %d", name, limit, got, err, sent)
			}
		}
	}
}

// An attempt that breaks off after it was sent may be charged: it counts with all that is
// reserved for it. One that the server refuses does not, and neither does one that never
// reached a server.
func TestBrokenAttemptsCount(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault  llmtest.Reply
		stream bool
		counts bool
	}{
		"reset":                {llmtest.Reply{Reset: true}, false, true},
		"no answer in time":    {llmtest.Reply{Delay: time.Minute}, false, true},
		"a stream that is cut": {llmtest.Reply{Text: "half an answer", Cut: true}, true, true},
		"not JSON":             {llmtest.Reply{Raw: "<html>"}, false, true},
		"refused":              {llmtest.Reply{Status: 400}, false, false},
		"overloaded":           {llmtest.Reply{Status: 503}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, func(t *testing.T) {
				var faults atomic.Int64
				_, client := connectInBubble(t, llmtest.Options{Fault: func(r llmtest.Request) *llmtest.Reply {
					if r.N == 1 {
						return nil
					}
					faults.Add(1)
					return &c.fault
				}}, openai.Config{Timeout: 300 * time.Millisecond})
				chat := llm.New(llm.Config{Provider: client.Chat(), Retry: quick, Price: llm.Price{Out: 1000}, Budget: llm.NewBudget(3.5)})
				req := ask("q")
				req.MaxTokens = 1000 // reserves 1
				mustAsk(t, chat, req)
				var err error
				for range 20 {
					if c.stream {
						req.Stream = func(string) {}
					}
					_, err = chat.Chat(context.Background(), req)
				}
				if n := faults.Load(); c.counts != errors.Is(err, llm.ErrBudget) || c.counts && n != 3 || n < 3 {
					t.Errorf("%d broken attempts, then %v", n, err)
				}
			})
		})
	}
	client, err := openai.New(openai.Config{BaseURL: "http://127.0.0.1:1/v1", Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	chat := llm.New(llm.Config{Provider: client.Chat(), Retry: quick, Price: llm.Price{Out: 1000}, Budget: llm.NewBudget(10)})
	for range 20 {
		if _, err := chat.Chat(context.Background(), ask("q")); errors.Is(err, llm.ErrBudget) {
			t.Fatalf("without a server: %v", err)
		}
	}
}

// A broken call for vectors counts with what is reserved for it.
func TestBrokenEmbeddingCounts(t *testing.T) {
	t.Parallel()
	s, e := vectors(t, llmtest.Options{}, llm.EmbedConfig{Budget: llm.NewBudget(1000), Price: llm.Price{In: 1e6}})
	s.Enqueue(llmtest.Reply{Reset: true}, llmtest.Reply{Reset: true}, llmtest.Reply{Reset: true})
	if _, _, err := e.Embed(context.Background(), []string{strings.Repeat("a", 400)}); !errors.Is(err, llm.ErrBudget) || s.Counts().Requests != 2 {
		t.Errorf("error %v after %d requests", err, s.Counts().Requests)
	}
}

func TestCachedAnswersNeedNoBudget(t *testing.T) {
	t.Parallel()
	cache := &llm.Cache{Dir: t.TempDir()}
	s, client := connect(t, llmtest.Options{})
	mustAsk(t, llm.New(llm.Config{Provider: client.Chat(), Cache: cache}), ask("q"))
	s.Reset()
	poor := llm.New(llm.Config{Provider: client.Chat(), Cache: cache, Price: llm.Price{In: 1}, Budget: llm.NewBudget(0)})
	if res := mustAsk(t, poor, ask("q")); !res.Cached {
		t.Errorf("response %+v", res)
	}
	if _, err := poor.Chat(context.Background(), ask("another")); !errors.Is(err, llm.ErrBudget) || s.Counts().Requests != 0 {
		t.Errorf("error %v after %d requests", err, s.Counts().Requests)
	}
}

// A call for vectors reserves a token for each byte.
func TestBudgetOfEmbedding(t *testing.T) {
	t.Parallel()
	s, e := vectors(t, llmtest.Options{}, llm.EmbedConfig{Budget: llm.NewBudget(200), Price: llm.Price{In: 1e6}})
	ctx := context.Background()
	// Costs 2 of the 200, though more is reserved for it.
	if _, used, err := e.Embed(ctx, []string{"one two"}); err != nil || used.Cost != 2 {
		t.Fatalf("usage %+v, %v", used, err)
	}
	if _, _, err := e.Embed(ctx, []string{strings.Repeat("a", 199)}); !errors.Is(err, llm.ErrBudget) || s.Counts().Requests != 1 {
		t.Errorf("an estimate above the rest: error %v after %d requests", err, s.Counts().Requests)
	}
	if _, _, err := e.Embed(ctx, []string{strings.Repeat("a", 150)}); err != nil || s.Counts().Requests != 2 {
		t.Errorf("an estimate below the rest: error %v after %d requests", err, s.Counts().Requests)
	}
}

// Whatever form the usage has that a server reports, calls spend the budget and at most one call
// more, and the summary has what the budget counts.
func TestBudgetOfForgedUsage(t *testing.T) {
	t.Parallel()
	const in, out, limit = 4000, 1000, 0.5 // true tokens of a call
	price := llm.Price{In: 1, Out: 10}
	for _, usage := range []string{
		``, `null`, `""`, `0`, `[]`, `{}`, `false`, `"many"`,
		`{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}`,
		`{"prompt_tokens":1,"completion_tokens":1}`,
		`{"prompt_tokens":4000,"completion_tokens":0}`,
		`{"prompt_tokens":0,"completion_tokens":1000}`,
		`{"prompt_tokens":4000}`,
		`{"prompt_tokens":"12","completion_tokens":"3"}`,
		`{"prompt_tokens":12.0,"completion_tokens":3.5}`,
		`{"prompt_tokens":"4000","completion_tokens":"1000"}`,
		`{"prompt_tokens":4000.0,"completion_tokens":1000.5}`,
		`{"prompt_tokens":null,"completion_tokens":null,"prompt_tokens_details":null}`,
		`{"prompt_tokens":-4000,"completion_tokens":-1000}`,
		`{"prompt_tokens":1e300,"completion_tokens":1e300}`,
		`{"prompt_tokens":{},"completion_tokens":[1]}`,
		`{"input_tokens":4000,"output_tokens":1000}`,
		`{"prompt_tokens":4000,"total_tokens":5000}`,
		`{"prompt_tokens":4000,"completion_tokens":1000,"prompt_tokens_details":"none"}`,
	} {
		t.Run(usage, func(t *testing.T) {
			t.Parallel()
			field := ""
			if usage != "" {
				field = `,"usage":` + usage
			}
			text := strings.Repeat("word ", out) + "and an end."
			raw := `{"choices":[{"message":{"content":"` + text + `"},"finish_reason":"stop"}]` + field + `}`
			paid, budget, meter := &answers{price: price}, llm.NewBudget(limit), &llm.Meter{}
			_, chat := chain(t, llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply {
				paid.charge(in, out)
				return llmtest.Reply{Raw: raw}
			}}, llm.Config{Price: price, Budget: budget, Meter: meter})
			for _, err := range many(chat, 80, 4, strings.Repeat("text ", in)) {
				if !errors.Is(err, llm.ErrBudget) {
					t.Fatal(err)
				}
			}
			if !budget.Refused() || paid.spent > limit+paid.most {
				t.Errorf("%.4f of %.4f spent, a call costs %.4f", paid.spent, limit, paid.most)
			}
			_, err := chat.Chat(t.Context(), ask("q"+strings.Repeat("text ", 100*in)))
			if said := fmt.Sprintf("%.4f of", meter.Total().Cost); err == nil || !strings.Contains(err.Error(), said) {
				t.Errorf("the summary has %s the budget, which says: %v", said, err)
			}
		})
	}
}

// A right report is taken as it is, whatever the text and the tokenizer.
func TestReportsAreNotRaised(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text   string
		tokens int64
	}{
		"long words":    {counted("internationalisation %d ", 500), 1500},
		"Chinese":       {counted("有限公司的管理%d", 500), 1700},
		"Thai":          {counted("ประเทศไทย%d", 500), 2200},
		"rules":         {counted(strings.Repeat("-", 100)+"%d"+strings.Repeat(" ", 900), 10), 80},
		"a short text":  {"q", 1},
		"English prose": {counted("He was the keeper of the lighthouse %d. ", 500), 5000},
	} {
		meter, answer := &llm.Meter{}, c.text
		_, chat := chain(t, llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply {
			return llmtest.Reply{Text: answer, TokensIn: c.tokens, TokensOut: c.tokens, Finish: "stop"}
		}}, llm.Config{Price: llm.Price{In: 1e6, Out: 1e6}, Budget: llm.NewBudget(1e9), Meter: meter})
		res := mustAsk(t, chat, ask(c.text))
		if want := (llm.Usage{Calls: 1, TokensIn: c.tokens, TokensOut: c.tokens, Cost: float64(2 * c.tokens)}); res.Estimated || meter.Total() != want {
			t.Errorf("%s: %+v, want %+v", name, meter.Total(), want)
		}
	}
}

// Vectors whose usage is missing or far too low count with a token for each byte.
func TestBudgetOfForgedEmbeddingUsage(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("text ", 200) // 200 tokens, 1000 bytes
	for _, usage := range []string{`null`, `"x"`, `{"prompt_tokens":0,"total_tokens":0}`, `{"prompt_tokens":5,"total_tokens":5}`, `{"prompt_tokens":-1}`, `{"prompt_tokens":"200"}`, `{"total_tokens":200.0}`} {
		price, sent, meter := llm.Price{In: 1e6}, 0, &llm.Meter{}
		s, e := vectors(t, llmtest.Options{}, llm.EmbedConfig{Budget: llm.NewBudget(3000), Price: price, Meter: meter})
		var err error
		for i := 0; i < 50 && err == nil; i++ {
			s.Enqueue(llmtest.Reply{Raw: `{"data":[{"index":0,"embedding":[1,2]}],"usage":` + usage + `}`})
			if _, _, err = e.Embed(t.Context(), []string{text + strings.Repeat("x", i+1)}); err == nil {
				sent++
			}
		}
		if !errors.Is(err, llm.ErrBudget) || sent > 15 || sent < 2 {
			t.Errorf("%s: %d calls of 200 tokens for 3000, then %v", usage, sent, err)
		}
		if said := fmt.Sprintf("%.4f of", meter.Total().Cost); err != nil && !strings.Contains(err.Error(), said) {
			t.Errorf("%s: the summary has %s the budget, which says: %v", usage, said, err)
		}
	}
}
