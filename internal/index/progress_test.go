package index_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// The progress of extraction counts all chunks that are written, also those that wait to be handed
// to the model, and as done only those whose extraction is stored.
func TestProgressCountsWaitingChunks(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	const answered, waiting = 3, 17 // more wait than calls are made at the same time
	files := map[string]string{}
	for i := range answered + waiting {
		files[fmt.Sprintf("note-%02d.txt", i)] = fmt.Sprintf("Clara Hale met Visitor Number %d in Port Ellen.", i)
	}
	var calls atomic.Int32
	shown := make(chan struct{})
	_, with := model(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		if fakemodel.Task(r) == prompts.Extract && calls.Add(1) > answered {
			<-shown
		}
		return fakemodel.Handler(r)
	}}, "")
	o := with(options(modelCorpus(t)))
	var seen atomic.Bool
	o.Progress = func(p index.Progress) {
		if p.Stage != "extract" {
			return
		}
		if p.Done > answered && !seen.Load() {
			t.Errorf("%d chunks are done, and only %d extractions were answered", p.Done, answered)
		}
		if p.Done == answered && p.Total == answered+waiting && seen.CompareAndSwap(false, true) {
			close(shown)
		}
		if p.Done == p.Total && p.Total > 0 && p.Total < answered+waiting {
			t.Errorf("progress %d of %d, with chunks that wait", p.Done, p.Total)
			if seen.CompareAndSwap(false, true) {
				close(shown)
			}
		}
	}
	run(t, store, o, folder(t, files))
	if !seen.Load() {
		t.Error("the progress never had all chunks in its total")
	}
}
