// Command operation runs the given cases of daily operation against a neorag program, and prints
// what is right in each, what happened, and how many are right by kind. With -base it also runs
// them against an earlier program. It needs the temporary Neo4j at NEORAG_TEST_URI.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sync/errgroup"
)

func main() {
	var o options
	flag.StringVar(&o.data, "data", os.Getenv("NEORAG_DATA"), "`FOLDER` of the test corpora, whose cases/operation and cases/models are used")
	flag.StringVar(&o.program, "program", filepath.Join("bin", "neorag"), "`FILE` of the program to run")
	flag.StringVar(&o.base, "base", "", "`FILE` of an earlier program to compare with")
	flag.StringVar(&o.only, "only", "", "run only the cases whose kind or name contains `TEXT`")
	flag.IntVar(&o.jobs, "jobs", 6, "run at most `N` cases at a time")
	flag.Parse()
	if o.data == "" {
		o.data = filepath.Join("..", "shared", "data")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "operation:", err)
		os.Exit(1)
	}
}

// options are what a run tries.
type options struct {
	data, program, base, only string
	jobs                      int
}

// A testCase is something that happens in daily operation, and what is right then.
type testCase struct {
	kind, name, right string
	needs             string // a program that must be installed
	run               func(context.Context, *trial) (got string, ok bool)
}

// run runs the cases against one or two programs and prints the table.
func run(ctx context.Context, o options) (err error) {
	cases := chosen(o.only)
	if len(cases) == 0 {
		return fmt.Errorf("no case contains %q", o.only)
	}
	lab, err := newLab(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lab.close()) }()
	results := make([][]result, len(lab.subjects))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, o.jobs))
	for i, s := range lab.subjects {
		results[i] = make([]result, len(cases))
		for j, c := range cases {
			group.Go(func() error {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				results[i][j] = s.try(ctx, c)
				fmt.Fprintf(os.Stderr, "%s: %s %s: %s (%.0f s)\n", s.title, c.kind, c.name, results[i][j].verdict, results[i][j].seconds)
				return ctx.Err()
			})
		}
	}
	if err := group.Wait(); err != nil {
		return err
	}
	printTable(os.Stdout, cases, results)
	printCounts(os.Stdout, cases, results)
	return nil
}

// chosen returns the cases whose kind or name contains a text. The slowest are first.
func chosen(only string) (cases []testCase) {
	for _, list := range [][]testCase{
		serverCases(), upCases(), removalCases(), answerErrors(), replyCases(), usageCases(), vectorCases(), artifactCases(),
		boundCases(), settingsCases(), streamCases(), reasoningCases(), citationCases(), slipCases(), messageCases(),
	} {
		for _, c := range list {
			if strings.Contains(c.kind+" "+c.name, only) {
				cases = append(cases, c)
			}
		}
	}
	return cases
}
