package llm_test

import (
	"context"
	"sync"
	"testing"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
)

// TestObserve observes calls of both kinds: their attempts, usage and cost add up to those of the
// server and the meter.
func TestObserve(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var calls []llm.Call
	observe := func(_ context.Context, c llm.Call) {
		mu.Lock()
		defer mu.Unlock()
		calls = append(calls, c)
	}
	meter := &llm.Meter{}
	price := llm.Price{In: 1e6, Out: 2e6}
	s, chat := chain(t, llmtest.Options{Handler: good, Refuse: []string{"json_schema"}}, llm.Config{Meter: meter, Price: price, Observe: observe, Cache: &llm.Cache{Dir: t.TempDir()}})
	mustAsk(t, chat, askFact("a"))
	mustAsk(t, chat, askFact("a"))
	if len(calls) != 2 || calls[0].Attempts != len(s.Requests()) || calls[0].Attempts != 2 || calls[1].Attempts != 0 || !calls[1].Response.Cached || calls[0].Key != calls[1].Key {
		t.Errorf("%d requests, calls %+v", len(s.Requests()), calls)
	}
	if total := meter.Total(); total.Cost == 0 || calls[0].Response.Usage != total {
		t.Errorf("usage %+v, want %+v", calls[0].Response.Usage, total)
	}
	calls, meter = nil, &llm.Meter{}
	s, e := vectors(t, llmtest.Options{}, llm.EmbedConfig{Meter: meter, Price: price, Observe: observe, Batch: llm.Batch{Texts: 4}})
	s.Enqueue(llmtest.Reply{Status: 503, Message: "busy"})
	if _, _, err := e.Embed(t.Context(), numbered(10, 1)); err != nil {
		t.Fatal(err)
	}
	attempts, used := 0, llm.Usage{}
	for _, c := range calls {
		attempts += c.Attempts
		used = used.Add(c.Response.Usage)
		if len(c.Texts) == 0 || c.Key == "" || c.Err != nil {
			t.Errorf("%+v", c)
		}
	}
	if len(calls) != 3 || attempts != 4 || used != meter.Total() {
		t.Errorf("%d calls, %d attempts, usage %+v, want %+v", len(calls), attempts, used, meter.Total())
	}
}
