package index_test

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/stage/extract"
)

// TestUpdateWritesLittle adds a document about one of many groups, with a model: each stage
// writes to the nodes that the document changes, and to no others. The run records the
// writes of each stage.
func TestUpdateWritesLittle(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	_, with := model(t, llmtest.Options{}, "")
	o := with(options(modelCorpus(t)))
	o.Model.Claims, o.Labels.Levels = extract.ClaimsNone, 1
	docs := folder(t, circles(16))
	run(t, store, o, docs)
	before := communities(t, store, o.Corpus)
	write(t, filepath.Join(docs, "new.txt"), "Bruno Falk met Agnes Falk. Bruno Falk met Tobias Falk. Bruno Falk met Clara Falk.")
	second := run(t, store, o, docs)
	after := communities(t, store, o.Corpus)
	moved := movedEntities(before, after)
	if moved == 0 || moved > 20 {
		t.Fatalf("%d entities are in other communities", moved)
	}
	stages := map[string]index.StageResult{}
	for _, s := range second.Stages {
		stages[s.Name] = s
	}
	// Each has a label and three properties; ended communities are swept with their reports.
	if s := stages["label"]; s.Done == 0 || s.Done > moved || s.Writes > int64(8*moved) {
		t.Errorf("label: %d entities with %d writes, want at most %d", s.Done, s.Writes, moved)
	}
	const touched = 4 + 3 // entities and relationships of the document
	if s := stages["describe"]; s.Done == 0 || s.Done > touched {
		t.Errorf("describe: %d nodes, want at most %d", s.Done, touched)
	}
	if s, most := stages["embed"], 1+touched+second.Reports.Rewritten; s.Done == 0 || s.Done > most {
		t.Errorf("embed: %d nodes, want at most %d", s.Done, most)
	}
	// A description has eight writes at most, and marks the communities of its node: those of
	// both generations if the next one has already been written.
	levels := 1 + slices.MaxFunc(slices.Concat(before, after), func(a, b graph.Community) int { return cmp.Compare(a.Level, b.Level) }).Level
	for name, most := range map[string]int64{"describe": int64(8+2*levels) * touched, "embed": 4 * int64(1+touched+second.Reports.Rewritten)} {
		if n := stages[name].Writes; n == 0 || n > most {
			t.Errorf("%s: %d writes, want at most %d", name, n, most)
		}
	}
	runs, err := store.Runs(t.Context(), o.Corpus, 1)
	if err != nil || len(runs) != 1 {
		t.Fatalf("runs: %v, %v", runs, err)
	}
	for _, s := range second.Stages {
		if got, ok := runs[0].Counts[s.Name+"_writes"]; !ok || got != s.Writes {
			t.Errorf("the run records %d writes of %s, want %d", got, s.Name, s.Writes)
		}
	}
}

// movedEntities counts the entities that are not in the same communities as before, by
// label.
func movedEntities(before, after []graph.Community) (n int) {
	homes := func(all []graph.Community) map[string][]string {
		of := map[string][]string{}
		for _, c := range all {
			for _, m := range c.Members {
				of[m] = append(of[m], fmt.Sprint(c.Level, c.Label))
			}
		}
		return of
	}
	old := homes(before)
	for entity, now := range homes(after) {
		was := old[entity]
		slices.Sort(was)
		slices.Sort(now)
		if !slices.Equal(was, now) {
			n++
		}
	}
	return n
}
