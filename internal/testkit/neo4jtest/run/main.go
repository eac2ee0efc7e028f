// Command run starts a temporary Neo4j, runs a command with its address in the
// environment, and stops the server again:
//
//	go run ./internal/testkit/neo4jtest/run -- go test ./...
//	go run ./internal/testkit/neo4jtest/run -heap 1024 -corpora 8 -- sleep infinity
//
// Without Java or Neo4j's jars the command runs anyway, and the tests that need a server
// are skipped.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/neorag/neorag/internal/store/localneo4j"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

func main() {
	heap := flag.Int("heap", 0, "heap of the server in MB")
	http := flag.Int("http-port", 0, "port of Neo4j Browser, 0 for none")
	version := flag.String("neo4j-version", "", "version of Neo4j, one of those that neorag up starts; \"\" for the default")
	corpora := flag.Int("corpora", 0, "corpora to create for tests to borrow")
	measured := flag.Bool("measured", false, "let the server compile as in production: for measurements")
	inMemory := flag.Bool("memory", false, "keep the server's data in memory if there is enough: for tests, not for measurements")
	routing := flag.Bool("routing", false, "give the tests an address with neo4j://, as of a cluster")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: run [-heap MB] [-http-port N] -- COMMAND ARGUMENT...")
		os.Exit(2)
	}
	parent := ""
	if *inMemory {
		parent = memory()
	}
	scheme := "bolt://"
	if *routing {
		scheme = "neo4j://"
	}
	os.Exit(run(parent, scheme, localneo4j.Options{Version: *version, HeapMB: *heap, HTTPPort: *http, Measured: *measured}, *corpora, flag.Args()))
}

// start starts a server, whose address begins with scheme.
func start(ctx context.Context, parent, scheme string, o localneo4j.Options) (neo4jtest.Conn, func() error, error) {
	conn, stop, err := neo4jtest.Start(ctx, parent, o)
	conn.URI = scheme + strings.TrimPrefix(conn.URI, "bolt://")
	return conn, stop, err
}

func run(parent, scheme string, o localneo4j.Options, corpora int, args []string) int {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	o.Progress = func(text string) { fmt.Fprintln(os.Stderr, text) }
	var stops []func() error
	conn, stop, err := start(ctx, parent, scheme, o)
	if ctx.Err() != nil {
		return 130
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "no test server:", err)
		conn.URI, corpora = neo4jtest.None, 0
	} else {
		stops = append(stops, stop)
	}
	environment := conn.Environment(neo4jtest.Prefix)
	if os.Getenv(faulttest.SeedEnv) == "" { // one for all processes
		environment = append(environment, fmt.Sprintf("%s=%d", faulttest.SeedEnv, rand.Uint32()))
	}
	if corpora > 0 {
		o.HTTPPort = 0
		schema, stopSchema, err := start(ctx, parent, scheme, o)
		if err != nil {
			fmt.Fprintln(os.Stderr, "no server for tests that change indexes:", err)
		} else {
			environment = append(environment, schema.Environment(neo4jtest.SchemaPrefix)...)
			stops = append(stops, stopSchema)
		}
	}
	code := commandAndCorpora(ctx, conn, corpora, environment, args)
	for _, stop := range stops {
		if err := stop(); err != nil {
			fmt.Fprintln(os.Stderr, "stop test server:", err)
			code = max(code, 1)
		}
	}
	return code
}

// commandAndCorpora runs the command and meanwhile creates the corpora that tests
// borrow: go test compiles for about as long.
func commandAndCorpora(ctx context.Context, conn neo4jtest.Conn, corpora int, environment, args []string) int {
	if corpora == 0 {
		return command(ctx, environment, args)
	}
	kept, err := neo4jtest.Announce(conn)
	if err != nil {
		fmt.Fprintln(os.Stderr, "no corpora to lend:", err)
		return command(ctx, environment, args)
	}
	lending, stop := context.WithCancel(ctx)
	var lent sync.WaitGroup
	var names []string
	lent.Go(func() {
		var err error
		names, err = lend(lending, conn, corpora)
		if err := errors.Join(err, kept()); err != nil && lending.Err() == nil {
			fmt.Fprintln(os.Stderr, "tests create their corpora themselves:", err)
		}
	})
	code := command(ctx, environment, args)
	stop()
	lent.Wait()
	if more, err := created(ctx, conn, names); err != nil {
		fmt.Fprintln(os.Stderr, "list indexes:", err)
	} else if len(more) > 0 {
		fmt.Fprintf(os.Stderr, "tests created the indexes of these corpora, after which the server plans all statements again: %v\n", more)
	}
	return code
}

// command runs the arguments with the servers in the environment and returns the exit
// code. When this program is interrupted, so is the command.
func command(ctx context.Context, environment, args []string) int {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), environment...)
	for _, v := range environment {
		fmt.Fprintln(os.Stderr, "export", v)
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return 130
	case errors.As(err, &exit):
		return max(exit.ExitCode(), 1)
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
