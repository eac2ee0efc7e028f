package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/pdftext"
)

// A file of a packed format is parsed in a sandbox: a child process with limited
// memory and time. A parser builds what a file describes: a few kilobytes can
// make a parser allocate gigabytes, or recurse until the stack overflows, which ends
// a Go program for good. The checks before them name the usual tricks; no list of
// tricks is complete.
//
// The child is this program again, started under a name that no user gives it. It
// gets files on standard input, an empty environment and a folder for the compiled PDF
// parser, and writes its results to standard output.
const (
	sandboxName   = "neorag: reading files"
	sandboxMemory = 1 << 30        // bytes that a child may use
	sandboxOutput = 4 * (64 << 20) // bytes that a child may write about a file
	sandboxTime   = 60 * time.Second
	scanTime      = 10 * time.Minute // with pictures of pages
)

// timeLimit returns how long a child may read a file.
func timeLimit(scans bool) time.Duration {
	if scans {
		return scanTime
	}
	return sandboxTime
}

// sandboxSlots bounds the concurrent children, and so the sum of their memory.
var sandboxSlots = make(chan struct{}, min(4, runtime.NumCPU()))

// A Sandbox keeps the children that are idle, so that the next file needs no new one. It is
// safe for concurrent use.
type Sandbox struct {
	cache  string // folder of the compiled PDF parser; with "" each child compiles it
	memory int64
	mu     sync.Mutex
	idle   []*child
}

// NewSandbox returns a sandbox without children. They keep the compiled PDF parser, which takes
// seconds to compile, in the cache of this user.
func NewSandbox() *Sandbox {
	s := &Sandbox{memory: sandboxMemory}
	if dir, err := os.UserCacheDir(); err == nil {
		s.cache = filepath.Join(dir, "neorag", "pdfium")
	}
	return s
}

// Close ends the children. No file may be in reading.
func (s *Sandbox) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.idle {
		_ = c.end() // it read all its files
	}
	s.idle = nil
}

// read reads a file of one document in a child process, and the pictures of its pages without text
// if they are wanted.
func (s *Sandbox) read(ctx context.Context, raw []byte, base graph.Document, scans bool) (graph.Document, []pdftext.Scan, []Failure, error) {
	select {
	case sandboxSlots <- struct{}{}:
		defer func() { <-sandboxSlots }()
	case <-ctx.Done():
		return base, nil, nil, context.Cause(ctx)
	}
	limit := timeLimit(scans)
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("parsing takes more than %v", limit))
	defer cancel()
	result, err := s.run(ctx, sandboxRequest{base, s.memory, s.cache, scans, raw})
	if err == nil && result.Err != "" {
		err = errors.New(result.Err)
	}
	if err != nil {
		return base, nil, nil, err
	}
	var failures []Failure
	for _, f := range result.Failures {
		failures = append(failures, Failure{URI: base.URI, Root: base.Root, Err: errors.New(f)})
	}
	return result.Document, result.Scans, failures, nil
}

// run has a child read a file. When ctx ends first, the child is killed and the error is the
// cause of ctx.
func (s *Sandbox) run(ctx context.Context, request sandboxRequest) (sandboxResult, error) {
	c, err := s.take(ctx)
	if err != nil {
		return sandboxResult{}, err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.cmd.Process.Kill() }) // it fails if the process has ended
	result, err := c.read(request)
	killed := !stop()
	if err == nil && !killed && !result.Last {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.idle = append(s.idle, c)
		return result, nil
	}
	exit := c.end()
	switch {
	case err == nil:
		return result, nil
	case killed:
		return sandboxResult{}, context.Cause(ctx)
	case exit != nil:
		return sandboxResult{}, sandboxError(exit, c.stderr.String(), request.Memory)
	default:
		return sandboxResult{}, fmt.Errorf("ask the parser process: %w", err)
	}
}

// take returns an idle child, or a new one.
func (s *Sandbox) take(ctx context.Context) (*child, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.idle); n > 0 {
		c := s.idle[n-1]
		s.idle = s.idle[:n-1]
		return c, nil
	}
	return startChild(ctx)
}
