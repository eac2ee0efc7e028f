// Command toys measures over how many files an addition is spread: it adds a toy query method, a
// toy setting and a toy artifact of a corpus to a clone of HEAD, builds and tests each, and prints a
// table of the files that were changed.
//
//	go run ./internal/bench/toys
//
// It fails if an addition takes more files by hand than its bar. With -run-server it also runs the
// tests that need a Neo4j server.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

func main() {
	server := flag.Bool("run-server", false, "also run the tests that need a Neo4j server")
	only := flag.String("only", "", "make only the addition `NAME`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := measure(ctx, os.Stdout, *only, *server)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "toys:", err)
		os.Exit(1)
	}
}

// measure makes the additions in a clone of HEAD, each without the others, and prints what they took.
func measure(ctx context.Context, w io.Writer, only string, server bool) (err error) {
	dir, err := os.MkdirTemp("", "neorag-toys-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	t := tree(filepath.Join(dir, "tree"))
	if err := tree(".").run(ctx, "git", "clone", "--quiet", "--shared", ".", string(t)); err != nil {
		return err
	}
	var tooMany error
	totals, files := "| addition | files by hand | at most | generated files | lines added | by hand |\n|---|---:|---:|---:|---:|---:|\n", ""
	for _, a := range additions {
		if only != "" && a.name != only {
			continue
		}
		changed, err := t.try(ctx, a, server)
		if err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
		hand, generated := sum(changed, false), sum(changed, true)
		totals += fmt.Sprintf("| %s | %d | %d | %d | %d | %d |\n", a.name, hand.files, a.most, generated.files, hand.lines+generated.lines, hand.lines)
		files += list(a, changed)
		if hand.files > a.most {
			tooMany = errors.Join(tooMany, fmt.Errorf("%s takes %d files by hand, more than %d", a.name, hand.files, a.most))
		}
	}
	_, err = io.WriteString(w, totals+files)
	return errors.Join(err, tooMany)
}

// try makes an addition, generates files, checks it, measures it and removes it.
func (t tree) try(ctx context.Context, a addition, server bool) (changed []change, err error) {
	if err := t.apply(ctx, a); err != nil {
		return nil, err
	}
	for _, c := range a.generate {
		if err := t.run(ctx, c...); err != nil {
			return nil, err
		}
	}
	if changed, err = t.changes(ctx); err != nil {
		return nil, err
	}
	checks := append([][]string{
		{"go", "build", "./..."},
		{"go", "vet", "./..."},
		{"go", "test", "-count=1", "-vet=off", "-short", "./internal/archtest", "./cypher/...", "./internal/config"},
	}, a.tests...)
	if server {
		for _, test := range a.server {
			checks = append(checks, append([]string{"go", "run", "./internal/testkit/neo4jtest/run", "-heap", "1024", "-corpora", "6", "-memory", "--"}, test...))
		}
	}
	for _, c := range checks {
		if err := t.run(ctx, c...); err != nil {
			return nil, err
		}
	}
	return changed, errors.Join(t.run(ctx, "git", "reset", "--quiet", "--hard"), t.run(ctx, "git", "clean", "-fdq"))
}

// list returns the files of an addition, and the lines added to each.
func list(a addition, changed []change) string {
	var out strings.Builder
	out.WriteString("\n" + a.name + ":\n")
	for _, c := range changed {
		mark := ""
		if c.generated {
			mark = " (generated)"
		}
		_, _ = fmt.Fprintf(&out, "  %s +%d%s\n", c.file, c.added, mark)
	}
	return out.String()
}
