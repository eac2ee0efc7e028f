package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseParam(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]any{
		"5": int64(5), "-5": int64(-5), "2.5": 2.5, "9007199254740993": int64(9007199254740993), "1e3": 1000.0, "true": true, "null": nil,
		`"5"`: "5", "text": "text", "007": "007", "": "", "5 6": "5 6", `[1,[2.5,"a"]]`: []any{int64(1), []any{2.5, "a"}}, `{"a":{"b":1}}`: map[string]any{"a": map[string]any{"b": int64(1)}},
	} {
		if diff := cmp.Diff(want, parseParam(text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}
