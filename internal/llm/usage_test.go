package llm_test

import (
	"context"
	"errors"
	"math"
	"strconv"
	"testing"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
)

func TestCost(t *testing.T) {
	t.Parallel()
	u := llm.Usage{TokensIn: 1000, CachedTokens: 400, TokensOut: 100}
	for _, c := range []struct {
		price llm.Price
		want  float64
	}{
		{llm.Price{}, 0},
		{llm.Price{In: 2, Out: 10}, 0.003},
		{llm.Price{In: 2, Out: 10, CachedIn: 1}, 0.0026},
	} {
		if got := c.price.Cost(u); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%+v: %v, want %v", c.price, got, c.want)
		}
	}
}

// Failed and repeated calls are counted with the others.
func TestMeterCountsWhatIsPaid(t *testing.T) {
	t.Parallel()
	meter := &llm.Meter{}
	s, chat := chain(t, llmtest.Options{}, llm.Config{Meter: meter})
	s.Enqueue(llmtest.Reply{Status: 500}, llmtest.Reply{Text: "not JSON", TokensIn: 10, TokensOut: 2}, llmtest.Reply{Text: "again not", TokensIn: 20, TokensOut: 2})
	if _, err := chat.Chat(context.Background(), askFact("q")); !errors.Is(err, llm.ErrInvalid) {
		t.Fatal(err)
	}
	for i := range 3 {
		mustAsk(t, chat, ask(strconv.Itoa(i)))
	}
	got := meter.Tasks()["t"]
	want := llm.TaskUsage{Usage: llm.Usage{Calls: 5, TokensIn: 33, TokensOut: 7}, Requests: 4, Failed: 1}
	if got != want || meter.Total() != want.Usage {
		t.Errorf("totals %+v, want %+v", got, want)
	}
}
