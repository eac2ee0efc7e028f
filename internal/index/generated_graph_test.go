package index_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/testkit/biggraph"
)

// TestGeneratedGraph checks the graphs that benchmarks generate: a run on the files of a
// graph finds them unchanged and does only what is marked, a second run finds nothing to
// do, and a run after an edit changes one document.
func TestGeneratedGraph(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	name := corpus(t, store)
	docs := folder(t, map[string]string{"seed.txt": "Anna Berg met Carl Dorn in Rome."})
	run(t, store, options(name), docs)
	states, err := store.Documents(t.Context(), name)
	if err != nil || len(states) != 1 {
		t.Fatalf("%v, %v", states, err)
	}
	o := biggraph.Options{Folder: docs, Source: states[0].SourceFP, Chunk: states[0].ChunkFP, WithoutCommunities: true, ToDerive: true}
	const entities = 600
	if err := biggraph.Write(t.Context(), store, name, biggraph.Sizes{Entities: entities}, o, func(string) {}); err != nil {
		t.Fatal(err)
	}
	r := run(t, store, options(name), docs)
	if want := (index.DocumentCounts{Unchanged: 1 + entities*2/5/20}); r.Documents != want {
		t.Errorf("documents of the generated files: got %+v, want %+v", r.Documents, want)
	}
	var stages []string
	for _, s := range r.Stages {
		if s.Done > 0 {
			stages = append(stages, s.Name)
		}
	}
	if got := strings.Join(stages, " "); got != "derive describe cluster report label" {
		t.Errorf("stages with work: %s", got)
	}
	if r := run(t, store, options(name), docs); r.Writes != 0 {
		t.Errorf("a second run: %+v", r)
	}
	edited := filepath.Join(docs, "000", "000001.txt")
	text, err := os.ReadFile(edited)
	if err != nil {
		t.Fatal(err)
	}
	write(t, edited, strings.Replace(string(text), " met ", " thanked ", 1))
	r = run(t, store, options(name), docs)
	if want := (index.DocumentCounts{Changed: 1, Unchanged: entities * 2 / 5 / 20}); r.Documents != want {
		t.Errorf("documents after an edit: got %+v, want %+v", r.Documents, want)
	}
	for _, s := range r.Stages {
		t.Logf("%s: %d", s.Name, s.Done)
	}
}
