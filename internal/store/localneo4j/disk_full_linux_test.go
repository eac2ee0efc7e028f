package localneo4j

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/testkit/disktest"
)

// TestDiskFull starts a server on a disk that is too small for it: with 200 KB it hangs,
// and its log breaks off. Up says which folder has no room, and leaves no process. After
// the disk is enlarged, Up starts it.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	options(t) // skips without Neo4j
	disktest.Run(t, 200<<10, func(t *testing.T, d *disktest.Disk) {
		o := options(t)
		o.Data = filepath.Join(d.Dir, "data")
		checkNoRoom(t, o)
		d.Resize(16 * disktest.MB)
		up(t, o)
		down(t, o)
	})
}

// TestDiskFullBeforeAnyLog starts programs that find a full disk: nothing that they print
// is kept.
func TestDiskFullBeforeAnyLog(t *testing.T) {
	t.Parallel()
	options(t)
	disktest.Run(t, disktest.MB, func(t *testing.T, d *disktest.Disk) {
		for name, end := range map[string]string{"hangs": "sleep 600", "ends": "exit 1"} {
			o := options(t)
			o.Data = filepath.Join(d.Dir, name)
			o.Java = javaThatRuns(t, "cat /dev/zero >filler 2>/dev/null\necho something\n"+end)
			checkNoRoom(t, o)
			if log, err := os.ReadFile(consolePath(o.Data)); err != nil || len(log) > 0 {
				t.Errorf("%s: the log holds %q, %v, want nothing", name, log, err)
			}
			if err := os.RemoveAll(o.Data); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestDiskFullForState starts a server on a disk that is full when it is recorded.
func TestDiskFullForState(t *testing.T) {
	t.Parallel()
	disktest.Run(t, disktest.MB, func(t *testing.T, d *disktest.Disk) {
		filler, err := os.Create(filepath.Join(d.Dir, "filler"))
		if err != nil {
			t.Fatal(err)
		}
		for err == nil {
			_, err = filler.Write(make([]byte, 4096))
		}
		_ = filler.Close()
		if err := (Options{Data: d.Dir}).writeState(state{}); !errors.Is(err, ErrNoSpace) {
			t.Errorf("got %v, want ErrNoSpace", err)
		}
	})
}

// checkNoRoom checks that Up fails on a full disk.
func checkNoRoom(t *testing.T, o Options) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	_, _, err := Up(ctx, o)
	if err == nil {
		t.Fatal("the server starts on a full disk")
	}
	for _, want := range []string{"disk is full", o.Data, "--data"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
	commands, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil || len(commands) == 0 {
		t.Fatalf("list processes: %v, %v", commands, err)
	}
	for _, path := range commands {
		if text, _ := os.ReadFile(path); strings.Contains(string(text), homeFlag) {
			t.Errorf("a process is left: %q", text)
		}
	}
}
