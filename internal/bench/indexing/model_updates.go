package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
)

// peerDocuments is how many documents of LiHuaWorld the peers were measured on.
const peerDocuments = 60

// modelUpdates prints what it costs with a model to add, change and delete one document of
// the first documents of LiHuaWorld.
func (b *bench) modelUpdates(ctx context.Context, o modelOptions) error {
	const corpus = "bench_model_updates"
	paths, err := filepath.Glob(filepath.Join(dataFolder(), "lihuaworld", "docs", "*"))
	if err != nil {
		return err
	}
	if len(paths) <= peerDocuments {
		return errors.New("there are too few documents in lihuaworld: set NEORAG_DATA")
	}
	//nolint:contextcheck // the server runs until it is closed
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Latency: o.latency, Dimension: 384})
	defer server.Close()
	cache, err := os.MkdirTemp("", "neorag-bench-cache")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(cache) }()
	return b.onFolder(ctx, corpus, func(dir string) error {
		put := func(i int, more string) error {
			body, err := os.ReadFile(paths[i])
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, filepath.Base(paths[i])), append(body, more...), 0o600)
		}
		for i := range peerDocuments {
			if err := put(i, ""); err != nil {
				return err
			}
		}
		for _, change := range []struct {
			name string
			make func() error
		}{
			{"first index", func() error { return nil }},
			{"nothing changed", func() error { return nil }},
			{"one added", func() error { return put(peerDocuments, "") }},
			{"one changed", func() error { return put(10, "\nLiHua: See you at the gym with Wolfgang tomorrow.\n") }},
			{"one deleted", func() error { return os.Remove(filepath.Join(dir, filepath.Base(paths[20]))) }},
		} {
			if err := change.make(); err != nil {
				return err
			}
			run, err := b.exec(ctx, "index", "--corpus", corpus, "--json", "--quiet", "--base-url", server.URL(), "--model", "simulated",
				"--embedding-model", "vectors", "--concurrency", strconv.Itoa(o.concurrency), "--cache-dir", cache, dir)
			if err != nil {
				return err
			}
			var r index.Result
			if err := json.Unmarshal(run.out, &r); err != nil {
				return fmt.Errorf("read result: %w", err)
			}
			b.printModelUpdate(change.name, run, r)
		}
		return nil
	})
}

func (b *bench) printModelUpdate(name string, run ran, r index.Result) {
	var stages []string
	for _, s := range r.Stages {
		if s.Calls > 0 {
			stages = append(stages, fmt.Sprintf("%s %d", s.Name, s.Calls))
		}
	}
	share := ""
	if r.Rebuild != nil {
		share = fmt.Sprintf("%.1f %% of the calls, %.1f %% of the tokens of a new corpus", 100*r.Rebuild.Calls, 100*r.Rebuild.Tokens)
	}
	_, _ = fmt.Fprintf(b.w, "%-16s %5.1f s  %4d calls (%s), %d tokens out  %d of %d reports rewritten  %s\n",
		name, run.took.Seconds(), r.Calls, strings.Join(stages, ", "), r.TokensOut, r.Reports.Rewritten, r.Reports.Rewritten+r.Reports.Kept, share)
}
