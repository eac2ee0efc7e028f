package cite

import (
	"testing"
)

func TestSanitizeSource(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in, want string
		removed  int
	}{
		{"It rained.", "It rained.", 0},
		{"It rained [3] in May [Data: Reports (1, 2)].", "It rained in May.", 3},
		{"![a[3]](http://evil.example)", "a", 1},
		{"[7]", "", 1},
	}
	for _, tt := range tests {
		if got, removed := SanitizeSource(tt.in); got != tt.want || removed != tt.removed {
			t.Errorf("SanitizeSource(%q): got %q and %d removed, want %q and %d", tt.in, got, removed, tt.want, tt.removed)
		}
	}
}
