// Package testcorpora locates the corpora that tests and benchmarks read from outside the
// repository: texts that the project does not ship. The sample that it ships is in
// examples.
package testcorpora

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Dir returns the folder of the corpora: NEORAG_DATA, else shared/data next to the
// checkout. If it does not exist, the test is skipped, or fails when NEORAG_REQUIRE
// contains "data".
func Dir(tb testing.TB) string {
	tb.Helper()
	dir := os.Getenv("NEORAG_DATA")
	if dir == "" {
		_, file, _, _ := runtime.Caller(0)
		dir = filepath.Join(filepath.Dir(file), "..", "..", "..", "..", "shared", "data")
	}
	if _, err := os.Stat(filepath.Join(dir, "README.md")); err != nil {
		Missing(tb, "data", "set NEORAG_DATA to the folder with the test corpora")
	}
	return dir
}

// Missing skips a test that needs something which is not available, or fails it when
// NEORAG_REQUIRE, a comma-separated list, contains that. hint says how to provide it.
func Missing(tb testing.TB, what, hint string) {
	tb.Helper()
	for required := range strings.SplitSeq(os.Getenv("NEORAG_REQUIRE"), ",") {
		if strings.TrimSpace(required) == what {
			tb.Fatalf("%s is missing, but NEORAG_REQUIRE contains it: %s", what, hint)
		}
	}
	tb.Skipf("%s is missing: %s", what, hint)
}
