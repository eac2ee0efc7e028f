package source

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text"
)

// A file of a packed format is parsed in a sandbox: a child process with limited
// memory and time. A parser builds what a file describes: a few kilobytes can
// make a parser allocate gigabytes, or recurse until the stack overflows, which ends
// a Go program for good. The checks before them name the usual tricks; no list of
// tricks is complete.
//
// The child is this program again, started under a name that no user gives it. It
// gets the file on standard input and an empty environment, and writes its result
// to standard output.
const (
	sandboxName   = "neorag: reading one file"
	sandboxMemory = 1 << 30        // bytes that a child may use
	sandboxOutput = 4 * (64 << 20) // bytes that a child may write
	sandboxTime   = 60 * time.Second
)

// sandboxSlots bounds the concurrent children, and so the sum of their memory.
var sandboxSlots = make(chan struct{}, min(4, runtime.NumCPU()))

// A sandboxRequest precedes the bytes of the file on the child's standard input.
type sandboxRequest struct {
	Base   graph.Document
	Memory int64 // bytes
}

// A sandboxResult is what the child writes.
type sandboxResult struct {
	Document graph.Document
	Failures []string
	Err      string // empty where the file was read
}

// readSandboxed reads a file of one document in a child process.
func readSandboxed(ctx context.Context, raw []byte, base graph.Document) (graph.Document, []Failure, error) {
	select {
	case sandboxSlots <- struct{}{}:
		defer func() { <-sandboxSlots }()
	case <-ctx.Done():
		return base, nil, context.Cause(ctx)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, sandboxTime, fmt.Errorf("parsing takes more than %v", sandboxTime))
	defer cancel()
	result, err := runChild(ctx, raw, sandboxRequest{base, sandboxMemory})
	if err == nil && result.Err != "" {
		err = errors.New(result.Err)
	}
	if err != nil {
		return base, nil, err
	}
	var failures []Failure
	for _, f := range result.Failures {
		failures = append(failures, Failure{URI: base.URI, Root: base.Root, Err: errors.New(f)})
	}
	return result.Document, failures, nil
}

// runChild starts a child and waits for its result. When ctx ends first, the
// child is killed and the error is the cause of ctx.
func runChild(ctx context.Context, raw []byte, request sandboxRequest) (result sandboxResult, err error) {
	var head bytes.Buffer
	if err := gob.NewEncoder(&head).Encode(request); err != nil {
		return result, fmt.Errorf("encode the request to the parser process: %w", err)
	}
	program := "/proc/self/exe" // also when the executable was replaced since
	if runtime.GOOS != "linux" {
		if program, err = os.Executable(); err != nil {
			return result, fmt.Errorf("find this program, to start the parser process: %w", err)
		}
	}
	stdout, stderr := &limitedBuffer{left: sandboxOutput}, &limitedBuffer{left: 64 << 10}
	cmd := exec.CommandContext(ctx, program)
	cmd.Args, cmd.Env = []string{sandboxName}, []string{}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = io.MultiReader(&head, bytes.NewReader(raw)), stdout, stderr
	cmd.WaitDelay = time.Second
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		return result, context.Cause(ctx)
	case err != nil:
		return result, sandboxError(err, stderr.String(), request.Memory)
	}
	if err := gob.NewDecoder(stdout).Decode(&result); err != nil {
		return result, fmt.Errorf("decode the result of the parser process: %w", err)
	}
	return result, nil
}

// sandboxError returns the reason why a child gave no result, on one line.
func sandboxError(err error, stderr string, memory int64) error {
	exit, started := errors.AsType[*exec.ExitError](err)
	switch {
	case !started:
		return fmt.Errorf("start the parser process: %w", err)
	case exit.ExitCode() == exitMemory, strings.Contains(stderr, "out of memory"), strings.Contains(stderr, "cannot allocate memory"):
		return fmt.Errorf("parsing takes more than %d MiB of memory: the file is damaged, or made to exhaust memory", memory>>20)
	case strings.Contains(stderr, "stack exceeds"):
		return errors.New("nesting too deep")
	default:
		return fmt.Errorf("parser process ended (%w): %s", err, text.FirstLine(strings.TrimSpace(stderr)))
	}
}

// A limitedBuffer is a buffer that fails when it is full.
type limitedBuffer struct {
	bytes.Buffer
	left int
}

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errors.New("parser output too large")
	}
	return b.Buffer.Write(p)
}
