package query

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/store/neo4jstore"
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

// TestEvidenceNotes: an answer says how many of its statements have no reference, and how many of
// its citations have no quote.
func TestEvidenceNotes(t *testing.T) {
	t.Parallel()
	quoted, bare := cite.Citation{N: 1, Statement: "A", Quote: "A."}, cite.Citation{N: 2, Statement: "B"}
	for _, tc := range []struct {
		name      string
		answer    cite.Answer
		pointless int // references that the draft had
		want      []string
	}{
		{"a declined answer", cite.Answer{Text: "The records do not say who."}, 0, nil},
		{"all is well", cite.Answer{Citations: []cite.Citation{quoted}}, 0, nil},
		{"no reference", cite.Answer{Uncited: 2}, 0, []string{"No statement of this answer has a reference."}},
		{"some", cite.Answer{Citations: []cite.Citation{quoted, bare, quoted}, Uncited: 1}, 0, []string{
			"1 of 3 statements has no reference.",
			"1 of 3 citations has no quote: nothing in what it cites holds enough of the statement.",
		}},
		{"removed", cite.Answer{Citations: []cite.Citation{quoted}, Unfounded: 1, Dropped: 2}, 0, []string{
			"1 citation was removed: nothing in what it cites holds enough of the statement.",
			"2 citations were left out: others of the same statements are better evidence.",
		}},
		{"references to nothing", cite.Answer{Citations: []cite.Citation{quoted}, Dangling: 1}, 2, []string{
			"3 references that the model wrote were removed: they point at nothing that it was given.",
		}},
		{"sentences that do not exist", cite.Answer{Citations: []cite.Citation{quoted}, Missing: 2}, 0, []string{
			"2 references of the model are to sentences that do not exist in what they cite: the whole of it was searched instead.",
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, evidenceNotes(tc.answer, synth.Draft{Generated: true, Dangling: tc.pointless})); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
		})
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
