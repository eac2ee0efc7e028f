// Command leiden measures internal/leiden beside other programs that cluster
// graphs, on the same graphs, taking turns, and prints a table. Run it from the
// root of the repository: make bench-leiden.
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

func parse(args []string) (settings, error) {
	s := settings{}
	f := flag.NewFlagSet("leiden", flag.ContinueOnError)
	f.StringVar(&s.size, "size", "full", "set of graphs: small or full")
	f.StringVar(&s.only, "only", "", "measure these graphs alone, apart by commas")
	f.StringVar(&s.folder, "folder", ".bench", "folder for graphs, peers and the last result")
	f.StringVar(&s.data, "data", filepath.Join("..", "shared", "data"), "test data; the generator of graphs is beside it, in tools/graphgen")
	f.StringVar(&s.gve, "gve", "", "program that runs GVE-Leiden; none: its recorded times")
	f.StringVar(&s.doc, "doc", filepath.Join("docs", "leiden.md"), "file that -update writes to")
	f.StringVar(&s.from, "from", "", "take this result of an earlier run, measure nothing")
	f.IntVar(&s.rounds, "rounds", 5, "how often to run everything")
	f.BoolVar(&s.update, "update", false, "write the table into the documentation")
	f.BoolVar(&s.json, "json", false, "print JSON")
	f.BoolVar(&s.serve, "serve", false, "be an engine: GRAPH LABELS")
	err := f.Parse(args)
	s.args = f.Args()
	if err == nil && s.size != "small" && s.size != "full" {
		err = fmt.Errorf("size %q: use small or full", s.size)
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
			return fmt.Errorf("-serve: got %d arguments, want a graph and a file for labels", len(s.args))
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
	return s.deliver(r)
}

// deliver prints a report and writes it where it is wanted.
func (s settings) deliver(r report) error {
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

func say(format string, args ...any) { _, _ = fmt.Fprintf(os.Stderr, format+"\n", args...) }

// measure makes graphs and peers where they are missing, and runs everything.
func (s settings) measure(ctx context.Context) (r report, err error) {
	r = report{Machine: here(), Size: s.size, Only: s.only, Rounds: s.rounds}
	graphs := maker{folder: filepath.Join(s.folder, "graphs"), data: s.data, tools: filepath.Join(s.data, "..", "tools", "graphgen")}
	if err := os.MkdirAll(graphs.folder, 0o755); err != nil {
		return r, err
	}
	b := bench{gve: s.gve, limits: limits{rounds: s.rounds, budget: time.Minute}, say: say}
	if s.size == "small" {
		b.limits.budget = 4 * time.Second
	}
	if b.self, err = os.Executable(); err != nil {
		return r, err
	}
	if b.python, r.Missing, err = environment(ctx, filepath.Join(s.folder, "venv"), say); err != nil {
		return r, err
	}
	r.Versions = versions(b.python)
	folder, remove, err := scratch(s.folder)
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
		say("%s", source.name)
		rows, missing, err := b.graph(ctx, source.name, path)
		if err != nil {
			return r, err
		}
		r.Rows, r.Missing = append(r.Rows, rows...), append(r.Missing, missing...)
		figures, err := extras(ctx, source.name, path)
		if err != nil {
			return r, err
		}
		extra = append(extra, figures...)
	}
	r.Figures = append(r.Rows.figures(), extra...)
	return r, nil
}

// extras measures what concerns one graph alone.
func extras(ctx context.Context, name, path string) ([]figure, error) {
	var f figure
	switch name {
	case "kg15k", "lfr100k_mu3":
		n, err := readNetwork(path)
		if err != nil {
			return nil, err
		}
		if name == "kg15k" {
			f, err = step(ctx, name, n)
		} else {
			f, err = warm(ctx, name, n)
		}
		return []figure{f}, err
	case "lfr1m_mu3":
		g, err := load(ctx, path)
		if err != nil {
			return nil, err
		}
		f, err = canceled(ctx, name, g)
		return []figure{f}, err
	}
	return nil, nil
}
