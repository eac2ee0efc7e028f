package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/sys/wait"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/internal/text/textproc"
)

// A lab has what the cases share: servers, and corpora without nodes.
type lab struct {
	conn     neo4jtest.Conn
	cases    string // folder of the given cases
	examples string // folder of the sample
	dir      string // of everything that is written
	model    *llmtest.Server
	subjects []*subject
	closers  []func() error
}

// A subject is a program with the servers and corpora for its cases.
type subject struct {
	*lab
	title, path string
	tales       string                 // the corpus of cases/operation/corpus, which cases only read
	free        map[string]chan string // corpora to take, by use
	answers     quirkServer            // its paths are the modes of cases/operation/quirk.py
	replies     quirkServer            // and of cases/models/quirk.py, with the simulated model behind
}

// The uses of corpora: they differ in the vectors that they have. Their indexes are created
// in one step, because the server plans all statements again whenever indexes change.
const (
	hashed    = "hashed"    // vectors without an embedding model
	embedded  = "embedded"  // with a model of textproc.Dimension numbers
	artifacts = "artifacts" // hashed, with pairs and sentences
)

// counts are how many corpora a program gets for each use.
var counts = map[string]int{hashed: 7, embedded: 2, artifacts: 1}

func newLab(ctx context.Context, o options) (l *lab, err error) {
	conn := neo4jtest.Conn{URI: os.Getenv(neo4jtest.URIEnv), User: os.Getenv(neo4jtest.UserEnv), Password: os.Getenv(neo4jtest.PasswordEnv)}
	if conn.URI == "" || conn.URI == neo4jtest.None {
		return nil, errors.New("no Neo4j: run `make operation`")
	}
	l = &lab{conn: conn}
	defer func() {
		if err != nil {
			err = errors.Join(err, l.close())
		}
	}()
	if l.cases, err = filepath.Abs(filepath.Join(o.data, "cases")); err != nil {
		return l, err
	}
	if _, err := os.Stat(filepath.Join(l.cases, "operation", "corpus")); err != nil {
		return l, fmt.Errorf("find the given cases: %w: set NEORAG_DATA or -data", err)
	}
	if l.examples, err = filepath.Abs(filepath.Join("examples", "christmas-carol")); err != nil {
		return l, err
	}
	if l.dir, err = os.MkdirTemp("", "neorag-operation"); err != nil {
		return l, err
	}
	l.closers = append(l.closers, func() error { return os.RemoveAll(l.dir) })
	l.model = llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Dimension: textproc.Dimension}) //nolint:contextcheck // the server runs until it is closed
	l.closers = append(l.closers, func() error { l.model.Close(); return nil })
	for name, path := range map[string]string{"program": o.program, "before": o.base} {
		if path != "" {
			if err := l.add(ctx, name, path); err != nil {
				return l, err
			}
		}
	}
	if len(l.subjects) == 2 && l.subjects[0].title == "before" {
		l.subjects[0], l.subjects[1] = l.subjects[1], l.subjects[0]
	}
	return l, l.createCorpora(ctx)
}

// add adds a program with its model servers.
func (l *lab) add(ctx context.Context, name, path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("find program: %w: run `make build`", err)
	}
	s := &subject{lab: l, title: name, path: path, free: map[string]chan string{}}
	l.subjects = append(l.subjects, s)
	if !installed(python) {
		return nil // the cases that need it are skipped
	}
	if s.answers, err = l.startQuirks(ctx, name+"-answers", "operation", func(log string) []string { return []string{log} }); err != nil {
		return err
	}
	s.replies, err = l.startQuirks(ctx, name+"-replies", "models", func(string) []string { return []string{strings.TrimSuffix(l.model.URL(), "/v1")} })
	return err
}

// createCorpora creates the corpora, and indexes those that cases only read.
func (l *lab) createCorpora(ctx context.Context) (err error) {
	store, err := neo4jstore.Open(ctx, neo4jstore.Config{URI: l.conn.URI, Username: l.conn.User, Password: l.conn.Password})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close(context.WithoutCancel(ctx))) }()
	if err := store.EnsureSchema(ctx); err != nil {
		return err
	}
	offline := []graph.Kind{graph.KindChunk, graph.KindReport}
	vectors := map[string]neo4jstore.Vectors{
		hashed: {Dimension: textproc.Dimension, Kinds: offline}, embedded: {Dimension: textproc.Dimension},
		artifacts: {Dimension: textproc.Dimension, Kinds: offline, Artifacts: []neo4jstore.Artifact{neo4jstore.ArtifactQueries, neo4jstore.ArtifactSentences}},
	}
	created := map[string]neo4jstore.Vectors{}
	for _, s := range l.subjects {
		for use, n := range counts {
			s.free[use] = make(chan string, n)
			for range n {
				corpus := neo4jtest.Name()
				created[corpus] = vectors[use]
				s.free[use] <- corpus
			}
		}
	}
	if err := store.CreateIndexes(ctx, created); err != nil {
		return err
	}
	for _, s := range l.subjects {
		if err := s.indexTales(ctx); err != nil {
			return err
		}
	}
	return nil
}

// indexTales indexes the corpus that cases only read.
func (s *subject) indexTales(ctx context.Context) error {
	t, err := s.newTrial()
	if err != nil {
		return err
	}
	s.tales = <-s.free[hashed]
	if o := t.run(ctx, command{args: []string{"index", "--offline", "--quiet", "--corpus", s.tales, filepath.Join(s.cases, "operation", "corpus")}, limit: 5 * time.Minute}); o.code != 0 {
		return fmt.Errorf("index the documents of the cases: %s: %w", o.brief(), t.err)
	}
	return nil
}

func (l *lab) close() error {
	var errs []error
	for _, closer := range slices.Backward(l.closers) {
		errs = append(errs, closer())
	}
	return errors.Join(errs...)
}

const python = "python3"

// installed reports whether a program is on the path.
func installed(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

// A quirkServer is one of the given servers that answer as no server should, by the first
// part of the path.
type quirkServer struct{ url, log string }

// startQuirks starts the given server of a folder of cases.
func (l *lab) startQuirks(ctx context.Context, name, folder string, arguments func(log string) []string) (quirkServer, error) {
	port, err := freePort(ctx)
	if err != nil {
		return quirkServer{}, err
	}
	q := quirkServer{url: "http://127.0.0.1:" + port, log: filepath.Join(l.dir, name+".log")}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), python, append([]string{filepath.Join(l.cases, folder, "quirk.py"), port}, arguments(q.log)...)...)
	cmd.Env = append(os.Environ(), "QUIRK_LOG="+q.log)
	if err := cmd.Start(); err != nil {
		return q, fmt.Errorf("start %s: %w", cmd.Args[1], err)
	}
	l.closers = append(l.closers, func() error {
		err := cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
		return err
	})
	for range 200 {
		var d net.Dialer
		if conn, err := d.DialContext(ctx, "tcp", "127.0.0.1:"+port); err == nil {
			return q, conn.Close()
		}
		if err := wait.For(ctx, 50*time.Millisecond); err != nil {
			return q, err
		}
	}
	return q, fmt.Errorf("start %s: it does not listen", cmd.Args[1])
}

func freePort(ctx context.Context) (string, error) {
	var c net.ListenConfig
	l, err := c.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port, l.Close()
}

// base returns the base URL of a mode.
func (q quirkServer) base(mode string) string { return q.url + "/" + mode + "/v1" }

// requests returns how many requests a mode of the server got.
func (q quirkServer) requests(mode string) int {
	b, _ := os.ReadFile(q.log) // no file means none
	return strings.Count(string(b), `"/`+mode+`/v1/`) + strings.Count(string(b), `"q": "`+mode+`"`)
}
