package source

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// nobody is a user without files.
const nobody = 65534

// unprivileged calls fn on a thread that has no more access to files than an ordinary
// user: root could read them all. The work must not be given to other goroutines.
func unprivileged(t *testing.T, root string, fn func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		fn()
		return
	}
	for dir := root; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) { // the folder of a test is only for its owner
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := syscall.Setfsuid(nobody); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Setfsuid(0) }()
	fn()
}
