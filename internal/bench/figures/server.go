package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// How often a process is measured on each side.
const (
	short = 21
	long  = 5 // for a run of index that has work to do
)

// inTurn measures a process n times on each side, after a turn that does not count, and
// adds a row with the medians and the fastest. The sides begin in turn.
func (t *table) inTurn(name string, n int, process func(side int) (time.Duration, error)) error {
	var ms [2][]float64
	for i := range n + 1 {
		for j := range 2 {
			side := (i + j) % 2
			took, err := process(side)
			if err != nil {
				return err
			}
			if i > 0 {
				ms[side] = append(ms[side], float64(took.Round(100*time.Microsecond).Microseconds())/1000)
			}
		}
	}
	t.names = append(t.names, name)
	for side := range ms {
		slices.Sort(ms[side])
		t.sides[side][name] = []float64{ms[side][n/2], ms[side][0]}
	}
	return nil
}

// measure starts a local server, measures both binaries on the sample of the head without
// a model, and returns the difference between their exports.
func (b *bench) measure(ctx context.Context, t *table) (export string, err error) {
	// Both binaries find the server through NEORAG_HOME.
	head := &b.commits[1]
	defer func() {
		_, _, down := b.exec(context.WithoutCancel(ctx), head, "down")
		err = errors.Join(err, down)
	}()
	if _, _, err := b.exec(ctx, head, "up", "--mode", "java", "--bolt-port", "0", "--http-port", "0", "--quiet"); err != nil {
		return "", err
	}
	sample, err := filepath.Abs(filepath.Join(head.root, "examples", "christmas-carol"))
	if err != nil {
		return "", err
	}
	if err := t.inTurn("index an empty corpus", long, func(side int) (time.Duration, error) { return b.cold(ctx, side, sample) }); err != nil {
		return "", err
	}
	commands := [][]string{{"index", "--offline", "--quiet", sample}}
	for _, method := range []string{"auto", "basic", "drift", "global", "local", "text"} {
		commands = append(commands, []string{"query", "--offline", "--method", method, "What are the main themes of the story?"})
	}
	for _, args := range commands {
		name := "index again, nothing to do"
		if args[0] == "query" {
			name = "query --method " + args[3]
		}
		// Each side has its own corpus, made by the turn that does not count.
		if err := t.inTurn(name, short, func(side int) (time.Duration, error) {
			_, took, err := b.exec(ctx, &b.commits[side], slices.Concat(args[:1], []string{"--corpus", "figures_" + sides[side]}, args[1:])...)
			return took, err
		}); err != nil {
			return "", err
		}
	}
	return diff(ctx, b.exported(0), b.exported(1)), nil
}

// cold makes a corpus, exports and removes it, and returns the time of the first step. The
// corpus has the same name on both sides, because the export contains it.
func (b *bench) cold(ctx context.Context, side int, sample string) (time.Duration, error) {
	c := &b.commits[side]
	_, took, err := b.exec(ctx, c, "index", "--corpus", "figures", "--offline", "--quiet", sample)
	if err != nil {
		return 0, err
	}
	out, _, err := b.exec(ctx, c, "export", "--corpus", "figures")
	if err != nil {
		return 0, err
	}
	if err := os.WriteFile(b.exported(side), out, 0o600); err != nil {
		return 0, err
	}
	_, _, err = b.exec(ctx, c, "remove", "--corpus", "figures", "--yes")
	return took, err
}

// exported returns the file of the last export of a side.
func (b *bench) exported(side int) string { return filepath.Join(b.dir, sides[side]+".jsonl") }
