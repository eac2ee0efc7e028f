package synth

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestNearDuplicate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		a, b string
		want bool
	}{
		{"The harbour was sold to Alpha in 1843 [1].", "The harbour was sold to Alpha in 1843. [2][3]", true},
		{"The old harbour was quickly sold to Alpha in 1843.", "The old harbour was sold to Alpha in 1843.", true},
		{"The harbour was sold to Alpha in 1843.", "The harbour was sold to Alpha in 1844.", false},
		{"The harbour was sold to Alpha.", "The harbour was not sold to Alpha.", false},
		{"The harbour wasn't sold to Alpha.", "The harbour was sold to Alpha.", false},
		{"The harbour was sold by Alpha to Beta.", "The harbour was sold by Beta to Alpha.", false},
		{"The large harbour of the old town was sold to Alpha.", "The large harbour of the old town was sold to Gamma.", false},
		{"Alpha grew.", "Alpha grew, and then its harbour burned down in one night.", false},
		{"", "", false},
	}
	for _, tt := range tests {
		if got := normalize(tt.a).nearDuplicate(normalize(tt.b)); got != tt.want {
			t.Errorf("%q and %q: got %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

// TestDedupPoints: a point of several map calls is kept once, in any order of the calls.
func TestDedupPoints(t *testing.T) {
	t.Parallel()
	points := []point{
		{"The harbour was sold to Alpha in 1843 [1].", 70},
		{"Beta lit the lamps [2].", 80},
		{"The harbour was sold to Alpha in 1843 [3].", 90},
		{"The harbour was sold to Alpha in 1844 [4].", 60},
	}
	want := []point{
		{"The harbour was sold to Alpha in 1843 [3][1].", 90},
		{"Beta lit the lamps [2].", 80},
		{"The harbour was sold to Alpha in 1844 [4].", 60},
	}
	rapid.Check(t, func(t *rapid.T) {
		got := dedupPoints(rapid.Permutation(points).Draw(t, "order"))
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(point{})); diff != "" {
			t.Fatalf("dedupPoints (-want +got):\n%s", diff)
		}
	})
}
