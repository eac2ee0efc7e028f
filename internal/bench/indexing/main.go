// Command bench prints the figures of docs/figures.md: it runs bin/neorag on the server that
// the environment names, and measures the processes. With the argument levels it prints
// the sizes of the levels of reports instead, with memory the peak memory of indexing large
// files, with updates what it costs to change one document, with -model what it costs with a
// simulated model, or how fast indexing with it is, with readers how long questions take
// during an update.
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

	"github.com/neorag/neorag/internal/bench/proc"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

func main() {
	model := flag.Bool("model", false, "index with a simulated model")
	var o modelOptions
	flag.DurationVar(&o.latency, "latency", 500*time.Millisecond, "latency of each call to the simulated model")
	flag.IntVar(&o.concurrency, "concurrency", 32, "concurrent calls of the program")
	flag.IntVar(&o.slots, "slots", 0, "concurrent calls that the server accepts, refusing others with 429; 0 for no limit")
	flag.IntVar(&o.slots, "places", 0, "former name of -slots")
	flag.DurationVar(&o.warm, "warm", 3*time.Second, "time after the first prompt in which refusals are not counted")
	flag.StringVar(&o.path, "path", "", "index only this folder")
	flag.IntVar(&o.sections, "sections", 0, "index this many sections of web pages instead")
	flag.IntVar(&o.runs, "runs", 1, "number of runs, of which the fastest is printed")
	sizes := flag.String("documents", "1000,4000,12000", "`NUMBERS` of documents of updates, separated by commas")
	flag.Parse()
	if !*model {
		o = modelOptions{}
	}
	if err := run(context.Background(), os.Stdout, o, flag.Arg(0), *sizes); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// repeats is how often a short process is measured. The median is printed.
const repeats = 9

func run(ctx context.Context, w io.Writer, model modelOptions, what, sizes string) error {
	b := &bench{binary: "bin/neorag", w: w}
	info, err := os.Stat(b.binary)
	if err != nil {
		return fmt.Errorf("find program: %w: run `make build`", err)
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
	switch what {
	case "levels":
		return b.levels(ctx, dataFolder())
	case "memory":
		return b.memory(ctx)
	case "readers":
		return b.readers(ctx)
	case "updates":
		if model.concurrency > 0 {
			return b.modelUpdates(ctx, model)
		}
		return b.updates(ctx, sizes)
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
			_, _ = fmt.Fprintf(w, "\n%s: skipped, not found (set NEORAG_DATA)\n", s.name)
			continue
		}
		if err := b.corpus(ctx, s.name, s.corpus, s.path, s.question); err != nil {
			return err
		}
	}
	return nil
}

// A bench runs the program and prints figures.
type bench struct {
	binary string
	env    []string
	w      io.Writer
}

// A set is a folder of documents, and a question about it.
type set struct{ name, corpus, path, question string }

// sets returns the folders to measure.
func sets() []set {
	return []set{
		{"sample (5 documents)", "bench_sample", "examples/christmas-carol", "What are the main themes of the story?"},
		{"LiHuaWorld (442 documents)", "bench_lihua", filepath.Join(dataFolder(), "lihuaworld", "docs"), "What does Li Hua do with friends?"},
	}
}

// dataFolder returns the folder of the test corpora.
func dataFolder() string {
	return cmp.Or(os.Getenv("NEORAG_DATA"), filepath.Join("..", "shared", "data"))
}

// ran is the output and the cost of a process.
type ran struct {
	out       []byte
	took, cpu time.Duration
	peakMB    float64
}

// someFailed is the exit code of a run in which some items failed.
const someFailed = 3

// exec runs the program and waits for it.
func (b *bench) exec(ctx context.Context, args ...string) (ran, error) {
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, b.binary, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = b.env, &out, &errs
	start := time.Now()
	peak, err := runWatched(cmd)
	took := time.Since(start)
	p := cmd.ProcessState
	if err != nil && (p == nil || p.ExitCode() != someFailed) {
		return ran{}, fmt.Errorf("neorag %v: %w: %s", args, err, errs.Bytes())
	}
	return ran{out.Bytes(), took, p.UserTime() + p.SystemTime(), peak}, nil
}

// runWatched runs a command and returns the peak of its resident memory, without what it needs in its
// last moments.
func runWatched(cmd *exec.Cmd) (peakMB float64, err error) {
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for tick := time.Tick(20 * time.Millisecond); ; {
		select {
		case err := <-ended:
			return peakMB, err
		case <-tick:
			peakMB = max(peakMB, proc.PeakMB(cmd.Process.Pid))
		}
	}
}

// onFolder calls do with an empty folder of documents, and then removes the folder and a
// corpus.
func (b *bench) onFolder(ctx context.Context, corpus string, do func(dir string) error) error {
	parent, err := os.MkdirTemp("", "neorag-bench-docs")
	if err != nil {
		return err
	}
	defer func() {
		_ = os.RemoveAll(parent)
		_, _ = b.exec(context.WithoutCancel(ctx), "remove", "--corpus", corpus, "--yes") // the server is temporary
	}()
	dir := filepath.Join(parent, "docs")
	if err := os.Mkdir(dir, 0o750); err != nil {
		return err
	}
	return do(dir)
}

// readTexts returns the texts of the files that match a pattern.
func readTexts(pattern string) ([]string, error) {
	paths, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("no file matches %s", pattern)
	}
	texts := make([]string, len(paths))
	for i, path := range paths {
		text, err := os.ReadFile(path) //nolint:gosec // of the sample or the test data
		if err != nil {
			return nil, err
		}
		texts[i] = string(text)
	}
	return texts, nil
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

// corpus measures indexing a folder, indexing it again without changes, and queries. It
// indexes the sample first, so that the server has planned the statements, and removes
// both corpora.
func (b *bench) corpus(ctx context.Context, name, corpus, path, question string) error {
	before, err := b.exec(ctx, "index", "--offline", "--corpus", corpus+"_warm", "--quiet", "examples/christmas-carol")
	if err != nil {
		return err
	}
	defer func() {
		for _, c := range []string{corpus, corpus + "_warm"} {
			_, _ = b.exec(context.WithoutCancel(ctx), "remove", "--corpus", c, "--yes") // the server is temporary
		}
	}()
	run, err := b.exec(ctx, "index", "--offline", "--corpus", corpus, "--json", "--quiet", path)
	if err != nil {
		return err
	}
	var r index.Result
	if err := json.Unmarshal(run.out, &r); err != nil {
		return fmt.Errorf("read result: %w", err)
	}
	nodes, edges, err := b.size(ctx, corpus)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(b.w, "\n%s: %.1f s, %d nodes and %d edges (%.0f a second), peak memory %.0f MB\n",
		name, run.took.Seconds(), nodes, edges, float64(nodes+edges)/run.took.Seconds(), run.peakMB)
	_, _ = fmt.Fprintf(b.w, "  the sample before it, to warm up the server: %.1f s\n", before.took.Seconds())
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
		if err := b.firstRequest(ctx, corpus, method, question); err != nil {
			return err
		}
	}
	return nil
}

// size counts the nodes and edges of an export.
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
