package watch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// quiet is how long the tests wait for more changes.
const quiet = 30 * time.Millisecond

func newWatcher(t *testing.T, o Options) *Watcher {
	t.Helper()
	o.Quiet = quiet
	w, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

func do(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// changed reports whether Wait returns because of a change.
func changed(t *testing.T, w *Watcher) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*quiet)
	defer cancel()
	err := w.Wait(ctx)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	return err == nil
}

// TestWait makes changes one after the other.
func TestWait(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	docs, other := filepath.Join(root, "docs"), filepath.Join(root, "other")
	file := filepath.Join(docs, "a.txt")
	do(t, os.Mkdir(docs, 0o700), os.Mkdir(other, 0o700))
	w := newWatcher(t, Options{})
	do(t, w.Set([]string{docs, filepath.Join(root, "missing")}, []string{docs, filepath.Join(other, "single.txt")}))
	for _, tt := range []struct {
		name   string
		change func() error
		want   bool
	}{
		{"nothing", func() error { return nil }, false},
		{"a new file", func() error { return os.WriteFile(file, []byte("a"), 0o600) }, true},
		{"a change", func() error { return os.WriteFile(file, []byte("b"), 0o600) }, true},
		{"permissions", func() error { return os.Chmod(file, 0o400) }, false},
		{"another name", func() error { return os.Rename(file, file+"2") }, true},
		{"a deletion", func() error { return os.Remove(file + "2") }, true},
		{"a folder", func() error { return os.Mkdir(filepath.Join(docs, "sub"), 0o700) }, true},
		{"in a folder that is not watched", func() error { return os.WriteFile(filepath.Join(docs, "sub", "b.txt"), nil, 0o600) }, false},
		{"next to the watched folder", func() error { return os.WriteFile(filepath.Join(root, "b.txt"), nil, 0o600) }, false},
		{"a single path", func() error { return os.WriteFile(filepath.Join(other, "single.txt"), nil, 0o600) }, true},
		{"next to a single path", func() error { return os.WriteFile(filepath.Join(other, "more.txt"), nil, 0o600) }, false},
		{"the end of the folder", func() error { return os.RemoveAll(docs) }, true},
		{"a folder in its place", func() error { return os.Mkdir(docs, 0o700) }, true},
	} {
		do(t, tt.change())
		if got := changed(t, w); got != tt.want {
			t.Fatalf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	do(t, w.Set([]string{docs}, nil), os.WriteFile(file, nil, 0o600))
	if !changed(t, w) {
		t.Error("a folder that came back is not watched")
	}
	do(t, w.Set([]string{other}, nil), os.WriteFile(file, []byte("more"), 0o600))
	if changed(t, w) {
		t.Error("a folder is watched that is no longer set")
	}
}

// TestWaitNotesChangesBefore checks that changes between two calls end the next one, as
// one.
func TestWaitNotesChangesBefore(t *testing.T) {
	t.Parallel()
	docs := t.TempDir()
	w := newWatcher(t, Options{})
	do(t, w.Set([]string{docs}, nil))
	for i := range 100 {
		do(t, os.WriteFile(filepath.Join(docs, string(rune('a'+i%26))), []byte{byte(i)}, 0o600))
	}
	if !changed(t, w) || changed(t, w) {
		t.Error("changes before Wait do not end it once")
	}
}

// TestWaitLongest checks that changes without end are reported.
func TestWaitLongest(t *testing.T) {
	t.Parallel()
	docs := t.TempDir()
	w := newWatcher(t, Options{Longest: 5 * quiet})
	do(t, w.Set([]string{docs}, nil))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for i := 0; ctx.Err() == nil; i++ {
			_ = os.WriteFile(filepath.Join(docs, "a.txt"), []byte{byte(i)}, 0o600)
			time.Sleep(quiet / 10)
		}
	}()
	if !changed(t, w) {
		t.Error("Wait does not end while files change")
	}
	cancel()
	<-ended
}
