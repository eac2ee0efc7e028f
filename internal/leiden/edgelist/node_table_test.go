package edgelist_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/leiden/edgelist"
)

// Small and large numbers, and many of them, are found again.
func TestNumericNames(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 30_000 {
		fmt.Fprintln(&text, i*3, 4_000_000_000-i)
		fmt.Fprintln(&text, i*3, i*700)
	}
	l := read(t, text.String(), edgelist.Options{})
	distinct := map[int]bool{}
	for i := range 30_000 {
		distinct[i*3], distinct[4_000_000_000-i], distinct[i*700] = true, true, true
	}
	if len(l.Names) != len(distinct) {
		t.Fatalf("got %d nodes, want %d", len(l.Names), len(distinct))
	}
	last := -1
	for _, name := range l.Names {
		n, err := strconv.Atoi(name)
		if err != nil || n <= last || !distinct[n] {
			t.Fatalf("name %s after %d", name, last)
		}
		last = n
	}
}
