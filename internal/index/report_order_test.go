package index

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/graph"
)

// TestReportOrder checks that each community is handed out once and after its marked
// children, and a parent without a mark only after a child with a new report.
func TestReportOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "communities")
		all := make([]graph.Community, n)
		var marked []string
		for i := range all {
			all[i].Key = fmt.Sprintf("k%02d", i)
			if i > 0 {
				if p := rapid.IntRange(-1, i-1).Draw(t, "parent"); p >= 0 {
					all[i].Parent, all[i].Level = all[p].Key, all[p].Level+1
				}
			}
			if rapid.Bool().Draw(t, "marked") {
				marked = append(marked, all[i].Key)
			}
		}
		renewed := map[string]bool{}
		for _, k := range all {
			renewed[k.Key] = rapid.Bool().Draw(t, "renewed")
		}
		o := newReportOrder(all, marked)
		var handed, under []string
		for {
			keys, more := o.take(rapid.IntRange(1, 5).Draw(t, "most"))
			handed, under = append(handed, keys...), append(under, keys...)
			if len(under) == 0 {
				if more {
					t.Fatal("more is true, but no community is in flight")
				}
				break
			}
			i := rapid.IntRange(0, len(under)-1).Draw(t, "done")
			o.done(under[i], renewed[under[i]])
			under = slices.Delete(under, i, i+1)
		}
		check(t, all, marked, renewed, handed)
	})
}

// TestReportOrderByRoot checks that the communities of a root are handed out together, those of the
// root with the deepest community first, and the deepest of a root first.
func TestReportOrderByRoot(t *testing.T) {
	t.Parallel()
	all := []graph.Community{
		{Key: "a"},
		{Key: "b"},
		{Key: "d", Level: 1, Parent: "a"},
		{Key: "c", Level: 1, Parent: "b"},
		{Key: "f", Level: 1, Parent: "b"},
		{Key: "e", Level: 2, Parent: "f"},
	}
	var marked, handed []string
	for _, k := range all {
		marked = append(marked, k.Key)
	}
	o := newReportOrder(all, marked)
	for keys, more := o.take(1); more; keys, more = o.take(1) {
		handed = append(handed, keys...)
		o.done(keys[0], true)
	}
	if want := []string{"e", "c", "f", "b", "d", "a"}; !slices.Equal(handed, want) {
		t.Errorf("handed out %v, want %v", handed, want)
	}
}

// check compares the communities handed out with the expected ones.
func check(t *rapid.T, all []graph.Community, marked []string, renewed map[string]bool, handed []string) {
	want := map[string]bool{}
	for _, k := range slices.Backward(all) { // children come after their parents
		if slices.Contains(marked, k.Key) {
			want[k.Key] = true
		}
		if want[k.Key] && renewed[k.Key] && k.Parent != "" {
			want[k.Parent] = true
		}
	}
	if len(handed) != len(want) {
		t.Fatalf("handed out %v, want %v", handed, sortedKeys(want))
	}
	for _, k := range all {
		at := slices.Index(handed, k.Key)
		if (at >= 0) != want[k.Key] {
			t.Fatalf("%s handed out: %v, want %v", k.Key, at >= 0, want[k.Key])
		}
		if up := slices.Index(handed, k.Parent); at >= 0 && up >= 0 && up < at {
			t.Fatalf("%s was handed out before its child %s", k.Parent, k.Key)
		}
	}
}
