package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWritersNeedTheirServer checks which commands stop if the setting of their server is
// ignored: those that write.
func TestWritersNeedTheirServer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args  string
		stops bool
	}{
		{"index docs", true},
		{"index --offline --dry-run docs", true},
		{"embed", true},
		{"remove --yes", true},
		{"cluster --nodes A --rels B --write", true},
		{"cluster --undo --nodes A", true},
		{"cluster --nodes A --rels B", false},
		{"status", false},
		{"doctor", false},
		{"report", false},
		{"export", false},
		{"index --neo4j-uri bolt://127.0.0.1:1 --offline docs", false},
	} {
		var errs strings.Builder
		env := testEnvironment(t, map[string]string{"NEORAG_HOME": t.TempDir()})
		env.Stderr = &errs
		if err := os.WriteFile(filepath.Join(env.Dir, "neorag.yaml"), []byte("neo4j: {uri: \"bolt://192.0.2.1:7687\"}"), 0o600); err != nil {
			t.Fatal(err)
		}
		code := Main(t.Context(), Env{Args: append([]string{"neorag"}, strings.Fields(tt.args)...), Stdin: strings.NewReader(""), Stdout: env.Stdout, Stderr: env.Stderr, Dir: env.Dir, Getenv: env.Getenv})
		if stops := strings.Contains(errs.String(), "neo4j.uri is ignored, and without it"); stops != tt.stops || stops && code != exitUsage {
			t.Errorf("neorag %s: exit %d, want it to stop: %v\n%s", tt.args, code, tt.stops, errs.String())
		}
	}
}
