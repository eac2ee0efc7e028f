package leiden_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/leiden"
)

func TestWorkersDoNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, o := draw(t), options(t).BatchFrom(1)
		o.Workers = 1
		p, h := cluster(t, s.graph, o), hierarchy(t, s.graph, o)
		for _, o.Workers = range []int{1, 2, 3, 8} {
			if diff := cmp.Diff(p, cluster(t, s.graph, o)); diff != "" {
				t.Fatalf("%d workers, partition (-one +now):\n%s", o.Workers, diff)
			}
			if diff := cmp.Diff(h, hierarchy(t, s.graph, o)); diff != "" {
				t.Fatalf("%d workers, hierarchy (-one +now):\n%s", o.Workers, diff)
			}
		}
	})
}

func TestWorkersDoNotMatterOnRealGraphs(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"PGPgiantcompo", "kg8k", "kg15k"} {
		g := load(t, name)
		for _, o := range []leiden.Options{{}, leiden.Options{}.BatchFrom(1000), leiden.Options{}.ReorderFrom(1000)} {
			o.Workers = 1
			want := hierarchy(t, g, o)
			for _, o.Workers = range []int{2, 3, 8} {
				if !cmp.Equal(want, hierarchy(t, g, o)) {
					t.Errorf("%s: %d workers give another hierarchy than one", name, o.Workers)
				}
			}
		}
	}
}

// What another problem, finished or canceled, left in pooled memory does not matter to
// the next one.
func TestKeptMemoryDoesNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, o := draw(t), options(t)
		other, otherOptions := draw(t), options(t)
		want, tree := cluster(t, s.graph, o), hierarchy(t, s.graph, o)
		cluster(t, other.graph, otherOptions)
		hierarchy(t, other.graph, otherOptions)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := leiden.BuildHierarchy(ctx, other.graph, otherOptions); err == nil {
			t.Fatal("canceled: got no error")
		}
		if diff := cmp.Diff(want, cluster(t, s.graph, o)); diff != "" {
			t.Errorf("partition after another problem (-before +after):\n%s", diff)
		}
		if diff := cmp.Diff(tree, hierarchy(t, s.graph, o)); diff != "" {
			t.Errorf("hierarchy after another problem (-before +after):\n%s", diff)
		}
	})
}
