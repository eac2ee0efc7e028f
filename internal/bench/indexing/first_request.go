package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
)

// firstRequest prints the median time from the start of a query with a model to its
// first request: what the program does before the model can begin.
func (b *bench) firstRequest(ctx context.Context, corpus, method, question string) error {
	//nolint:contextcheck // the server runs until it is closed
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler})
	defer server.Close()
	cache, err := os.MkdirTemp("", "neorag-bench-cache")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(cache) }()
	return b.median("  query --method "+method+" with a model, to its first request", func(i int) (time.Duration, error) {
		seen, start := len(server.Requests()), time.Now()
		if _, err := b.exec(ctx, "query", "--corpus", corpus, "--method", method, "--base-url", server.URL(), "--model", "simulated",
			"--cache-dir", filepath.Join(cache, strconv.Itoa(i)), question); err != nil {
			return 0, err
		}
		requests := server.Requests()
		if len(requests) == seen {
			return 0, fmt.Errorf("query --method %s has not called the model", method)
		}
		return requests[seen].At.Sub(start), nil
	})
}
