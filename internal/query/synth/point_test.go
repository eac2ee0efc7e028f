package synth

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/report"
)

func TestCheckPoints(t *testing.T) {
	t.Parallel()
	offered := map[report.Local]string{{Kind: graph.KindChunk, N: 1}: "a", {Kind: graph.KindChunk, N: 2}: "b"}
	var n report.Numbers
	got, removed := checkPoints(`{"points": [{"description": "X [Data: Sources (2, 9)].", "score": "140", "why": 1}, {"description": "Y", "score": 0}, {"description": "", "score": 5}]}`, offered, &n, 0)
	if diff := cmp.Diff([]point{{"X [1].", 100}}, got, cmp.AllowUnexported(point{})); diff != "" || removed != 1 {
		t.Errorf("%d removed (-want +got):\n%s", removed, diff)
	}
	got, _ = checkPoints(`{"points": [{"description": "X", "score": 5}, {"description": "Y", "score": 0}, {"description": "Z", "score": 9}, {"description": "W", "score": 5}]}`, offered, &n, 2)
	if diff := cmp.Diff([]point{{"Z", 9}, {"X", 5}}, got, cmp.AllowUnexported(point{})); diff != "" {
		t.Errorf("two of four (-want +got):\n%s", diff)
	}
	for _, bad := range []string{`[]`, `{"points": 3}`, `{"points": [{"description": "x", "score": "high"}]}`} {
		if _, err := parsePoints(bad); err == nil {
			t.Errorf("%s: got no error", bad)
		}
	}
}
