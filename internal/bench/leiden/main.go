// Command leiden compares internal/leiden with other programs that cluster graphs. They
// run in turn on the same graphs. Run it from the root of the repository: make bench-leiden.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench leiden:", err)
		os.Exit(1)
	}
}

// settings are the flags.
type settings struct {
	size, folder, data, gve, doc, from, only string
	update, json, serve                      bool
	rounds                                   int
	args                                     []string
}

// parse reads the command line.
func parse(args []string) (settings, error) {
	s := settings{}
	f := flag.NewFlagSet("leiden", flag.ContinueOnError)
	f.StringVar(&s.size, "size", "full", "set of graphs: small or full")
	f.StringVar(&s.only, "only", "", "names of the graphs to measure, separated by commas")
	f.StringVar(&s.folder, "folder", ".bench", "folder for graphs, peers and the last result")
	f.StringVar(&s.data, "data", filepath.Join("..", "shared", "data"), "folder of the test data; the generator of graphs is in ../tools/graphgen next to it")
	f.StringVar(&s.gve, "gve", "", "program that runs GVE-Leiden (default: use its recorded times)")
	f.StringVar(&s.doc, "doc", filepath.Join("docs", "leiden-results.md"), "file that -update writes to")
	f.StringVar(&s.from, "from", "", "print the result of an earlier run from this file instead of measuring")
	f.IntVar(&s.rounds, "rounds", 5, "number of rounds")
	f.BoolVar(&s.update, "update", false, "write the table into the documentation")
	f.BoolVar(&s.json, "json", false, "print JSON")
	f.BoolVar(&s.serve, "serve", false, "run as an engine, with the arguments GRAPH LABELS")
	err := f.Parse(args)
	s.args = f.Args()
	if err == nil && s.size != "small" && s.size != "full" {
		err = fmt.Errorf("read -size %q: use small or full", s.size)
	}
	return s, err
}

func run(ctx context.Context, args []string) error {
	s, err := parse(args)
	if err != nil {
		return err
	}
	if s.serve {
		if len(s.args) != 2 {
			return fmt.Errorf("read arguments: -serve has %d, give a graph and a file for labels", len(s.args))
		}
		return serve(ctx, os.Stdin, os.Stdout, s.args[0], s.args[1])
	}
	var r report
	if s.from != "" {
		body, err := os.ReadFile(s.from)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(body, &r); err != nil {
			return fmt.Errorf("read %s: %w", s.from, err)
		}
	} else if r, err = s.measure(ctx); err != nil {
		return err
	}
	return s.output(r)
}

// output prints a report, and writes the files that the settings ask for.
func (s settings) output(r report) error {
	body, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	body = append(body, '\n')
	if s.from == "" {
		if err := os.WriteFile(filepath.Join(s.folder, "leiden.json"), body, 0o644); err != nil {
			return err
		}
	}
	if s.update {
		if err := update(s.doc, r.markdown()); err != nil {
			return err
		}
	}
	if s.json {
		_, err = os.Stdout.Write(body)
		return err
	}
	return r.text(os.Stdout)
}

// logf prints progress to stderr.
func logf(format string, args ...any) { _, _ = fmt.Fprintf(os.Stderr, format+"\n", args...) }

// measure generates missing graphs, installs missing peers, and runs everything.
func (s settings) measure(ctx context.Context) (r report, err error) {
	r = report{Machine: thisMachine(), Size: s.size, Only: s.only, Rounds: s.rounds}
	graphs := graphMaker{folder: filepath.Join(s.folder, "graphs"), data: s.data, tools: filepath.Join(s.data, "..", "tools", "graphgen")}
	if err := os.MkdirAll(graphs.folder, 0o755); err != nil {
		return r, err
	}
	b := bench{gve: s.gve, limits: limits{rounds: s.rounds, budget: time.Minute}, logf: logf}
	if s.size == "small" {
		b.limits.budget = 4 * time.Second
	}
	if b.self, err = os.Executable(); err != nil {
		return r, err
	}
	if b.python, r.Missing, err = environment(ctx, filepath.Join(s.folder, "venv"), logf); err != nil {
		return r, err
	}
	r.Versions = versions(b.python)
	folder, remove, err := tempFolder(s.folder)
	if err != nil {
		return r, err
	}
	defer remove()
	b.folder = folder
	var extra []figure
	for _, source := range sources {
		if s.size == "small" && !source.small || s.only != "" && !slices.Contains(strings.Split(s.only, ","), source.name) {
			continue
		}
		path, err := graphs.path(ctx, source)
		if err != nil {
			r.Missing = append(r.Missing, err.Error())
			continue
		}
		logf("%s", source.name)
		rows, missing, err := b.graph(ctx, source.name, path)
		if err != nil {
			return r, err
		}
		r.Rows, r.Missing = append(r.Rows, rows...), append(r.Missing, missing...)
		figures, err := extraFigures(ctx, source.name, path)
		if err != nil {
			return r, err
		}
		extra = append(extra, figures...)
	}
	r.Figures = append(r.Rows.figures(), extra...)
	return r, nil
}

// extraFigures measures the figures that are defined for a single graph.
func extraFigures(ctx context.Context, name, path string) ([]figure, error) {
	var f figure
	switch name {
	case "kg15k", "lfr100k_mu3":
		n, err := readNetwork(path)
		if err != nil {
			return nil, err
		}
		if name == "kg15k" {
			f, err = measureIndexStep(ctx, name, n)
		} else {
			f, err = measureWarmStart(ctx, name, n)
		}
		return []figure{f}, err
	case "lfr1m_mu3":
		g, err := load(ctx, path)
		if err != nil {
			return nil, err
		}
		f, err = measureCancellation(ctx, name, g)
		return []figure{f}, err
	}
	return nil, nil
}
