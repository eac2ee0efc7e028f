package terminal

import (
	"testing"
	"time"
)

func TestStageString(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in   Stage
		want string
	}{
		{Stage{Stage: "embed", Done: 50, Total: 200, Elapsed: 10 * time.Second}, "embed     50/200  5/s  30s left"},
		{Stage{Stage: "extract", Done: 8, Total: 9, Failed: 1, Elapsed: 2 * time.Second, Ended: true}, "extract   8/9  4/s  1 failed  2.0 s"},
	}
	for _, tt := range tests {
		if got := tt.in.String(); got != tt.want {
			t.Errorf("%#v: got %q, want %q", tt.in, got, tt.want)
		}
	}
}
