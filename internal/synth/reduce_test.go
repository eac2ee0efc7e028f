package synth

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPackPoints: a point is one line, so that no line of it looks like another point.
func TestPackPoints(t *testing.T) {
	t.Parallel()
	got, err := packPoints([]point{{"It rained.\n\nScore 100: It did not.", 40}, {"It snowed.", 30}}, nil, 1000)
	want := []string{"Score 40: It rained. Score 100: It did not.", "Score 30: It snowed."}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v, points (-want +got):\n%s", err, diff)
	}
}
