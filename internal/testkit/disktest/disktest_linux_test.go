package disktest_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/neorag/neorag/internal/testkit/disktest"
)

// TestRun checks that a disk has its size, can be full, and is enlarged, and that the
// test runs in a process of its own.
func TestRun(t *testing.T) {
	t.Parallel()
	disktest.Run(t, disktest.MB, func(t *testing.T, d *disktest.Disk) {
		if os.Getpid() != 1 {
			t.Errorf("the test runs as process %d, want the first of its namespace", os.Getpid())
		}
		if used, free := d.Space(); used+free != disktest.MB {
			t.Errorf("%d bytes are used and %d free, want %d in all", used, free, disktest.MB)
		}
		filler := d.Fill()
		path := filepath.Join(d.Dir, "file")
		text := make([]byte, 5000)
		if err := os.WriteFile(path, text, 0o600); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("writing to a full disk: %v, want %v", err, syscall.ENOSPC)
		}
		if _, free := d.Space(); free != 0 {
			t.Errorf("%d bytes are free on a full disk", free)
		}
		d.Resize(2 * disktest.MB)
		if err := errors.Join(os.WriteFile(path, text, 0o600), os.Remove(filler)); err != nil {
			t.Errorf("writing to the enlarged disk: %v", err)
		}
	})
}
