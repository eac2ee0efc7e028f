package index_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

func TestIndexTwice(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name := corpus(t, store)
	docs := folder(t, town())
	first := run(t, store, options(name), docs)
	if got, want := first.Documents, (index.DocumentCounts{Added: 3}); got != want {
		t.Errorf("documents of the first run: got %+v, want %+v", got, want)
	}
	if first.Writes == 0 || first.Exit != 0 {
		t.Errorf("first run: got %d writes and exit %d", first.Writes, first.Exit)
	}
	before := dump(t, store, name, "")
	runs, err := store.Runs(t.Context(), name, 10)
	if err != nil {
		t.Fatal(err)
	}
	second := run(t, store, options(name), docs)
	if second.Writes != 0 || second.Documents.Unchanged != 3 {
		t.Errorf("second run: got %d writes and %+v, want none and 3 unchanged", second.Writes, second.Documents)
	}
	same(t, before, dump(t, store, name, ""))
	again, err := store.Runs(t.Context(), name, 10)
	if err != nil {
		t.Fatal(err)
	}
	if len(runs) != 1 || len(again) != 1 {
		t.Errorf("runs recorded: got %d and %d, want 1 and 1, because a run without work is not recorded", len(runs), len(again))
	}
}

func TestSameInputSameGraph(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	a, b := corpus(t, store), corpus(t, store)
	docs := folder(t, town())
	run(t, store, options(a), docs)
	o := options(b)
	o.Concurrency = 7
	run(t, store, o, docs)
	same(t, dump(t, store, a, ""), dump(t, store, b, ""))
	counts, err := store.Counts(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	if counts.Entities < 8 || counts.Relationships < 8 || counts.Communities < 2 || counts.Reports != counts.Communities {
		t.Errorf("counts: got %+v, want a graph with a report for every community", counts)
	}
}

// TestUpdateEqualsRebuild edits, adds, moves and removes documents, and compares the
// result with a new corpus of the same documents.
func TestUpdateEqualsRebuild(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	live, fresh := corpus(t, store), corpus(t, store)
	docs := folder(t, town())
	run(t, store, options(live), docs)
	steps := []struct {
		name   string
		change func()
		want   index.DocumentCounts
	}{
		{"edit", func() {
			write(t, filepath.Join(docs, "two.txt"), strings.ReplaceAll(town()["two.txt"], "Victor Lang", "Samuel Pike"))
		}, index.DocumentCounts{Changed: 1, Unchanged: 2}},
		{"add", func() {
			write(t, filepath.Join(docs, "four.txt"), "Samuel Pike visited Clara Hale in Port Ellen in 1937. Samuel Pike bought the Harbour Museum.")
		}, index.DocumentCounts{Added: 1, Unchanged: 3}},
		{"move", func() {
			if err := os.Rename(filepath.Join(docs, "one.txt"), filepath.Join(docs, "uno.txt")); err != nil {
				t.Fatal(err)
			}
		}, index.DocumentCounts{Moved: 1, Unchanged: 3}},
		{"remove", func() {
			if err := os.RemoveAll(filepath.Join(docs, "deep")); err != nil {
				t.Fatal(err)
			}
		}, index.DocumentCounts{Removed: 1, Unchanged: 3}},
	}
	for _, step := range steps {
		step.change()
		r := run(t, store, options(live), docs)
		if diff := cmp.Diff(step.want, r.Documents); diff != "" {
			t.Errorf("%s: documents (-want +got):\n%s", step.name, diff)
		}
		neo4jtest.Wipe(t, fresh)
		o := options(fresh)
		o.WithoutReports = true // evidence does not depend on them
		run(t, store, o, docs)
		t.Run(step.name, func(t *testing.T) {
			same(t, dump(t, store, fresh, "evidence"), dump(t, store, live, "evidence"))
		})
		if idle := run(t, store, options(live), docs); idle.Writes != 0 {
			t.Errorf("%s: a run after it wrote %d times, want none", step.name, idle.Writes)
		}
	}
}

func TestChangedSettingsRedoOnlyWhatDepends(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	live, fresh := corpus(t, store), corpus(t, store)
	docs := folder(t, town())
	run(t, store, options(live), docs)
	o := options(live)
	o.Community.Leiden.MaxSize = 6
	o.EntityTypes = []string{"person"}
	o.Report.MaxTokens = 200
	r := run(t, store, o, docs)
	if r.Documents.Unchanged != 3 || r.Writes == 0 {
		t.Errorf("changed settings: got %+v and %d writes", r.Documents, r.Writes)
	}
	o.Corpus = fresh
	run(t, store, o, docs)
	same(t, dump(t, store, fresh, "evidence"), dump(t, store, live, "evidence"))
	o.Corpus = live
	if again := run(t, store, o, docs); again.Writes != 0 {
		t.Errorf("the run after it wrote %d times, want none", again.Writes)
	}
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name := corpus(t, store)
	files := town()
	files["broken.txt"] = "text\x00with\x00zeros\x00and no order\x01\x02\x00"
	docs := folder(t, files)
	r := run(t, store, options(name), docs)
	if r.Exit != 3 || len(r.Failures) != 1 || r.Failures[0].Key != "docs/broken.txt" {
		t.Errorf("a file that cannot be read: got exit %d and %+v, want 3 and its name", r.Exit, r.Failures)
	}
	if r.Documents.Added != 3 || r.Documents.Failed != 1 {
		t.Errorf("documents: got %+v, want 3 added and 1 failed", r.Documents)
	}
	o := options(name)
	o.AllowFailures = index.Allowance{Count: 1}
	if r := run(t, store, o, docs); r.Exit != 0 {
		t.Errorf("with one failure allowed: got exit %d, want 0", r.Exit)
	}
	if _, err := try(t, store, options(name), filepath.Join(docs, "nowhere")); err == nil {
		t.Error("a path that is missing: got no error")
	}
	if _, err := try(t, store, options(name), t.TempDir()); !errors.Is(err, source.ErrNoInput) {
		t.Errorf("an empty folder: got %v, want ErrNoInput", err)
	}
	counts, err := store.Counts(t.Context(), name)
	if err != nil || counts.Documents != 3 {
		t.Errorf("documents after bad paths: got %d, %v, want 3: nothing is removed", counts.Documents, err)
	}
	other := folder(t, map[string]string{"one.txt": "Another text of the same name."})
	if _, err := try(t, store, options(name), other); !errors.Is(err, index.ErrOtherRoot) {
		t.Errorf("a URI of another root: got %v, want ErrOtherRoot", err)
	}
}

func TestWithoutReports(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name, fresh := corpus(t, store), corpus(t, store)
	docs := folder(t, town())
	o := options(name)
	o.WithoutReports = true
	run(t, store, o, docs)
	counts, err := store.Counts(t.Context(), name)
	if err != nil || counts.Reports != 0 || counts.Communities == 0 {
		t.Fatalf("without reports: got %+v, %v, want communities and no reports", counts, err)
	}
	if again := run(t, store, o, docs); again.Writes != 0 {
		t.Errorf("the second run wrote %d times, want none", again.Writes)
	}
	run(t, store, options(name), docs)
	run(t, store, options(fresh), docs)
	same(t, dump(t, store, fresh, ""), dump(t, store, name, ""))
}

func TestLeased(t *testing.T) {
	t.Parallel()
	var inner error
	var store *neo4jstore.Store
	name := corpus(t, open(t, nil))
	docs := folder(t, town())
	first := true
	store = open(t, func(string) error {
		if first {
			first = false
			o := options(name)
			o.Owner, o.Wait = "another", -1
			x, err := index.New(store, o)
			if err != nil {
				return err
			}
			_, inner = x.Run(t.Context(), []string{docs})
		}
		return nil
	})
	run(t, store, options(name), docs)
	if !errors.Is(inner, neo4jstore.ErrLeased) {
		t.Errorf("a run during another one: got %v, want ErrLeased", inner)
	}
}

// TestSampleHasCommunities checks the quality of the graph that the rules make of the
// sample: clear communities, and no hub that dominates it.
func TestSampleHasCommunities(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name := corpus(t, store)
	run(t, store, index.Options{Corpus: name}, filepath.Join("..", "..", "examples", "christmas-carol"))
	a, err := store.Adjacency(t.Context(), name, "count")
	if err != nil {
		t.Fatal(err)
	}
	generation, err := store.Generation(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	all, err := store.Communities(t.Context(), name, generation, true)
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i, c := range all {
		for _, m := range c.Members {
			if c.Level == 0 {
				at[m] = i
			}
		}
	}
	hub := 0
	for i := range a.Keys {
		hub = max(hub, a.Graph.Degree(uint32(i)))
	}
	share := float64(hub) / float64(a.Graph.Edges())
	pairs := modularity(a, at, func(float64) float64 { return 1 })
	instances := modularity(a, at, func(weight float64) float64 { return weight })
	t.Logf("level 0: modularity %.3f over pairs, %.3f over instances; largest hub in %.3f of the pairs", pairs, instances, share)
	// Clustering optimises the modularity over instances: its bar is .37, under what the
	// best partition reaches, because Scrooge and the spirits share every other scene. The
	// modularity over pairs counts each pair once, and nothing optimises it: its bar of .40
	// shows whether the communities are clear without the weights. Both bars are regression
	// floors under the figures of this text.
	if pairs < .40 || instances < .37 || share > .30 {
		t.Errorf("got modularity %.3f over pairs, %.3f over instances and a hub in %.3f of the pairs, want at least .40, .37 and at most .30", pairs, instances, share)
	}
}

// modularity returns the modularity of the communities in at, with the weight of edges
// mapped by weigh.
func modularity(a neo4jstore.Adjacency, at map[string]int, weigh func(float64) float64) float64 {
	inside, strength, total := map[int]float64{}, map[int]float64{}, 0.
	for i, key := range a.Keys {
		s := at[key]
		for j, weight := range a.Graph.Neighbors(uint32(i)) {
			w := weigh(weight)
			total += w / 2
			strength[s] += w
			if at[a.Keys[j]] == s {
				inside[s] += w / 2
			}
		}
	}
	q := 0.
	for c, k := range strength {
		q += inside[c]/total - k*k/(4*total*total)
	}
	return q
}
