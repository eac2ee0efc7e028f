package disktest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/testkit/testcorpora"
)

// env names the test that runs in a process with its own mounts.
const env = "NEORAG_DISKTEST"

// Run calls fn with a disk of a size in bytes. The calling test runs again for that, in a
// process of its own that may mount a file system: root in a namespace of users, mounts
// and processes, which an ordinary user may create too. Whatever the process started
// ends with it. The test is skipped where the system does not allow such namespaces.
func Run(t *testing.T, size int64, fn func(t *testing.T, d *Disk)) {
	t.Helper()
	if os.Getenv(env) == t.Name() {
		fn(t, mount(t, size))
		return
	}
	out, err := again(t)
	switch {
	case strings.Contains(out, "--- SKIP: "+t.Name()+" "):
		testcorpora.Missing(t, "namespaces", out)
	case err != nil:
		t.Fatalf("%v\n%s", err, out)
	case !strings.Contains(out, "--- PASS: "+t.Name()+" "):
		t.Fatalf("the test did not run in its own process:\n%s", out)
	}
	t.Log(out)
}

// again runs the calling test in its own namespaces and returns what it printed.
func again(t *testing.T) (string, error) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"-test.run=^" + t.Name() + "$", "-test.v", "-test.count=1"}
	if end, ok := t.Deadline(); ok {
		// It prints its stacks before this process ends.
		args = append(args, "-test.timeout="+max(time.Until(end)-10*time.Second, time.Second).String())
	}
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Env = append(os.Environ(), env+"="+t.Name())
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
		Pdeathsig:   syscall.SIGKILL,
	}
	// The signal is sent when the thread ends that started the process.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	out, err := cmd.CombinedOutput()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		testcorpora.Missing(t, "namespaces", err.Error())
	}
	return string(out), err
}

// mount shows a new disk in a folder of the test, and the processes of this namespace in
// /proc.
func mount(t *testing.T, size int64) *Disk {
	t.Helper()
	d := &Disk{Dir: filepath.Join(t.TempDir(), "disk"), tb: t}
	err := errors.Join(
		os.Mkdir(d.Dir, 0o700),
		syscall.Mount("proc", "/proc", "proc", 0, ""),
		syscall.Mount("tmpfs", d.Dir, "tmpfs", 0, options(size)),
	)
	if err != nil {
		testcorpora.Missing(t, "namespaces", err.Error())
	}
	t.Cleanup(func() { _ = syscall.Unmount(d.Dir, syscall.MNT_DETACH) })
	return d
}

func options(size int64) string { return fmt.Sprintf("size=%d,mode=0700", size) }

// Resize changes the size, which must be more than is used.
func (d *Disk) Resize(size int64) {
	d.tb.Helper()
	if err := syscall.Mount("tmpfs", d.Dir, "tmpfs", syscall.MS_REMOUNT, options(size)); err != nil {
		d.tb.Fatalf("resize disk to %d bytes: %v", size, err)
	}
}

// Space returns how many bytes are used and how many are free.
func (d *Disk) Space() (used, free int64) {
	d.tb.Helper()
	var s syscall.Statfs_t
	if err := syscall.Statfs(d.Dir, &s); err != nil {
		d.tb.Fatal(err)
	}
	return int64(s.Blocks-s.Bfree) * s.Bsize, int64(s.Bavail) * s.Bsize
}

// Fill leaves no byte free, in a file whose path it returns. It fails the test unless the
// system then refuses to write.
func (d *Disk) Fill() string {
	d.tb.Helper()
	f, err := os.CreateTemp(d.Dir, "filler-")
	if err != nil {
		d.tb.Fatal(err)
	}
	_, err = io.Copy(f, zeros{})
	if cerr := f.Close(); !errors.Is(err, syscall.ENOSPC) || cerr != nil {
		d.tb.Fatalf("fill disk: %v, %v, want %v", err, cerr, syscall.ENOSPC)
	}
	return f.Name()
}

// zeros is an endless file of zeros.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
