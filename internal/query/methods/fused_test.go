package methods_test

import (
	order "cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/methods/fused"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/retrieve/snapshot"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestFused asks small documents, each of which only one kind of evidence tells from others.
func TestFused(t *testing.T) {
	t.Parallel()
	store := open(t)
	corpus := neo4jtest.Borrow(t, "queries")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"ferry.md":   "# The ferry\n\nThe ferry to Glasgow leaves at nine. Walter Finch sells the tickets.",
		"harbour.md": "# The harbour\n\nThe harbour freezes in winter. Agnes Moor breaks the ice with an axe.",
		"school.md":  "# The school\n\nThe roof of the school leaks. Edith Farrow wants new slates for the roof.",
		"one.txt":    "Time: 20260310_09:00\nClara Hale: I will order the red lamps.\nPeter Lund: The lamps are for the quay.\nClara Hale: They cost nine pounds.\n",
		"two.txt":    "Time: 20260311_09:00\nPeter Lund: I will order the green lamps for the school.\nClara Hale: Fine.\nPeter Lund: They cost ten pounds.\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	folder := filepath.Join(t.TempDir(), "graphs")
	indexed(t, store, index.Options{Corpus: corpus, With: []string{"queries"}}, dir)
	e, err := query.New(store, query.Options{Corpus: corpus, Snapshots: &snapshot.Cache{Folder: folder}})
	if err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string]string{
		"Who sells tickets for the ferry to Glasgow?": "ferry.md",
		"What does Agnes Moor use?":                   "harbour.md",
		"Who wants new sltes for the roof?":           "school.md", // a misspelt word
		"What was said on 2026-03-11?":                "two.txt",
		"Which lamps does Clara Hale order?":          "one.txt",
	} {
		found, err := e.Retrieve(t.Context(), query.Question{Text: question, Method: "fused"})
		if err != nil {
			t.Fatal(err)
		}
		if len(found.Documents) == 0 || graph.Local(found.Documents[0].Key) != filepath.Base(dir)+"/"+want {
			t.Errorf("%s: documents %v, want %s first", question, found.Documents, want)
		}
		if !slices.IsSortedFunc(found.Chunks, func(a, b rank.Scored) int { return order.Compare(b.Score, a.Score) }) {
			t.Errorf("%s: chunks are not in the order of their scores: %v", question, found.Chunks)
		}
	}
	if files, err := filepath.Glob(filepath.Join(folder, "*.graph")); err != nil || len(files) != 1 {
		t.Errorf("graphs %v, %v, want one", files, err)
	}
	a, err := e.Ask(t.Context(), query.Question{Text: "What does Agnes Moor use?", Method: "fused"})
	if err != nil || len(traceOf[fused.Trace](a).Sources) == 0 || len(a.References) == 0 {
		t.Fatalf("answer %+v, %v", a, err)
	}
	best := traceOf[fused.Trace](a).Sources[0]
	if best.Score != 1 || best.Name != "The harbour #1" || best.Paths["text"] <= 0 || best.Paths["feedback"] <= 0 || best.Paths["entities"] <= 0 {
		t.Errorf("best source %+v, want what each path adds", best)
	}
	var paths []string
	for path := range best.Paths {
		paths = append(paths, path)
	}
	for _, path := range paths {
		if !slices.Contains(fused.Paths, path) {
			t.Errorf("path %q is not one of %v", path, fused.Paths)
		}
	}
	only, err := e.Ask(t.Context(), query.Question{Text: "What does Agnes Moor use?", Method: "fused", Paths: []string{fused.PathEntities}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range traceOf[fused.Trace](only).Sources {
		delete(s.Paths, fused.PathEntities)
		if diff := cmp.Diff(map[string]float64{}, s.Paths); diff != "" {
			t.Errorf("only by entities (-want +got):\n%s", diff)
		}
	}
	testFusedPaths(t, e)
	testFusedComparison(t, e, retrieve.NewReader(store, retrieve.Corpus{Name: corpus}))
}

// testFusedComparison ranks what was read once by several weights: as the method does by its own.
func testFusedComparison(t *testing.T, e *query.Engine, reader retrieve.Reader) {
	t.Helper()
	question := "Which lamps does Clara Hale order for the school?"
	compared, err := fused.Compare(t.Context(), query.Request{Question: query.Question{Text: question}, Reader: reader, Options: query.Options{Snapshots: &snapshot.Cache{}}})
	if err != nil {
		t.Fatal(err)
	}
	for name, weights := range map[string]rank.Features{"default": rank.DefaultFeatures, "title": {Title: 1}, "length": {Passage: 1, Length: -9}} {
		tuning := retrieve.Tuning{}
		for feature, weight := range weights.Named() {
			tuning[feature] = *weight
		}
		found, err := e.Retrieve(t.Context(), query.Question{Text: question, Method: "fused", Tuning: tuning})
		if err != nil {
			t.Fatal(err)
		}
		documents := func(list []rank.Scored) (keys []string) {
			for _, s := range list {
				keys = append(keys, s.Key)
			}
			return keys
		}
		if diff := cmp.Diff(documents(found.Documents), documents(compared.Documents(weights))); diff != "" || len(found.Documents) < 2 {
			t.Errorf("weights of %s: documents (-method +comparison):\n%s", name, diff)
		}
	}
}

// testFusedPaths asks by one path at a time: what it does not find is left out.
func testFusedPaths(t *testing.T, e *query.Engine) {
	t.Helper()
	for _, path := range fused.Paths {
		question, want := "What does Agnes Moor break at the harbour?", []string{"harbour.md"}
		if path == fused.PathFacts || path == fused.PathReports { // it has no relationship
			question, want = "What does Clara Hale tell Peter Lund?", []string{"one.txt", "two.txt"}
		}
		found, err := e.Retrieve(t.Context(), query.Question{Text: question, Method: "fused", Paths: []string{path}})
		if path == retrieve.PathVectors {
			if !errors.Is(err, query.ErrNoVectors) {
				t.Errorf("vectors without an embedding model: %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if len(found.Chunks) == 0 || !slices.Contains(want, filepath.Base(graph.Local(found.Documents[0].Key))) {
			t.Fatalf("%s: documents %v, want one of %v first", path, found.Documents, want)
		}
		a, err := e.Ask(t.Context(), query.Question{Text: question, Method: "fused", Paths: []string{path}})
		if err != nil || len(traceOf[fused.Trace](a).Sources) != len(found.Chunks) {
			t.Fatalf("%s: answer %+v, %v, want %d sources", path, traceOf[fused.Trace](a), err, len(found.Chunks))
		}
		for _, s := range traceOf[fused.Trace](a).Sources {
			if len(s.Paths) != 1 || s.Paths[path] == 0 {
				t.Errorf("%s: source %+v, want one that the path found", path, s)
			}
		}
	}
	if _, err := e.Retrieve(t.Context(), query.Question{Text: "Who?", Method: "fused", Paths: []string{"text", "vectors"}}); !errors.Is(err, query.ErrNoVectors) {
		t.Errorf("text and vectors without an embedding model: %v", err)
	}
}
