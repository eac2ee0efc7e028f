//go:build unix

package cli_test

import (
	"strings"
	"testing"
)

func TestCacheCommand(t *testing.T) {
	t.Parallel()
	env := map[string]string{"NEORAG_CACHE": t.TempDir()}
	for _, tt := range []struct {
		args, want string
		code       int
	}{
		{"", "0 answers and 0 vectors", 0},
		{"size --json", `"answers": 0`, 0},
		{"check", "0 files: 0 corrupt", 0},
		{"prune --older-than 30d", "0 files removed", 0},
		{"prune --max-size 5 --json", `"removed": 0`, 0},
		{"prune", "give --older-than AGE", 2},
		{"prune --older-than soon", "30d or 12h", 2},
		{"chekc", "did you mean check?", 2},
	} {
		code, out, errs := command(t, env, append([]string{"cache"}, strings.Fields(tt.args)...)...)
		if code != tt.code || !strings.Contains(out+errs, tt.want) {
			t.Errorf("cache %s: exit %d, %s%s, want %q", tt.args, code, out, errs, tt.want)
		}
	}
}
