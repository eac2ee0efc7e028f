package mcp

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/server/files"
	"github.com/neorag/neorag/internal/server/runs"
	"github.com/neorag/neorag/internal/server/servertest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
)

// TestIndexTool has a corpus indexed: a second call during the run shows its progress, and starts nothing.
func TestIndexTool(t *testing.T) {
	t.Parallel()
	corpus := servertest.Sample(t, examples)
	folder := &files.Folder{Path: t.TempDir()}
	var started []string
	begun, end := make(chan struct{}, 10), make(chan struct{})
	queue := servertest.NewQueue()
	r := runs.New(runs.Options{Quiet: 1, Queue: queue, Index: queue.Index(func(_ context.Context, q runs.Request, progress func(runs.Progress)) (runs.Result, error) {
		started = append(started, q.Corpus)
		progress(runs.Progress{Stage: "extract", Done: 1, Total: 3})
		begun <- struct{}{}
		<-end
		return runs.Result{}, nil
	})})
	model := llmtest.New(llmtest.Options{Handler: fakemodel.Handler})
	t.Cleanup(model.Close)
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan struct{})
	go func() { r.Serve(ctx); close(served) }()
	s := New(Options{Version: "test", Service: servertest.Service(t, model, corpus), Files: folder, Runs: r})
	session := overPipes(t, s, eras[1])
	list, byName := tools(t, session)
	if n := count(t, string(encode(t, list.Tools))); n > 1500 || len(list.Tools) != 5 || byName["index"].Annotations.ReadOnlyHint {
		t.Errorf("%d tools of %d tokens, want 5 of at most 1500, the last of which changes something", len(list.Tools), n)
	}
	for _, tt := range []struct{ corpus, want string }{{"no-such-corpus", "there is no corpus"}, {"../x", "there is no corpus"}, {corpus, "--root"}} {
		if text, result := call(t, session, "index", map[string]any{"corpus": tt.corpus}); !result.IsError || !strings.Contains(text, tt.want) {
			t.Errorf("index %s: %s", tt.corpus, text)
		}
	}
	if err := os.Mkdir(folder.Of(corpus), 0o700); err != nil {
		t.Fatal(err)
	}
	_, result := call(t, session, "index", map[string]any{"corpus": corpus})
	matches(t, byName["index"], result)
	<-begun
	text, result := call(t, session, "index", map[string]any{"corpus": corpus})
	if result.IsError || !strings.Contains(text, "running") || !strings.Contains(text, "extract: 1 of 3") {
		t.Errorf("index during a run: %s", text)
	}
	matches(t, byName["index"], result)
	close(end)
	cancel()
	<-served
	if !slices.Equal(started, []string{corpus}) {
		t.Errorf("runs %v, want one", started)
	}
}
