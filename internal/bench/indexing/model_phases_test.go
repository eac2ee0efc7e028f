package main

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/prompts"
)

// TestPhases splits a run of 10 s on three slots, with calls of 2 s. What the phases lose is what the
// run takes longer than its calls.
func TestPhases(t *testing.T) {
	t.Parallel()
	start := time.Now()
	call := func(task string, at float64) llmtest.Request {
		r := llmtest.Request{At: start.Add(time.Duration(at * float64(time.Second))), Path: "/v1/embeddings"}
		if task != "" {
			p, err := (prompts.Set{}).Get(task)
			if err != nil {
				t.Fatal(err)
			}
			r.Path, r.Messages = "/v1/chat/completions", []llmtest.Message{{Role: "system", Content: p.System}}
		}
		return r
	}
	requests := []llmtest.Request{
		call("", .5), call(prompts.Extract, 1), call(prompts.Extract, 1), call(prompts.Summarise, 4), call(prompts.Report, 6), call("", 7.5),
		{At: start, Refused: true},
	}
	want := []phaseFigure{
		{"start", 0, 1, 5. / 6}, {"chunks", 1, 3, 1. / 6}, {"descriptions", 3, 6, 7. / 3}, {"reports", 6, 8, 7. / 6}, {"vectors", 8, 9.5, 1}, {"end", 9.5, 10, .5},
	}
	f := modelFigure{Latency: 2, Wall: 10}
	f.count(requests, start, modelOptions{latency: 2 * time.Second, concurrency: 3})
	if diff := cmp.Diff(want, f.Phases, cmpopts.EquateApprox(0, 1e-6)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	lost := 0.
	for _, p := range f.Phases {
		lost += p.Lost
	}
	if calls := float64(len(requests)-1) * 2 / 3; !cmp.Equal(lost, 10-calls, cmpopts.EquateApprox(0, 1e-6)) {
		t.Errorf("lost %v s, want 10 less the calls, %v", lost, calls)
	}
}
