package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
)

// TestIndexSaysWhatReportsLost: a run prints how many findings and references it left out of a
// model's reports, and nothing if there are none.
func TestIndexSaysWhatReportsLost(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reports index.ReportCounts
		want    string
	}{
		{index.ReportCounts{DroppedFindings: 2, DroppedReferences: 3}, "Left out of the model's reports: 2 findings without room, 3 references to nothing in what it read or after the first five at one place\n"},
		{index.ReportCounts{DroppedReferences: 1}, "Left out of the model's reports: 0 findings without room, 1 references to nothing in what it read or after the first five at one place\n"},
		{index.ReportCounts{}, ""},
	} {
		var out bytes.Buffer
		printDone(&environment{Env: Env{Stdout: &out}}, index.Result{Reports: tc.reports})
		if got := out.String(); got != tc.want && !strings.HasSuffix(got, "\n"+tc.want) {
			t.Errorf("%+v: got %q, want %q", tc.reports, got, tc.want)
		}
	}
}
