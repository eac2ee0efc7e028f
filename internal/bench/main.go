// Command bench prints the figures of the README: it runs bin/neorag as a user
// would, on the server that the environment names, and measures the processes.
// With the argument levels it prints what each level of reports reads instead.
// With -model it indexes with a model instead, which a server of its own plays.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/neo4jtest"
)

func main() {
	model := flag.Bool("model", false, "index with a simulated model")
	var o modelOptions
	flag.DurationVar(&o.latency, "latency", 500*time.Millisecond, "of each call to the simulated model")
	flag.IntVar(&o.concurrency, "concurrency", 32, "calls at once")
	flag.IntVar(&o.places, "places", 0, "calls that the server takes at once, others get 429; 0 for any number")
	flag.DurationVar(&o.warm, "warm", 3*time.Second, "refusals of the first questions that are not counted")
	flag.StringVar(&o.path, "path", "", "index this folder alone")
	flag.IntVar(&o.runs, "runs", 1, "repeat, and print the fastest run")
	flag.Parse()
	if !*model {
		o = modelOptions{}
	}
	if err := run(context.Background(), os.Stdout, o, flag.Arg(0) == "levels"); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// repeats is how often a short process is measured; the median counts.
const repeats = 9

func run(ctx context.Context, w io.Writer, model modelOptions, levels bool) error {
	b := &bench{binary: "bin/neorag", w: w}
	info, err := os.Stat(b.binary)
	if err != nil {
		return fmt.Errorf("find the program: %w: run `make build`", err)
	}
	home, err := os.MkdirTemp("", "neorag-bench")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(home) }()
	b.env = append(os.Environ(), "NEORAG_HOME="+home)
	if uri := os.Getenv(neo4jtest.URIEnv); uri != "" {
		b.env = append(b.env, "NEO4J_URI="+uri, "NEO4J_USERNAME="+os.Getenv(neo4jtest.UserEnv), "NEO4J_PASSWORD="+os.Getenv(neo4jtest.PasswordEnv))
	}
	if levels {
		return b.levels(ctx, dataFolder())
	}
	if model.concurrency > 0 {
		return b.models(ctx, model)
	}
	_, _ = fmt.Fprintf(w, "binary: %.1f MB\n", float64(info.Size())/1e6)
	if err := b.short(ctx, "neorag --help", "--help"); err != nil {
		return err
	}
	for _, s := range sets() {
		if _, err := os.Stat(s.path); err != nil {
			_, _ = fmt.Fprintf(w, "\n%s: not there, left out (set NEORAG_DATA)\n", s.name)
			continue
		}
		if err := b.corpus(ctx, s.name, s.corpus, s.path, s.question); err != nil {
			return err
		}
	}
	return nil
}

type bench struct {
	binary string
	env    []string
	w      io.Writer
}

// A set is a folder of documents, and what is asked about it.
type set struct{ name, corpus, path, question string }

// sets are the folders that are measured.
func sets() []set {
	return []set{
		{"sample (5 documents)", "bench_sample", "examples/christmas-carol", "What are the main themes of the story?"},
		{"LiHuaWorld (442 documents)", "bench_lihua", filepath.Join(dataFolder(), "lihuaworld", "docs"), "What does Li Hua do with friends?"},
	}
}

// dataFolder holds the corpora.
func dataFolder() string {
	return cmp.Or(os.Getenv("NEORAG_DATA"), filepath.Join("..", "shared", "data"))
}

// ran is what a process of the program wrote and took.
type ran struct {
	out       []byte
	took, cpu time.Duration
	peakMB    float64
}

// exec runs the program.
func (b *bench) exec(ctx context.Context, args ...string) (ran, error) {
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, b.binary, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = b.env, &out, &errs
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start)
	if err != nil {
		return ran{}, fmt.Errorf("neorag %v: %w: %s", args, err, errs.Bytes())
	}
	p := cmd.ProcessState
	return ran{out.Bytes(), took, p.UserTime() + p.SystemTime(), peakMB(p)}, nil
}

// short prints the median time of a whole process.
func (b *bench) short(ctx context.Context, name string, args ...string) error {
	return b.median(name, func(int) (time.Duration, error) {
		r, err := b.exec(ctx, args...)
		return r.took, err
	})
}

// median prints the median time of several processes.
func (b *bench) median(name string, process func(i int) (time.Duration, error)) error {
	times := make([]time.Duration, repeats)
	for i := range times {
		var err error
		if times[i], err = process(i); err != nil {
			return err
		}
	}
	slices.Sort(times)
	_, _ = fmt.Fprintf(b.w, "%s: %.0f ms (median of %d processes)\n", name, float64(times[repeats/2].Microseconds())/1000, repeats)
	return nil
}

// corpus indexes the sample, so that the server knows the statements, and a
// folder twice, asks, and removes the corpora again.
func (b *bench) corpus(ctx context.Context, name, corpus, path, question string) error {
	before, err := b.exec(ctx, "index", "--offline", "--corpus", corpus+"_warm", "--quiet", "examples/christmas-carol")
	if err != nil {
		return err
	}
	defer func() {
		for _, c := range []string{corpus, corpus + "_warm"} {
			_, _ = b.exec(context.WithoutCancel(ctx), "remove", "--corpus", c, "--yes") // a throw-away server
		}
	}()
	run, err := b.exec(ctx, "index", "--offline", "--corpus", corpus, "--json", "--quiet", path)
	if err != nil {
		return err
	}
	var r index.Result
	if err := json.Unmarshal(run.out, &r); err != nil {
		return fmt.Errorf("read the result: %w", err)
	}
	nodes, edges, err := b.size(ctx, corpus)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(b.w, "\n%s: %.1f s, %d nodes and %d edges (%.0f a second), peak memory %.0f MB\n",
		name, run.took.Seconds(), nodes, edges, float64(nodes+edges)/run.took.Seconds(), run.peakMB)
	_, _ = fmt.Fprintf(b.w, "  before it, for the server to know the statements, the sample: %.1f s\n", before.took.Seconds())
	for _, s := range r.Stages {
		_, _ = fmt.Fprintf(b.w, "  %-9s %6.2f s  %6d done  %7d writes\n", s.Name, s.Seconds, s.Done, s.Writes)
	}
	if err := b.short(ctx, "  index again", "index", "--offline", "--corpus", corpus, "--quiet", path); err != nil {
		return err
	}
	for _, method := range []string{"global", "basic"} {
		if err := b.short(ctx, "  query --method "+method, "query", "--corpus", corpus, "--method", method, question); err != nil {
			return err
		}
	}
	for _, method := range []string{"global", "local"} {
		if err := b.first(ctx, corpus, method, question); err != nil {
			return err
		}
	}
	return nil
}

// size counts the lines of the dump: nodes and edges.
func (b *bench) size(ctx context.Context, corpus string) (nodes, edges int, err error) {
	run, err := b.exec(ctx, "export", "--corpus", corpus)
	if err != nil {
		return 0, 0, err
	}
	for line := range bytes.Lines(run.out) {
		if bytes.Contains(line, []byte(`"node":`)) {
			nodes++
		} else {
			edges++
		}
	}
	return nodes, edges, nil
}
