package main

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadTree(t *testing.T) {
	t.Parallel()
	got, err := readTree(filepath.Join("testdata", "tree"))
	if err != nil {
		t.Fatal(err)
	}
	packages := map[string][]float64{
		"cmd": {files: 1, lines: 4, fields: 0},
		// Names: Limit, Store, Pair, Getter, Open. Methods: Store.Get, Store.Sync,
		// Pair.First, Getter.Get. Fields: Reader, Name, Title, Key.
		"store": {files: 3, lines: 47, testLines: 3, names: 5, methods: 4, fields: 4},
	}
	if diff := cmp.Diff(packages, got.packages); diff != "" {
		t.Errorf("packages (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string][]float64{"cmd": {4, 0, 0, 0, 0}, "store": {47, 0, 3, 0, 0}}, got.uses); diff != "" {
		t.Errorf("lines by use (-want +got):\n%s", diff)
	}
	receivers := map[string][]float64{"store.Store": {3}, "store.Pair": {1}, "store.private": {1}}
	if diff := cmp.Diff(receivers, got.receivers); diff != "" {
		t.Errorf("receivers (-want +got):\n%s", diff)
	}
	if len(got.spans) != 8 || got.functions["store.Store.Get"][0] != 3 {
		t.Errorf("%d functions, of which store.Store.Get has %v lines, want 8 and 3", len(got.spans), got.functions["store.Store.Get"])
	}
	if diff := cmp.Diff([]float64{4, 5, 5, 37}, slices.Sorted(slices.Values(got.fileLines))); diff != "" {
		t.Errorf("lines of files (-want +got):\n%s", diff)
	}
	if got.direct != 2 || got.indirect != 1 {
		t.Errorf("%v direct and %v indirect modules, want 2 and 1", got.direct, got.indirect)
	}
}

func TestByFolder(t *testing.T) {
	t.Parallel()
	head := map[string][]float64{
		"cmd/neorag": {1, 0, 0, 0, 0}, "internal/store/neo4jstore": {2, 0, 1, 0, 0}, "internal/store/bolt": {3, 0, 0, 0, 0}, "prompts": {4, 0, 0, 0, 0},
	}
	base := map[string][]float64{"internal/neo4jstore": {5, 0, 0, 0, 0}, "internal/bolt": {6, 0, 0, 0, 0}, "internal/gone": {7, 0, 0, 0, 0}}
	for _, tt := range []struct{ of, want map[string][]float64 }{
		{head, map[string][]float64{"cmd/neorag": {1, 0, 0, 0, 0}, "internal/store": {5, 0, 1, 0, 0}, "prompts": {4, 0, 0, 0, 0}}},
		{base, map[string][]float64{"internal/store": {11, 0, 0, 0, 0}, "internal/gone": {7, 0, 0, 0, 0}}},
	} {
		if diff := cmp.Diff(tt.want, byFolder(tt.of, head)); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	for path, want := range map[string]int{
		"internal/testkit/fakemodel/a.go": support, "cypher/internal/gen/main.go": support, "internal/fakemodel/a.go": support, "internal/llm/llmtest/a.go": support,
		"internal/bench/leiden/a.go": benches, "internal/browsertest/chromium/a.go": benches, "internal/query/a_test.go": tests, "internal/query/a.go": product,
	} {
		if got := useOf(path, filepath.Dir(path), nil); got != want {
			t.Errorf("%s is for %s, want %s", path, uses[got], uses[want])
		}
	}
}
