// Package testcorpora finds the corpora that tests and benchmarks read. They are
// third-party or public-domain texts that the project does not ship.
package testcorpora

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Dir is the folder of the data: NEORAG_DATA, else shared/data beside the
// checkout. Without it the test is skipped by name, or fails when
// NEORAG_REQUIRE lists "data".
func Dir(tb testing.TB) string {
	tb.Helper()
	dir := os.Getenv("NEORAG_DATA")
	if dir == "" {
		_, file, _, _ := runtime.Caller(0)
		dir = filepath.Join(filepath.Dir(file), "..", "..", "..", "shared", "data")
	}
	if _, err := os.Stat(filepath.Join(dir, "README.md")); err != nil {
		Missing(tb, "data", "set NEORAG_DATA to the folder with the test corpora")
	}
	return dir
}

// Missing skips the test because something it needs is not there, or fails it
// when NEORAG_REQUIRE (a comma-separated list) names that thing.
func Missing(tb testing.TB, what, hint string) {
	tb.Helper()
	for need := range strings.SplitSeq(os.Getenv("NEORAG_REQUIRE"), ",") {
		if strings.TrimSpace(need) == what {
			tb.Fatalf("%s is missing and NEORAG_REQUIRE demands it: %s", what, hint)
		}
	}
	tb.Skipf("%s is missing: %s", what, hint)
}
