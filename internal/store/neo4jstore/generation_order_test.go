package neo4jstore

import (
	"fmt"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestDownward(t *testing.T) {
	for _, tt := range []struct {
		name  string
		links []parentLink
		want  []string
	}{
		{"none", nil, nil},
		{"each root with what is below it", []parentLink{{"a", ""}, {"b", ""}, {"c", "b"}, {"d", "a"}, {"e", "d"}, {"f", "a"}}, []string{"a", "d", "e", "f", "b", "c"}},
		{"a parent that is not there", []parentLink{{"b", "gone"}, {"a", ""}}, []string{"a", "b"}},
		{"one above itself", []parentLink{{"a", "b"}, {"b", "a"}, {"c", ""}, {"d", "b"}, {"e", "e"}}, []string{"c", "a", "b", "d", "e"}},
	} {
		if diff := gocmp.Diff(tt.want, ordered(tt.links)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestDownwardIsAnOrder draws any links, also those of damaged data: every community is
// there once, whatever their order was, and a subtree is not interrupted.
func TestDownwardIsAnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.Custom(func(t *rapid.T) string { return fmt.Sprint("k", rapid.IntRange(0, 12).Draw(t, "number")) })
		parents := rapid.MapOf(name, name).Draw(t, "parents")
		var links []parentLink
		for key, parent := range parents {
			links = append(links, parentLink{key, parent})
		}
		got := ordered(links)
		slices.Reverse(links)
		if diff := gocmp.Diff(got, ordered(links)); diff != "" {
			t.Fatalf("in another order (-first +second):\n%s", diff)
		}
		under := func(key, top string) bool {
			for range len(parents) + 1 {
				if key == top {
					return true
				}
				key = parents[key]
			}
			return false
		}
		hasRoot := func(key string) bool { return under(key, "") } // and is not below itself
		if len(got) != len(parents) {
			t.Fatalf("%v of %v", got, parents)
		}
		for i, key := range got {
			if _, ok := parents[key]; !ok || slices.Contains(got[:i], key) {
				t.Fatalf("%s in %v is not one of %v or is there twice", key, got, parents)
			}
			if !hasRoot(key) {
				continue
			}
			end := i
			for end < len(got) && under(got[end], key) {
				end++
			}
			for _, later := range got[end:] {
				if under(later, key) {
					t.Fatalf("%s is below %s and not next to it in %v", later, key, got)
				}
			}
		}
	})
}

// ordered returns the keys of communities downward.
func ordered(links []parentLink) []string {
	var keys []string
	for _, i := range downward(len(links), func(i int) string { return links[i].key }, func(i int) string { return links[i].parent }) {
		keys = append(keys, links[i].key)
	}
	return keys
}
