package query

import (
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// TestNoReportAnswers names the reports closest to the question, and says when some could not be read.
func TestNoReportAnswers(t *testing.T) {
	t.Parallel()
	q := Question{Text: "What happened?"}.withDefaults()
	for lost, want := range map[bool]string{false: "No report of this corpus answers", true: "No report that could be read"} {
		if got := noReportAnswers(q, lost, rowsOf("Alpha", "Beta")); !strings.Contains(got, want) || !strings.Contains(got, "“Alpha”") {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// rowsOf are reports that tell of names.
func rowsOf(names ...string) []neo4jstore.ReportRow {
	var rows []neo4jstore.ReportRow
	for i, name := range names {
		rows = append(rows, neo4jstore.ReportRow{
			Report:    graph.Report{Key: "c/" + name, Title: name, Summary: name + " is described.", Size: i + 1},
			Community: graph.Community{Key: name},
		})
	}
	return rows
}
