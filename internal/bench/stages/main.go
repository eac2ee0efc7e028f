// Command stages prints the time and memory of the stages after extraction on generated
// graphs, so that their growth shows: it starts a server with the memory that `neorag up`
// gives it, writes a graph of each size without communities, and indexes it without a
// model; then once more with another seed of the clustering, which replaces all
// communities and sweeps the previous ones.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/leiden"
	"github.com/neorag/neorag/internal/stage/community"
	"github.com/neorag/neorag/internal/store/localneo4j"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/biggraph"
)

func main() { os.Exit(mainCode()) }

// mainCode runs the benchmark and returns the exit code.
func mainCode() int {
	sizes := flag.String("entities", "10000,100000", "`NUMBERS` of entities, separated by commas; there are three relationships for each")
	dir := flag.String("dir", "", "`FOLDER` for the data of the server and the documents, which are removed (default: the system's for temporary files)")
	limit := flag.Duration("time-limit", 0, "time limit of the server's transactions; 0 for the default")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Stdout, *sizes, *dir, *limit); err != nil {
		fmt.Fprintln(os.Stderr, "stages:", err)
		return 1
	}
	return 0
}

func run(ctx context.Context, w io.Writer, sizes, dir string, limit time.Duration) error {
	var all []figures
	for text := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("number of entities %q: %w", text, err)
		}
		f, err := measure(ctx, n, dir, limit)
		if err != nil {
			return fmt.Errorf("measure %d entities: %w", n, err)
		}
		all = append(all, f)
		if err := printTable(w, all); err != nil {
			return err
		}
	}
	return nil
}

// figures describe one graph.
type figures struct {
	entities int
	server   localneo4j.Server
	counts   neo4jstore.Counts
	members  int // of all communities: what reports are written from
	stages   []figure
}

// A figure is what a stage took.
type figure struct {
	name         string
	seconds      float64
	cpu          float64 // seconds of the processors, of both processes
	goCPU        float64 // of this process
	goMB, javaMB float64 // peaks of the resident memory of both processes
}

const corpus = "bench_stages"

// measure starts a server and measures the stages on a graph.
func measure(ctx context.Context, entities int, parent string, limit time.Duration) (f figures, err error) {
	dir, err := os.MkdirTemp(parent, "neorag-bench-stages")
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	local := localneo4j.Options{Data: filepath.Join(dir, "neo4j"), Mode: localneo4j.Java, HTTPPort: localneo4j.NoHTTP, Progress: progress}
	f.entities = entities
	if f.server, _, err = localneo4j.Up(ctx, local); err != nil {
		return f, err
	}
	defer func() {
		_, downErr := localneo4j.Down(context.WithoutCancel(ctx), local)
		err = errors.Join(err, downErr)
	}()
	password, err := localneo4j.Password(f.server)
	if err != nil {
		return f, err
	}
	store, err := neo4jstore.Open(ctx, neo4jstore.Config{URI: f.server.URI, Username: f.server.User, Password: password})
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, store.Close(context.WithoutCancel(ctx))) }()
	docs := filepath.Join(dir, "docs")
	m := meter{store: store, docs: docs, server: f.server.PID, limit: limit}
	if err := m.generate(ctx, entities); err != nil {
		return f, err
	}
	if f.stages, err = m.measure(ctx); err != nil {
		return f, err
	}
	if f.counts, err = store.Counts(ctx, corpus); err != nil {
		return f, err
	}
	f.members, err = countMembers(ctx, store)
	return f, err
}

// countMembers returns the number of members of all visible communities.
func countMembers(ctx context.Context, store *neo4jstore.Store) (n int, err error) {
	c, err := store.Corpus(ctx, corpus)
	if err != nil {
		return 0, err
	}
	all, err := store.Communities(ctx, corpus, c.Generation, true)
	for _, k := range all {
		n += len(k.Members)
	}
	return n, err
}

// A meter indexes a generated graph.
type meter struct {
	store  *neo4jstore.Store
	docs   string
	server int // process
	limit  time.Duration
}

// generate makes the corpus with its settings and indexes by indexing one document, and
// then writes the graph.
func (m meter) generate(ctx context.Context, entities int) error {
	if err := os.Mkdir(m.docs, 0o750); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(m.docs, "seed.txt"), []byte("Anna Berg met Carl Dorn in Rome.\n"), 0o600); err != nil {
		return err
	}
	if _, err := m.index(ctx, 0, nil); err != nil {
		return err
	}
	seed, err := m.store.Documents(ctx, corpus)
	if err != nil {
		return err
	}
	if len(seed) != 1 {
		return fmt.Errorf("%d documents after the first run", len(seed))
	}
	start := time.Now()
	o := biggraph.Options{Folder: m.docs, Source: seed[0].SourceFP, Chunk: seed[0].ChunkFP, WithoutCommunities: true}
	if err := biggraph.Write(ctx, m.store, corpus, biggraph.Sizes{Entities: entities}, o, progress); err != nil {
		return err
	}
	progress(fmt.Sprintf("written in %.0f s", time.Since(start).Seconds()))
	debug.FreeOSMemory()
	return nil
}

// index runs all stages.
func (m meter) index(ctx context.Context, seed uint64, watch func(index.Progress)) (index.Result, error) {
	limits := index.TimeLimits{}
	for _, stage := range index.Stages {
		limits[stage] = m.limit
	}
	x, err := index.New(m.store, index.Options{
		Corpus: corpus, Community: community.Options{Leiden: leiden.Options{Seed: seed}}, TimeLimits: limits, Progress: watch,
	})
	if err != nil {
		return index.Result{}, err
	}
	r, err := x.Run(ctx, []string{m.docs})
	if err == nil && r.Exit != 0 {
		err = fmt.Errorf("the run ended with exit code %d: %v", r.Exit, r.Failures)
	}
	return r, err
}

// measure indexes twice, and reads the contexts of all reports in between.
func (m meter) measure(ctx context.Context) ([]figure, error) {
	var all []figure
	add := func(name string, fn func() error) error {
		f, err := m.peak(name, fn)
		all = append(all, f)
		return err
	}
	for i, pass := range []string{"first run", "second run"} {
		var stages []figure
		sampler := startSampler(m.server)
		r, err := m.index(ctx, uint64(i), func(p index.Progress) { //nolint:gosec // 0 or 1
			if p.Ended {
				stages = append(stages, sampler.take(pass+": "+p.Stage, p.Elapsed))
			}
		})
		sampler.stop()
		if err != nil {
			return nil, err
		}
		for _, s := range stages {
			if s.seconds >= .05 {
				all = append(all, s)
			}
		}
		progress(fmt.Sprintf("%s: %.0f s, %d reports written, %d kept", pass, r.Seconds, r.Reports.Rewritten, r.Reports.Kept))
		if i > 0 {
			break
		}
		if err := add("report contexts", func() error { return m.readContexts(ctx) }); err != nil {
			return nil, err
		}
		if err := add("adjacency", func() error {
			_, err := m.store.Adjacency(ctx, corpus, "count")
			return err
		}); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// readContexts reads the contexts of the reports of all communities, in the order of a run.
func (m meter) readContexts(ctx context.Context) error {
	c, err := m.store.Corpus(ctx, corpus)
	if err != nil {
		return err
	}
	communities, err := m.store.Communities(ctx, corpus, c.Generation, false)
	if err != nil {
		return err
	}
	root := make(map[string]int, len(communities)) // its place
	for i, k := range communities {
		root[k.Key] = i
		if up, ok := root[k.Parent]; ok {
			root[k.Key] = up
		}
	}
	slices.SortFunc(communities, func(a, b graph.Community) int {
		return cmp.Or(cmp.Compare(root[a.Key], root[b.Key]), cmp.Compare(b.Level, a.Level), cmp.Compare(a.Key, b.Key))
	})
	reader := m.store.ReportReader(corpus, c.Generation).WithSections(func(graph.Community) bool { return true })
	for page := range slices.Chunk(communities, 64) { // as in a run
		for _, err := range reader.Contexts(ctx, page) {
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// peak measures a function.
func (m meter) peak(name string, fn func() error) (figure, error) {
	sampler := startSampler(m.server)
	start := time.Now()
	err := fn()
	f := sampler.take(name, time.Since(start))
	sampler.stop()
	return f, err
}

func progress(text string) { fmt.Fprintln(os.Stderr, time.Now().Format(time.TimeOnly), text) }
