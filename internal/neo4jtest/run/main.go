// Command run starts a temporary Neo4j, runs a command with its address in the
// environment, and stops the server again:
//
//	go run ./internal/neo4jtest/run -- go test ./...
//	go run ./internal/neo4jtest/run -heap 1024 -corpora 8 -- sleep infinity
//
// Without Java or Neo4j's jars the command runs anyway, and the tests that need a server
// are skipped.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/neorag/neorag/internal/localneo4j"
	"github.com/neorag/neorag/internal/neo4jtest"
)

func main() {
	heap := flag.Int("heap", 0, "heap of the server in MB")
	http := flag.Int("http-port", 0, "port of Neo4j Browser, 0 for none")
	corpora := flag.Int("corpora", 0, "corpora to create for tests to borrow")
	measured := flag.Bool("measured", false, "let the server compile as in production: for measurements")
	inMemory := flag.Bool("memory", false, "keep the server's data in memory if there is enough: for tests, not for measurements")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: run [-heap MB] [-http-port N] -- COMMAND ARGUMENT...")
		os.Exit(2)
	}
	parent := ""
	if *inMemory {
		parent = memory()
	}
	os.Exit(run(parent, localneo4j.Options{HeapMB: *heap, HTTPPort: *http, Measured: *measured}, *corpora, flag.Args()))
}

func run(parent string, o localneo4j.Options, corpora int, args []string) int {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	o.Progress = func(text string) { fmt.Fprintln(os.Stderr, text) }
	conn, stop, err := neo4jtest.Start(ctx, parent, o)
	if ctx.Err() != nil {
		return 130
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "no test server:", err)
		conn.URI, stop = neo4jtest.None, func() error { return nil }
	}
	code := commandAndCorpora(ctx, conn, corpora, args)
	if err := stop(); err != nil {
		fmt.Fprintln(os.Stderr, "stop test server:", err)
		code = max(code, 1)
	}
	return code
}

// commandAndCorpora runs the command and meanwhile creates the corpora that tests
// borrow: go test compiles for about as long.
func commandAndCorpora(ctx context.Context, conn neo4jtest.Conn, corpora int, args []string) int {
	if conn.URI == neo4jtest.None || corpora == 0 {
		return command(ctx, conn, args)
	}
	kept, err := neo4jtest.Promise(conn)
	if err != nil {
		fmt.Fprintln(os.Stderr, "no corpora to lend:", err)
		return command(ctx, conn, args)
	}
	lending, stop := context.WithCancel(ctx)
	var lent sync.WaitGroup
	lent.Go(func() {
		err := lend(lending, conn, corpora)
		if err := errors.Join(err, kept()); err != nil && lending.Err() == nil {
			fmt.Fprintln(os.Stderr, "tests create their corpora themselves:", err)
		}
	})
	code := command(ctx, conn, args)
	stop()
	lent.Wait()
	return code
}

// command runs the arguments with the connection in the environment and returns the
// exit code. When this program is interrupted, so is the command.
func command(ctx context.Context, conn neo4jtest.Conn, args []string) int {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = os.Environ()
	for _, v := range [][2]string{{neo4jtest.URIEnv, conn.URI}, {neo4jtest.UserEnv, conn.User}, {neo4jtest.PasswordEnv, conn.Password}, {neo4jtest.LentEnv, conn.Lent}} {
		cmd.Env = append(cmd.Env, v[0]+"="+v[1])
		fmt.Fprintf(os.Stderr, "export %s=%s\n", v[0], v[1])
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
