package lazy

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// lazyChunks returns chunks named by their places, of which each has a path of communities such
// as "a/b".
func lazyChunks(paths ...string) []chunk {
	out := make([]chunk, len(paths))
	for i, path := range paths {
		out[i] = chunk{Key: strconv.Itoa(i)}
		if path != "" {
			out[i].Communities = strings.Split(path, "/")
		}
	}
	return out
}

// recording returns a test that finds some chunks relevant, and the batches that it is given.
func recording(relevant ...string) (test relevanceTest, batches *[]string) {
	batches = &[]string{}
	return func(_ context.Context, chunks []chunk) ([]bool, error) {
		helps := make([]bool, len(chunks))
		keys := make([]string, len(chunks))
		for i, c := range chunks {
			keys[i], helps[i] = c.Key, slices.Contains(relevant, c.Key)
		}
		*batches = append(*batches, strings.Join(keys, " "))
		return helps, nil
	}, batches
}

// TestLazyWalk works out which chunks are tested, in which order.
func TestLazyWalk(t *testing.T) {
	t.Parallel()
	row := slices.Repeat([]string{""}, 5) // five chunks of no community, which rank first
	for _, tt := range []struct {
		name     string
		paths    []string
		relevant []string
		budget   int
		batches  []string // of chunks, as they are tested
		tested   string   // communities, with tests and relevant chunks
	}{
		{
			name: "nothing is relevant", paths: append(slices.Clone(row), "a", "b"), budget: 100,
			batches: []string{"0 1 2 3 4", "5", "6"}, tested: "scope 5/0, a 1/0, b 1/0",
		},
		{
			// The whole scope takes two batches. The mean place of b is 11.7 and that of a 12.5: b
			// comes first, and is relevant by chunk 12, while c is left out with a.
			name:  "down to the child",
			paths: append(slices.Repeat([]string{""}, 10), "b", "a/c", "b/d", "b/d", "a/c"), relevant: []string{"0", "12"}, budget: 100,
			batches: []string{"0 1 2 3 4", "5 6 7 8 9", "10 12 13", "11 14"}, tested: "scope 10/1, b 3/1, a 2/0",
		},
		{
			// Once five communities in a row have nothing, those below are tested, also below f,
			// which was not tested.
			name:  "five in a row",
			paths: append(slices.Clone(row), "a", "b", "c", "d", "e", "f/g", "f/g"), budget: 100,
			batches: []string{"0 1 2 3 4", "5", "6", "7", "8", "9", "10 11"}, tested: "scope 5/0, a 1/0, b 1/0, c 1/0, d 1/0, e 1/0, g 2/0",
		},
		{
			// What was found starts another pass: the whole scope has chunks left.
			name: "again", paths: append(slices.Repeat([]string{""}, 12), "a"), relevant: []string{"1", "7"}, budget: 100,
			batches: []string{"0 1 2 3 4", "5 6 7 8 9", "12", "10 11"}, tested: "scope 12/2, a 1/0",
		},
		{
			name: "the budget is spent", paths: append(slices.Clone(row), "a", "a", "a", "b"), relevant: []string{"0", "5"}, budget: 7,
			batches: []string{"0 1 2 3 4", "5 6"}, tested: "scope 7/2",
		},
		{name: "no chunks", budget: 10},
	} {
		test, batches := recording(tt.relevant...)
		got, err := walk{Chunks: lazyChunks(tt.paths...), Budget: tt.budget, Test: test}.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var tested []string
		for _, k := range got.Communities {
			name := k.Key
			if k.Level < 0 {
				name = "scope"
			}
			tested = append(tested, fmt.Sprintf("%s %d/%d", name, k.Tests, k.Relevant))
		}
		if diff := cmp.Diff(tt.batches, *batches) + cmp.Diff(tt.tested, strings.Join(tested, ", ")); diff != "" && len(tt.paths)+len(*batches) > 0 {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestLazyWalkBounds checks a walk over any communities: no more tests than the budget, no
// chunk twice, and what is found is what passed.
func TestLazyWalkBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		paths := rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "a/b", "a/c", "a/c/d", "e", "e/f", "g", "h", "i", "j"}), 0, 60).Draw(t, "paths")
		chunks := lazyChunks(paths...)
		helps := map[string]bool{}
		for _, c := range chunks {
			helps[c.Key] = rapid.Bool().Draw(t, "relevant")
		}
		seen := map[string]bool{}
		budget := rapid.IntRange(1, 80).Draw(t, "budget")
		test := func(_ context.Context, batch []chunk) ([]bool, error) {
			if len(batch) == 0 || len(batch) > lazyBatch {
				t.Fatalf("a batch of %d", len(batch))
			}
			out := make([]bool, len(batch))
			for i, c := range batch {
				if seen[c.Key] {
					t.Fatalf("%s is tested twice", c.Key)
				}
				seen[c.Key], out[i] = true, helps[c.Key]
			}
			return out, nil
		}
		got, err := walk{Chunks: chunks, Budget: budget, Test: test}.Run(context.Background())
		if err != nil || len(got.Tested) != len(seen) || len(seen) > budget {
			t.Fatalf("%d tests of %d, %d seen, %v", len(got.Tested), budget, len(seen), err)
		}
		counted := 0
		for _, k := range got.Communities {
			counted += k.Tests
		}
		if counted != len(seen) {
			t.Fatalf("communities count %d tests of %d", counted, len(seen))
		}
		var want []chunk
		for _, c := range chunks {
			if seen[c.Key] && helps[c.Key] {
				want = append(want, c)
			}
		}
		if diff := cmp.Diff(want, got.Relevant); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

func TestMainPath(t *testing.T) {
	t.Parallel()
	path := func(entities int, keys ...string) neo4jstore.CommunityPath {
		p := neo4jstore.CommunityPath{Entities: entities}
		for _, key := range keys {
			p.Communities = append(p.Communities, neo4jstore.CommunityName{Key: key})
		}
		return p
	}
	for _, tt := range []struct {
		name  string
		paths []neo4jstore.CommunityPath
		want  []string
	}{
		{name: "none"},
		{name: "no community", paths: []neo4jstore.CommunityPath{path(3)}},
		{name: "one", paths: []neo4jstore.CommunityPath{path(1, "a", "b")}, want: []string{"a", "b"}},
		{
			// b has most entities of all, but a has most of the roots.
			name:  "the root first",
			paths: []neo4jstore.CommunityPath{path(2, "a", "x"), path(3, "r", "b"), path(2, "a", "y", "z")}, want: []string{"a", "x"},
		},
		{name: "a tie", paths: []neo4jstore.CommunityPath{path(1, "b"), path(1, "a")}, want: []string{"a"}},
	} {
		if diff := cmp.Diff(tt.want, mainPath(tt.paths)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
