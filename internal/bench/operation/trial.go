package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// A trial is a case with a program. It has an empty working directory, a home, a cache and an
// environment, which no other trial uses.
type trial struct {
	*subject
	dir, work string
	env       []string

	mu    sync.Mutex
	err   error // the first of what the case needs
	taken []lease
}

// A lease is a corpus that the trial returns.
type lease struct{ use, corpus string }

// try runs a case. What it needs and cannot make is not a fault of the program.
func (s *subject) try(ctx context.Context, c testCase) result {
	if c.needs != "" && !installed(c.needs) {
		return result{verdict: skipped, got: c.needs + " is not installed"}
	}
	t, err := s.newTrial()
	if err != nil {
		return result{verdict: broken, got: err.Error()}
	}
	begin := time.Now()
	got, ok := c.run(ctx, t)
	r := result{verdict: fault, got: got, seconds: time.Since(begin).Seconds()}
	t.giveBack(context.WithoutCancel(ctx))
	switch {
	case t.err != nil:
		r.verdict, r.got = broken, t.err.Error()
	case ok:
		r.verdict = right
	}
	return r
}

// newTrial makes the folders of a trial.
func (s *subject) newTrial() (*trial, error) {
	dir, err := os.MkdirTemp(s.dir, "case")
	if err != nil {
		return nil, err
	}
	t := &trial{subject: s, dir: dir, work: filepath.Join(dir, "work")}
	for _, name := range []string{"work", "home"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			return nil, err
		}
	}
	home := filepath.Join(dir, "home")
	t.env = []string{
		"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "TERM=xterm", "HOME=" + home, "NEORAG_HOME=" + filepath.Join(home, "neorag"),
		"NEORAG_CACHE=" + filepath.Join(dir, "cache"), "NEO4J_URI=" + s.conn.URI, "NEO4J_USERNAME=" + s.conn.User, "NEO4J_PASSWORD=" + s.conn.Password,
	}
	return t, os.Mkdir(filepath.Join(home, "neorag"), 0o700)
}

// fail records that what the case needs could not be made.
func (t *trial) fail(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil {
		t.err = err
	}
}

// corpus takes a corpus without nodes until the case ends.
func (t *trial) corpus(ctx context.Context, use string) string {
	select {
	case name := <-t.free[use]:
		t.taken = append(t.taken, lease{use, name})
		return name
	case <-ctx.Done():
		t.fail(ctx.Err())
		return "none"
	}
}

// giveBack deletes the nodes of the corpora, whose indexes stay for the next case.
func (t *trial) giveBack(ctx context.Context) {
	for _, l := range t.taken {
		if _, err := neo4jtest.Rows(ctx, t.conn, "MATCH (n) WHERE n.corpus = $corpus OR n.key = $corpus DETACH DELETE n", map[string]any{"corpus": l.corpus}); err != nil {
			t.fail(err)
		}
		t.free[l.use] <- l.corpus
	}
}

// neorag runs the program with arguments.
func (t *trial) neorag(ctx context.Context, args ...string) outcome {
	return t.run(ctx, command{args: args})
}

// must is neorag for a run that the case needs: it has to succeed.
func (t *trial) must(ctx context.Context, args ...string) outcome {
	o := t.run(ctx, command{args: args, limit: 2 * time.Minute})
	if o.code != 0 {
		t.fail(fmt.Errorf("neorag %s: %s", args[0], o.brief()))
	}
	return o
}

// offline indexes paths into a new corpus without a model.
func (t *trial) offline(ctx context.Context, paths ...string) (corpus string) {
	corpus = t.corpus(ctx, hashed)
	t.must(ctx, append([]string{"index", "--offline", "--quiet", "--corpus", corpus}, paths...)...)
	return corpus
}

// write writes a file of the working directory.
func (t *trial) write(name, content string) {
	path := filepath.Join(t.work, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
		t.fail(err)
	}
}

// read returns the content of a file of the working directory.
func (t *trial) read(name string) string {
	b, err := os.ReadFile(filepath.Join(t.work, name))
	if err != nil {
		t.fail(err)
	}
	return string(b)
}

// has reports whether a command has a flag.
func (t *trial) has(ctx context.Context, name, flag string) bool {
	return strings.Contains(t.neorag(ctx, name, "--help").stdout, flag)
}

// given returns the path of a file or folder of the given cases.
func (t *trial) given(parts ...string) string {
	return filepath.Join(append([]string{t.cases}, parts...)...)
}

// copied copies a given file into the working directory.
func (t *trial) copied(name string, parts ...string) {
	b, err := os.ReadFile(t.given(parts...))
	if err != nil {
		t.fail(err)
	}
	t.write(name, string(b))
}
