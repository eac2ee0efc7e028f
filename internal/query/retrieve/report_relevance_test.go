package retrieve

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// TestReportRelevance: a relevant report makes the communities above it relevant.
func TestReportRelevance(t *testing.T) {
	t.Parallel()
	communities := []graph.Community{{Key: "root"}, {Key: "mid", Parent: "root"}, {Key: "leaf", Parent: "mid"}, {Key: "other"}, {Key: "twin", Parent: "root"}}
	hits := []neo4jstore.Hit{{Owner: "leaf", Score: 8}, {Owner: "mid", Score: 4}, {Owner: "other", Score: 6}, {Owner: "twin", Score: 2}}
	r := newReportRelevance(hits, communities, leastWordShare)
	if diff := cmp.Diff(map[string]float64{"root": 1, "mid": 1, "leaf": 1, "other": .75, "twin": .25}, r.subtree); diff != "" {
		t.Errorf("subtree (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"leaf", "other"}, r.Top(5)); diff != "" {
		t.Errorf("Top: none inside another, none irrelevant (-want +got):\n%s", diff)
	}
	if got := newReportRelevance(nil, communities, leastWordShare); len(got.subtree) != 0 || len(got.Top(5)) != 0 {
		t.Errorf("nothing found: got %+v", got)
	}
}
