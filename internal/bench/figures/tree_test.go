package main

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadTree(t *testing.T) {
	t.Parallel()
	got, err := readTree(t.Context(), filepath.Join("testdata", "tree"))
	if err != nil {
		t.Fatal(err)
	}
	packages := map[string][]int{
		"cmd": {files: 1, lines: 4, fields: 0},
		// Names: Limit, Store, Pair, Getter, Open. Methods: Store.Get, Store.Sync,
		// Pair.First, Getter.Get. Fields: Reader, Name, Title, Key.
		"store": {files: 3, lines: 47, testLines: 3, names: 5, methods: 4, fields: 4},
	}
	if diff := cmp.Diff(packages, got.packages); diff != "" {
		t.Errorf("packages (-want +got):\n%s", diff)
	}
	receivers := []counted{{"store.Store", 3}, {"store.Pair", 1}, {"store.private", 1}}
	if diff := cmp.Diff(receivers, got.receivers, cmp.AllowUnexported(counted{})); diff != "" {
		t.Errorf("receivers (-want +got):\n%s", diff)
	}
	if got, want := len(got.functions), 8; got != want {
		t.Errorf("%d functions, want %d", got, want)
	}
	if got, want := got.functions[0], (counted{"store.Store.Get", 3}); got != want {
		t.Errorf("the longest function is %v, want %v", got, want)
	}
	if diff := cmp.Diff([]int{4, 5, 5, 37}, got.fileLines); diff != "" {
		t.Errorf("lines of files (-want +got):\n%s", diff)
	}
	if got.direct != 2 || got.indirect != 1 {
		t.Errorf("%d direct and %d indirect modules, want 2 and 1", got.direct, got.indirect)
	}
}
