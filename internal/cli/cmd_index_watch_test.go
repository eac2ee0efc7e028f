package cli_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/cli"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestWatch changes files while the program watches them: it indexes each change, survives
// a run that fails, and ends without an error when it is interrupted.
func TestWatch(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	docs := filepath.Join(t.TempDir(), "docs")
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(docs, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("one.txt", novel["one.txt"])
	var out, errs output
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	code := make(chan int, 1)
	go func() {
		code <- cli.Main(ctx, cli.Env{
			Args: []string{"neorag", "index", "--offline", "--watch", "--corpus", p.corpus, docs}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
			Getenv: func(name string) string { return p.env[name] },
		})
	}()
	printed := func(where *output, text string, times int) {
		t.Helper()
		enough := func() bool { return strings.Count(where.String(), text) >= times }
		if !waitUntil(t, enough, func() string { return out.String() + errs.String() }) {
			t.Fatalf("%q is not printed %d times", text, times)
		}
	}
	printed(&out, "Documents: 1 added", 1)
	printed(&errs, "watching", 1)
	write("more/two.txt", novel["two.txt"]) // in a folder that does not exist yet
	printed(&out, "Documents: 1 added", 2)
	write("more/two.txt", novel["two.txt"]+" Victor Lang left.")
	printed(&out, "1 changed", 1)
	if err := os.Remove(filepath.Join(docs, "one.txt")); err != nil {
		t.Fatal(err)
	}
	printed(&out, "1 removed", 1)
	if err := os.Rename(docs, docs+"2"); err != nil {
		t.Fatal(err)
	}
	printed(&errs, "trying again in", 1)
	if err := os.Rename(docs+"2", docs); err != nil {
		t.Fatal(err)
	}
	write("three.txt", novel["one.txt"])
	printed(&out, "Documents: 1 added", 3)
	cancel()
	select {
	case c := <-code:
		if c != 0 {
			t.Errorf("exit code %d\n%s", c, errs.String())
		}
	case <-time.After(time.Minute):
		t.Fatal("the command does not end")
	}
}

func TestWatchUsage(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"index", "--watch", "-"}, {"index", "--watch", "--dry-run", "docs"}} {
		if code, _, errs := command(t, nil, args...); code != 2 || !strings.Contains(errs, "--watch follows files") {
			t.Errorf("%v: %d: %s", args, code, errs)
		}
	}
}
