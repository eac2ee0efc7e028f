// Command savedqueries measures the saved queries on a large graph that it generates, of
// 100,000 entities and 300,000 relationships by default. It starts a local server, or
// uses the one that the environment of tests names, and fails if a query is too slow.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/store/localneo4j"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/store/neo4jstore/usercypher"
	"github.com/neorag/neorag/internal/testkit/biggraph"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

func main() {
	o := options{}
	flag.IntVar(&o.sizes.Entities, "entities", 100_000, "number of entities of the graph; the rest is in proportion")
	flag.IntVar(&o.heap, "heap", 1400, "heap of the server in MB")
	flag.IntVar(&o.repeats, "repeats", 5, "how often each query is measured, of which the median counts")
	flag.DurationVar(&o.most, "most", 500*time.Millisecond, "longest time allowed for a query")
	flag.StringVar(&o.corpus, "corpus", "bench_explore", "corpus to generate")
	flag.BoolVar(&o.keep, "keep", false, "use the existing graph if there is one, and keep it")
	flag.BoolVar(&o.json, "json", false, "print only JSON")
	flag.Parse()
	os.Exit(o.main())
}

// main runs the benchmark and returns the exit code.
func (o options) main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := o.run(ctx, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		return 1
	}
	return 0
}

type options struct {
	sizes         biggraph.Sizes
	heap, repeats int
	most          time.Duration
	corpus        string
	keep, json    bool
}

// A result is what the command prints with -json.
type result struct {
	Server    string            `json:"server"`
	Counts    neo4jstore.Counts `json:"counts"`
	MakeSecs  float64           `json:"make_seconds"` // 0 if the graph existed
	Queries   []measured        `json:"queries"`
	LimitMsec float64           `json:"limit_ms"`
}

// measured is the time of one query.
type measured struct {
	Name   string  `json:"name"`
	Rows   int     `json:"rows"`
	First  float64 `json:"first_ms"` // with planning
	Median float64 `json:"median_ms"`
	Worst  float64 `json:"worst_ms"`
}

func (o options) run(ctx context.Context, w io.Writer) (err error) {
	conn, stop, err := o.server(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	store, err := neo4jstore.Open(ctx, conn)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close(context.WithoutCancel(ctx))) }()
	r := result{Server: store.ServerInfo().Version, LimitMsec: msec(o.most)}
	if r.MakeSecs, err = o.graph(ctx, store); err != nil {
		return err
	}
	if r.Counts, err = store.Counts(ctx, o.corpus); err != nil {
		return err
	}
	queries, err := cypher.SavedQueries()
	if err != nil {
		return err
	}
	for _, q := range queries {
		m, err := o.measure(ctx, store, q)
		if err != nil {
			return fmt.Errorf("measure query %s: %w", q.Name, err)
		}
		r.Queries = append(r.Queries, m)
	}
	if !o.keep {
		if _, err := store.DropCorpus(ctx, o.corpus, ""); err != nil {
			return err
		}
	}
	return o.print(w, r)
}

// server returns the Neo4j at NEORAG_TEST_URI, or starts one in a temporary folder if
// that is not set. The returned function stops what it started.
func (o options) server(ctx context.Context) (neo4jstore.Config, func() error, error) {
	if uri := os.Getenv(neo4jtest.URIEnv); uri != "" {
		return neo4jstore.Config{URI: uri, Username: os.Getenv(neo4jtest.UserEnv), Password: os.Getenv(neo4jtest.PasswordEnv)}, func() error { return nil }, nil
	}
	dir, err := os.MkdirTemp("", "neorag-bench-explore")
	if err != nil {
		return neo4jstore.Config{}, nil, err
	}
	local := localneo4j.Options{Data: dir, HeapMB: o.heap, HTTPPort: localneo4j.NoHTTP, Progress: o.progress}
	server, _, err := localneo4j.Up(ctx, local)
	if err != nil {
		return neo4jstore.Config{}, nil, errors.Join(err, os.RemoveAll(dir))
	}
	stop := func() error {
		_, err := localneo4j.Down(context.WithoutCancel(ctx), local)
		return errors.Join(err, os.RemoveAll(dir))
	}
	password, err := localneo4j.Password(server)
	if err != nil {
		return neo4jstore.Config{}, nil, errors.Join(err, stop())
	}
	return neo4jstore.Config{URI: server.URI, Username: server.User, Password: password}, stop, nil
}

// graph generates the graph, unless it exists and is to be kept, and returns how long that
// took.
func (o options) graph(ctx context.Context, store *neo4jstore.Store) (seconds float64, err error) {
	_, err = store.Corpus(ctx, o.corpus)
	if err == nil && o.keep {
		return 0, nil
	}
	if err == nil {
		_, err = store.DropCorpus(ctx, o.corpus, "")
	}
	if err != nil && !errors.Is(err, neo4jstore.ErrNoCorpus) {
		return 0, err
	}
	start := time.Now()
	err = biggraph.Write(ctx, store, o.corpus, o.sizes, biggraph.Options{}, o.progress)
	return time.Since(start).Seconds(), err
}

func (options) progress(text string) { fmt.Fprintln(os.Stderr, text) }

// measure runs a query with its defaults and reads all its rows, several times.
func (o options) measure(ctx context.Context, store *neo4jstore.Store, q cypher.SavedQuery) (measured, error) {
	m := measured{Name: q.Name}
	defaults, err := store.SavedQueryDefaults(ctx, o.corpus, q)
	if err != nil {
		return m, err
	}
	params := defaults[0]
	params["corpus"] = o.corpus
	question := usercypher.Query{Text: q.ForCorpus(o.corpus), Params: params, Trusted: true}
	var times []float64
	for i := range o.repeats + 2 { // one to plan, one to warm up
		start := time.Now()
		table, err := store.RunReadOnly(ctx, question)
		if err != nil {
			return m, err
		}
		m.Rows = len(table.Rows)
		switch took := msec(time.Since(start)); i {
		case 0:
			m.First = took
		case 1:
		default:
			times = append(times, took)
		}
	}
	slices.Sort(times)
	m.Median, m.Worst = times[len(times)/2], times[len(times)-1]
	return m, nil
}

func msec(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func (o options) print(w io.Writer, r result) error {
	var slow []string
	for _, q := range r.Queries {
		if q.Median > r.LimitMsec {
			slow = append(slow, q.Name)
		}
	}
	var b strings.Builder
	if !o.json {
		fmt.Fprintf(&b, "Neo4j %s, %d entities, %d relationships, %d chunks, %d claims, %d communities; written in %.0f s\n\n",
			r.Server, r.Counts.Entities, r.Counts.Relationships, r.Counts.Chunks, r.Counts.Claims, r.Counts.Communities, r.MakeSecs)
		fmt.Fprintf(&b, "%-28s %6s %10s %10s %10s\n", "query", "rows", "first ms", "median ms", "worst ms")
		for _, q := range r.Queries {
			fmt.Fprintf(&b, "%-28s %6d %10.0f %10.0f %10.0f\n", q.Name, q.Rows, q.First, q.Median, q.Worst)
		}
		b.WriteByte('\n')
	}
	if err := json.NewEncoder(&b).Encode(r); err != nil {
		return err
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	if len(slow) > 0 {
		return fmt.Errorf("slower than %v: %s", o.most, strings.Join(slow, ", "))
	}
	return nil
}
