package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// How often a process is measured on either side.
const (
	short = 21
	long  = 5 // for a run of index that has work to do
)

// byTurns measures a process n times on either side, after a turn that does not
// count, and adds a row with the medians and the fastest. The side that begins
// alternates.
func (t *table) byTurns(name string, n int, process func(side int) (time.Duration, error)) error {
	var ms [2][]float64
	for i := range n + 1 {
		for j := range 2 {
			side := (i + j) % 2
			took, err := process(side)
			if err != nil {
				return err
			}
			if i > 0 {
				ms[side] = append(ms[side], float64(took.Microseconds())/1000)
			}
		}
	}
	slices.Sort(ms[0])
	slices.Sort(ms[1])
	t.pair(name, 1, [2]float64{ms[0][n/2], ms[1][n/2]}, [2]float64{ms[0][0], ms[1][0]})
	return nil
}

// measure starts a local server, times both binaries on the sample of the head
// without a model, and returns the difference between their exports.
func (b *bench) measure(ctx context.Context, wall *table) (export string, err error) {
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
	if err := wall.byTurns("index an empty corpus", long, func(side int) (time.Duration, error) { return b.cold(ctx, side, sample) }); err != nil {
		return "", err
	}
	methods, err := b.methods(ctx)
	if err != nil {
		return "", err
	}
	commands := [][]string{{"index", "--offline", "--quiet", sample}}
	for _, method := range methods {
		commands = append(commands, []string{"query", "--offline", "--method", method, "What are the main themes of the story?"})
	}
	for _, args := range commands {
		name := "index again, nothing to do"
		if args[0] == "query" {
			name = "query --method " + args[3]
		}
		// Each side has its own corpus, which the turn that does not count makes.
		if err := wall.byTurns(name, short, func(side int) (time.Duration, error) {
			_, took, err := b.exec(ctx, &b.commits[side], slices.Concat(args[:1], []string{"--corpus", "figures_" + sides[side]}, args[1:])...)
			return took, err
		}); err != nil {
			return "", err
		}
	}
	return diff(ctx, b.exported(0), b.exported(1)), nil
}

// cold makes a corpus, exports and removes it, and returns the time of the first
// step. The corpus has one name on both sides, since the export contains it.
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

// methods returns the names of the methods that both sides have, sorted.
func (b *bench) methods(ctx context.Context) ([]string, error) {
	var found [2][]string
	for side := range sides {
		out, _, err := b.exec(ctx, &b.commits[side], "methods", "--json")
		if err != nil {
			return nil, err
		}
		var list struct{ Methods []struct{ Name string } }
		if err := json.Unmarshal(out, &list); err != nil {
			return nil, fmt.Errorf("read the methods of %s: %w", sides[side], err)
		}
		for _, m := range list.Methods {
			found[side] = append(found[side], m.Name)
		}
	}
	slices.Sort(found[1])
	return slices.DeleteFunc(found[1], func(name string) bool { return !slices.Contains(found[0], name) }), nil
}
