package retrieve

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/neorag/neorag/internal/query/rank"
)

// TestWithVectors adds vectors to a ranking by full text: what only one of both finds is ranked too,
// and a text that holds much more of the question than all others stays the best one, however many
// texts are nearer to it.
func TestWithVectors(t *testing.T) {
	t.Parallel()
	text := []rank.Scored{{Key: "a", Score: 10}, {Key: "b", Score: 3}, {Key: "c", Score: 2.5}}
	for _, tt := range []struct {
		name       string
		text, near []rank.Scored
		weight     float64
		want       []rank.Scored
	}{
		{"no vectors", text, nil, .5, text},
		{"no weight", text, []rank.Scored{{Key: "b", Score: .9}}, 0, text},
		{"no text", nil, []rank.Scored{{Key: "b", Score: .9}, {Key: "c", Score: .8}}, .5, []rank.Scored{{Key: "b", Score: 1}, {Key: "c"}}},
		{
			"both", text,
			[]rank.Scored{{Key: "d", Score: .81}, {Key: "c", Score: .8}, {Key: "b", Score: .71}, {Key: "e", Score: .7}, {Key: "a", Score: .61}},
			.5,
			[]rank.Scored{{Key: "a", Score: 1}, {Key: "c", Score: .725}, {Key: "b", Score: .55}, {Key: "d", Score: .5}, {Key: "e", Score: .225}},
		},
	} {
		if diff := cmp.Diff(tt.want, withVectors(tt.text, tt.near, tt.weight), cmpopts.EquateApprox(0, 1e-6)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
