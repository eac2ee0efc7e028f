package evalrun_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/eval/evalrun"
)

func create(t interface {
	Helper()
	Fatal(args ...any)
}, dir string,
) *evalrun.Folder {
	t.Helper()
	f, err := evalrun.Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestKilledAnywhere cuts a file at any byte, as a process that is killed while it writes does, and
// expects that adding all cells once more gives each exactly once.
func TestKilledAnywhere(t *testing.T) {
	parent, n := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		dir := filepath.Join(parent, strconv.Itoa(n))
		texts := rapid.SliceOfNDistinct(rapid.String(), 1, 5, rapid.ID).Draw(t, "answers")
		addAll := func() []evalrun.Answer {
			f := create(t, dir)
			defer func() { _ = f.Close() }()
			for _, text := range texts {
				if err := f.Answers.Add(evalrun.Answer{Condition: "c", Question: text, Text: text}); err != nil {
					t.Fatal(err)
				}
			}
			return f.Answers.All()
		}
		want := addAll()
		name := filepath.Join(dir, "answers.jsonl")
		before, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(name, rapid.Int64Range(0, int64(len(before))).Draw(t, "length")); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, addAll()); diff != "" {
			t.Errorf("cells (-want +got):\n%s", diff)
		}
		after, err := os.ReadFile(name)
		if err != nil || string(after) != string(before) {
			t.Errorf("file = %q, %v, want %q", after, err, before)
		}
	})
}

func TestOneWriter(t *testing.T) {
	dir := t.TempDir()
	f := create(t, dir)
	if _, err := evalrun.Create(dir); !errors.Is(err, evalrun.ErrInUse) {
		t.Errorf("second writer: %v, want %v", err, evalrun.ErrInUse)
	}
	if _, err := evalrun.Open(dir); err != nil {
		t.Errorf("reader: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := create(t, dir).Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := evalrun.Open(t.TempDir()); !errors.Is(err, evalrun.ErrNoRun) {
		t.Errorf("empty folder: %v, want %v", err, evalrun.ErrNoRun)
	}
}

func TestFailures(t *testing.T) {
	f := create(t, t.TempDir())
	defer func() { _ = f.Close() }()
	a := evalrun.Answer{Condition: "c", Question: "q"}
	for _, cause := range []string{"first", "first", "second"} {
		if err := f.Fail("answers", a.Key(), errors.New(cause)); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]evalrun.Failure{a.Key(): {Kind: "answers", Cell: a.Key(), Error: "second"}}
	if diff := cmp.Diff(want, f.Failures()); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
	if err := f.Answers.Add(a); err != nil {
		t.Fatal(err)
	}
	if got := f.Failures(); len(got) > 0 {
		t.Errorf("failures of a cell that was made = %v", got)
	}
}

// TestChangedSettings expects that whatever affects answers makes another condition.
func TestChangedSettings(t *testing.T) {
	base := evalrun.Condition{Method: "global", Settings: map[string]string{"level": "0"}, Corpus: "c", State: "1", Model: "m", Prompts: "p", Version: "v"}
	for name, change := range map[string]func(*evalrun.Condition){
		"method":   func(c *evalrun.Condition) { c.Method = "local" },
		"settings": func(c *evalrun.Condition) { c.Settings = map[string]string{"level": "1"} },
		"corpus":   func(c *evalrun.Condition) { c.Corpus = "d" },
		"state":    func(c *evalrun.Condition) { c.State = "2" },
		"model":    func(c *evalrun.Condition) { c.Model = "n" },
		"prompts":  func(c *evalrun.Condition) { c.Prompts = "q" },
		"version":  func(c *evalrun.Condition) { c.Version = "w" },
	} {
		other := base
		if change(&other); other.Key() == base.Key() {
			t.Errorf("a changed %s has the same key", name)
		}
	}
}

func TestBrokenLine(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "answers.jsonl"), []byte("{\"condition\":\"c\"}\n{broken\n{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := evalrun.Create(dir); err == nil {
		t.Error("a broken line in the middle was accepted")
	}
}

func TestConcurrentAdd(t *testing.T) {
	dir := t.TempDir()
	f := create(t, dir)
	var g errgroup.Group
	for i := range 100 {
		g.Go(func() error {
			return f.Judgements.Add(evalrun.Judgement{First: "a", Second: "b", Criterion: "directness", Replicate: i % 50})
		})
	}
	if err := errors.Join(g.Wait(), f.Close()); err != nil {
		t.Fatal(err)
	}
	f = create(t, dir)
	defer func() { _ = f.Close() }()
	if n := len(f.Judgements.All()); n != 50 {
		t.Errorf("%d judgements, want 50", n)
	}
}
