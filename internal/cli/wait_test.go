package cli_test

import (
	"testing"
	"time"
)

// waitUntil waits until a test can see what it waits for, or fails with what it saw instead. It
// reports whether that came.
func waitUntil(t *testing.T, done func() bool, saw func() string) bool {
	t.Helper()
	for begin := time.Now(); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Since(begin) > 2*time.Minute {
			t.Errorf("waited in vain: %s", saw())
			return false
		}
	}
	return true
}
