//go:build !linux

package source

import (
	"os"
	"testing"

	"github.com/neorag/neorag/internal/testkit/testcorpora"
)

func unprivileged(t *testing.T, _ string, fn func()) {
	t.Helper()
	if os.Geteuid() == 0 {
		testcorpora.Missing(t, "unprivileged", "run the tests as another user than root, who can read every file")
	}
	fn()
}
