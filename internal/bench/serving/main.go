// Command serving measures `neorag serve` under load: it writes a graph of 100,000 entities, starts
// bin/neorag, and asks for contexts at a fixed rate while the server indexes another corpus, and then
// for the same without a run. Last it measures, with a simulated model, what the server adds to the
// time to the first word of an answer.
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
	"slices"
	"syscall"
	"time"

	"github.com/neorag/neorag/internal/store/localneo4j"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/biggraph"
)

func main() {
	var o options
	flag.IntVar(&o.entities, "entities", 100_000, "number of entities of the graph; the rest is in proportion")
	flag.IntVar(&o.rate, "rate", 20, "questions a second")
	flag.DurationVar(&o.warm, "warm", 2*time.Minute, "how long questions are asked before anything is measured, at half the rate")
	flag.DurationVar(&o.during, "during", 3*time.Minute, "how long questions are asked during index runs")
	flag.DurationVar(&o.idle, "idle", time.Minute, "how long they are asked afterwards, without a run")
	flag.IntVar(&o.answers, "answers", 60, "number of answers whose first word is timed")
	flag.StringVar(&o.data, "data", "", "keep the graph in `FOLDER`, and use the one that is there (default: a temporary folder)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := o.run(ctx, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "serving:", err)
		os.Exit(1)
	}
}

type options struct {
	entities, rate int
	warm           time.Duration
	during, idle   time.Duration
	answers        int
	data           string
}

const (
	asked   = "bench_serving"         // the corpus that is asked
	indexed = "bench_serving_indexed" // and the one that runs index meanwhile
)

func (o options) run(ctx context.Context, w io.Writer) (err error) {
	work, err := os.MkdirTemp("", "neorag-bench-serving")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	if o.data == "" {
		o.data = filepath.Join(work, "neo4j")
	}
	local := localneo4j.Options{Data: o.data, Mode: localneo4j.Java, HTTPPort: localneo4j.NoHTTP, Progress: progress}
	server, _, err := localneo4j.Up(ctx, local)
	if err != nil {
		return err
	}
	defer func() {
		_, downErr := localneo4j.Down(context.WithoutCancel(ctx), local)
		err = errors.Join(err, downErr)
	}()
	password, err := localneo4j.Password(server)
	if err != nil {
		return err
	}
	if err := o.graph(ctx, w, neo4jstore.Config{URI: server.URI, Username: server.User, Password: password}); err != nil {
		return err
	}
	b := bench{
		options: o, w: w, work: work, neo4j: server.PID,
		env: append(os.Environ(), "NEO4J_URI="+server.URI, "NEO4J_USERNAME="+server.User, "NEO4J_PASSWORD="+password),
	}
	_, _ = fmt.Fprintf(w, "server: heap %d MB, page cache %d MB\n", server.HeapMB, server.PageCacheMB)
	if err := b.contexts(ctx); err != nil {
		return err
	}
	if o.answers == 0 {
		return nil
	}
	return b.firstWords(ctx)
}

// graph writes the graph, unless it is there, and prints its size.
func (o options) graph(ctx context.Context, w io.Writer, conn neo4jstore.Config) (err error) {
	store, err := neo4jstore.Open(ctx, conn)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close(context.WithoutCancel(ctx))) }()
	if _, err := store.Corpus(ctx, asked); errors.Is(err, neo4jstore.ErrNoCorpus) {
		start := time.Now()
		if err := biggraph.Write(ctx, store, asked, biggraph.Sizes{Entities: o.entities}, biggraph.Options{Terms: true}, progress); err != nil {
			return err
		}
		progress(fmt.Sprintf("written in %.0f s", time.Since(start).Seconds()))
	} else if err != nil {
		return err
	}
	if _, err := store.DropCorpus(ctx, indexed, ""); err != nil { // of another run, whose files are gone
		return err
	}
	c, err := store.Counts(ctx, asked)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%d entities, %d relationships, %d chunks, %d communities\n", c.Entities, c.Relationships, c.Chunks, c.Communities)
	return err
}

// A bench runs the program on a server that has the graph.
type bench struct {
	options

	w     io.Writer
	work  string // folder for what the program writes
	neo4j int    // process
	env   []string
}

// contexts asks for contexts, during index runs and without.
func (b bench) contexts(ctx context.Context) error {
	p, err := b.serve(ctx, "contexts", "--offline")
	if err != nil {
		return err
	}
	defer p.stop()
	c := newClient(p.address)
	table := []row{}
	measure := func(name string, d time.Duration) error {
		s := startSampler(p.pid(), b.neo4j)
		samples, err := openLoop(ctx, b.rate, d, func(i int) sample { return c.context(ctx, questionAt(i, b.entities)) })
		s.stop()
		table = append(table, rowsOf(name, samples)...)
		s.print(b.w, name)
		return err
	}
	runs, end := startRuns(ctx, c)
	err = b.warmUp(ctx, c)
	before := runs.count.Load()
	if err == nil {
		err = measure("during runs", b.during)
	}
	if err := errors.Join(err, end()); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(b.w, "at least %d index runs of the sample began meanwhile\n", runs.count.Load()-before)
	if b.idle > 0 {
		if err := measure("without a run", b.idle); err != nil {
			return err
		}
	}
	return printTable(b.w, table)
}

// warmUp asks at half the rate, so that Neo4j has planned and compiled the statements, also of the run,
// and the program has read what it keeps of the graph.
func (b bench) warmUp(ctx context.Context, c client) error {
	samples, err := openLoop(ctx, max(1, b.rate/2), b.warm, func(i int) sample { return c.context(ctx, questionAt(i, b.entities)) })
	var took []time.Duration
	for _, s := range samples {
		took = append(took, s.took)
	}
	slices.Sort(took)
	progress(fmt.Sprintf("%d questions to warm up: p50 %.0f ms, slowest %.0f ms", len(took), ms(percentile(took, .5)), ms(percentile(took, 1))))
	return err
}

func progress(text string) { fmt.Fprintln(os.Stderr, time.Now().Format(time.TimeOnly), text) }
