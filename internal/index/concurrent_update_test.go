package index_test

import (
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
)

// TestTwoUpdatesAtOnce runs the same update from two connections, each until it is done: one of
// them waits for the other, nothing is extracted, described or reported twice, and the graph is
// that of one update. Nothing is cached.
func TestTwoUpdatesAtOnce(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	update := func(docs string) {
		write(t, filepath.Join(docs, "circle02.txt"), "Agnes Hale met Bruno Hale. Bruno Hale met Clara Hale.")
		write(t, filepath.Join(docs, "new.txt"), "Bruno Falk met Agnes Falk. Bruno Falk met Tobias Reed.")
	}
	prepare := func() (server *llmtest.Server, o func() index.Options, docs string) {
		server, with := model(t, llmtest.Options{Latency: 2 * time.Millisecond}, "")
		name := modelCorpus(t)
		docs = folder(t, circles(6))
		o = func() index.Options { return with(options(name)) }
		run(t, store, o(), docs)
		update(docs)
		server.Reset()
		return server, o, docs
	}
	server, o, docs := prepare()
	run(t, store, o(), docs)
	want, wantTasks := dump(t, store, o().Corpus, ""), tasks(server)

	server, o, docs = prepare()
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			own, settings := open(t, nil), o()
			for {
				_, err := try(t, own, settings, docs)
				if err == nil {
					return
				}
				if !errors.Is(err, neo4jstore.ErrLeased) {
					t.Error(err)
					return
				}
				time.Sleep(20 * time.Millisecond)
			}
		})
	}
	both.Wait()
	got := tasks(server)
	delete(wantTasks, fakemodel.Embed) // texts are embedded in batches, which depend on time
	delete(got, fakemodel.Embed)
	if diff := cmp.Diff(wantTasks, got); diff != "" {
		t.Errorf("calls (-one +two):\n%s", diff)
	}
	same(t, want, dump(t, store, o().Corpus, ""))
}
