package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/simulate"
)

// first prints the median time from the start of a process that answers with a
// model to its first request to that: what the program does before the model can.
func (b *bench) first(ctx context.Context, corpus, method, question string) error {
	//nolint:contextcheck // the server lives until it is closed
	server := llmtest.New(llmtest.Options{Handler: simulate.Handler})
	defer server.Close()
	cache, err := os.MkdirTemp("", "neorag-bench-cache")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(cache) }()
	times := make([]time.Duration, repeats)
	for i := range times {
		seen, start := len(server.Requests()), time.Now()
		if _, err := b.exec(ctx, "query", "--corpus", corpus, "--method", method, "--base-url", server.URL(), "--model", "simulated",
			"--cache-dir", filepath.Join(cache, strconv.Itoa(i)), question); err != nil {
			return err
		}
		requests := server.Requests()
		if len(requests) == seen {
			return fmt.Errorf("query --method %s asked no model", method)
		}
		times[i] = requests[seen].At.Sub(start)
	}
	slices.Sort(times)
	_, _ = fmt.Fprintf(b.w, "  query --method %s with a model, to its first request: %.0f ms (median of %d processes)\n",
		method, float64(times[repeats/2].Microseconds())/1000, repeats)
	return nil
}
