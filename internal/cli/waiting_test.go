package cli

import (
	"testing"
	"time"

	"github.com/neorag/neorag/internal/llm"
)

func TestWaitingText(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_000, 0)
	later := func(s int) time.Time { return now.Add(time.Duration(s) * time.Second) }
	for _, c := range []struct {
		in   llm.ActivityState
		want string
	}{
		{llm.ActivityState{}, ""},
		{llm.ActivityState{InFlight: 1}, "1 call in flight"},
		{llm.ActivityState{InFlight: 12}, "12 calls in flight"},
		{llm.ActivityState{Waits: []llm.Wait{{Server: "localhost:11434", Status: 429, Until: later(20), Calls: 3}}}, "the model server localhost:11434 (429, next try in 20 s)"},
		{llm.ActivityState{Waits: []llm.Wait{{Server: "h", Until: later(0)}}}, "the model server h (no answer, next try soon)"},
		{
			llm.ActivityState{InFlight: 2, Waits: []llm.Wait{{Server: "a", Reason: llm.WaitRate, Unit: "tokens", PerMinute: 6000, Until: later(9)}, {Server: "b", Status: 503, Until: later(5)}}},
			"the limit of 6000 tokens a minute of the model server a (next call in 9 s), the model server b (503, next try in 5 s), 2 calls in flight",
		},
		{llm.ActivityState{InFlight: 1, Waits: []llm.Wait{{Server: "h", Reason: llm.WaitBudget}}}, "the cost of calls in flight, because the budget may not allow more, 1 call in flight"},
	} {
		if got := waitingText(c.in, now); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.in, got, c.want)
		}
	}
}
