package query

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

func TestLevelSizes(t *testing.T) {
	t.Parallel()
	got := LevelViews([]neo4jstore.ReportSize{{Level: 0, Count: 2, Tokens: 20}, {Level: 0, Final: true, Count: 3, Tokens: 9}, {Level: 1, Final: true, Count: 5, Tokens: 50}})
	if diff := cmp.Diff([]LevelSize{{Level: 0, Reports: 5, Tokens: 29}, {Level: 1, Reports: 8, Tokens: 59}}, got); diff != "" {
		t.Errorf("levels (-want +got):\n%s", diff)
	}
}
