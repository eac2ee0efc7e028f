package lazy

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/config"
)

// TestRow walks down after one community without a relevant chunk instead of five.
func TestRow(t *testing.T) {
	t.Parallel()
	paths := append(slices.Repeat([]string{""}, 5), "a", "b", "c/d")
	for row, want := range map[int]string{0: "0 1 2 3 4, 5, 6, 7", 1: "0 1 2 3 4, 5, 7"} {
		test, batches := recording()
		if _, err := (walk{Chunks: lazyChunks(paths...), Budget: 100, Row: row, Test: test}).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, strings.Join(*batches, ", ")); diff != "" {
			t.Errorf("a row of %d (-want +got):\n%s", row, diff)
		}
	}
	if got := config.Find("query.row").Default; got[0] != strconv.Itoa(lazyRow) {
		t.Errorf("the default of row is %s, lazy goes down after %d", got[0], lazyRow)
	}
}
