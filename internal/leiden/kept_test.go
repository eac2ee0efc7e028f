package leiden_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/leiden"
)

// What another problem left in memory, done or canceled, does not matter to the
// next.
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
