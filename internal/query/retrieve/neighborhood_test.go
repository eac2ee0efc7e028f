package retrieve

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// TestOneOfEachBranch: of reports one of which contains the other, the better one is kept, be it
// above or below.
func TestOneOfEachBranch(t *testing.T) {
	t.Parallel()
	report := func(key, community string) neo4jstore.ReportRow {
		return neo4jstore.ReportRow{Report: graph.Report{Key: key}, Community: graph.Community{Key: community}}
	}
	near := neo4jstore.Neighborhood{
		Reports: []neo4jstore.ReportRow{report("leaf", "C2"), report("root", "C0"), report("sibling", "C2b"), report("other root", "D0"), report("other leaf", "D1")},
		Ancestors: map[string][]string{
			"leaf": {"C1", "C0"}, "sibling": {"C1", "C0"}, "other leaf": {"D0"},
		},
	}
	var got []string
	for _, r := range oneOfEachBranch(near) {
		got = append(got, r.Key)
	}
	if diff := cmp.Diff([]string{"leaf", "sibling", "other root"}, got); diff != "" {
		t.Errorf("reports (-want +got):\n%s", diff)
	}
}
