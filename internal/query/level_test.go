package query

import (
	"testing"
)

func TestParseLevel(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in   string
		want int
		ok   bool
	}{
		{"", 2, true},
		{"0", 0, true},
		{"root", 0, true},
		{"C3", 3, true},
		{"c1", 1, true},
		{"leaf", leafLevel, true},
		{"-1", 0, false},
		{"deep", 0, false},
		{"99999999999999999999", 0, false},
	}
	for _, tt := range tests {
		got, err := ParseLevel(tt.in)
		if (err == nil) != tt.ok || tt.ok && got.Number() != tt.want {
			t.Errorf("ParseLevel(%q): got %d, %v, want %d", tt.in, got.Number(), err, tt.want)
		}
	}
}
