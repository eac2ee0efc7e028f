package index_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// TestEmptyDescriptions has a model write nothing for descriptions: the nodes keep their
// marks, the run ends with exit code 3, and the next run asks again.
func TestEmptyDescriptions(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name := modelCorpus(t)
	docs := folder(t, town())
	var silent atomic.Bool
	silent.Store(true)
	var empty atomic.Int64
	_, with := model(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		if silent.Load() && fakemodel.Task(r) == prompts.Summarise {
			empty.Add(1)
			return llmtest.Reply{Text: " \n"}
		}
		return fakemodel.Handler(r)
	}}, t.TempDir())
	r := run(t, store, with(options(name)), docs)
	marks, err := store.Pending(t.Context(), name)
	if err != nil || r.Exit != 3 || len(r.Failures) == 0 || marks["describe"] != len(r.Failures) || empty.Load() == 0 {
		t.Fatalf("exit %d, %d failures, %d nodes marked, %d empty answers, %v", r.Exit, len(r.Failures), marks["describe"], empty.Load(), err)
	}
	if f := r.Failures[0]; f.Stage != "describe" || !strings.Contains(f.Reason, "it is empty") {
		t.Errorf("the failure %+v does not say what is wrong", f)
	}
	silent.Store(false)
	if r := run(t, store, with(options(name)), docs); r.Exit != 0 || len(r.Failures) != 0 {
		t.Errorf("the model recovered: %+v", r)
	}
}
