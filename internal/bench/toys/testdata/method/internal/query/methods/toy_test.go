package methods_test

import (
	"slices"
	"testing"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestToy checks that the method ranks chunks by full text alone.
func TestToy(t *testing.T) {
	t.Parallel()
	e := indexed(t, open(t), contractOptions(neo4jtest.Borrow(t, "artifacts")), minutes(t))
	ranked := func(method string) []string {
		t.Helper()
		found, err := e.Retrieve(t.Context(), query.Question{Text: contractQuestion, Method: method})
		if err != nil {
			t.Fatal(err)
		}
		return keysOf(found.Chunks)
	}
	if got, want := ranked("toy"), ranked("basic:text"); len(got) == 0 || !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
