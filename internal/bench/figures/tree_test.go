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
