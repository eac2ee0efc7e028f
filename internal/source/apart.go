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
)

// A file of a packed format is read apart: in a process of its own, which may
// take so much memory and time and no more. Parsers build what a file tells
// them to, and some kilobytes can tell them to build gigabytes, or to call
// themselves until the stack is full, which ends a Go program for good. Guards
// in front of them name the usual tricks; no list of tricks is complete.
//
// The process is this program once more, under a name that no user gives it. It
// gets the file on standard input and no environment, and answers on standard
// output.
const (
	apartName   = "neorag: reading one file"
	apartMemory = 1 << 30        // bytes that a process may take
	apartAnswer = 4 * (64 << 20) // bytes that it may say
	apartTime   = 60 * time.Second
)

// apartPlaces bounds the processes at once, and so their memory together.
var apartPlaces = make(chan struct{}, min(4, runtime.NumCPU()))

// apartAsked is what the process is told, before the bytes of the file.
type apartAsked struct {
	Base   graph.Document
	Memory int64
}

// apartSaid is what it answers.
type apartSaid struct {
	Document graph.Document
	Failures []string
	Err      string
}

// readApart reads a file of one document in a process of its own.
func readApart(ctx context.Context, raw []byte, base graph.Document) (graph.Document, []Failure, error) {
	select {
	case apartPlaces <- struct{}{}:
		defer func() { <-apartPlaces }()
	case <-ctx.Done():
		return base, nil, context.Cause(ctx)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, apartTime, fmt.Errorf("it takes more than %v to read", apartTime))
	defer cancel()
	said, err := askApart(ctx, raw, apartAsked{base, apartMemory})
	if err == nil && said.Err != "" {
		err = errors.New(said.Err)
	}
	if err != nil {
		return base, nil, err
	}
	var failures []Failure
	for _, f := range said.Failures {
		failures = append(failures, Failure{URI: base.URI, Root: base.Root, Err: errors.New(f)})
	}
	return said.Document, failures, nil
}

// askApart starts the process and waits for its answer.
func askApart(ctx context.Context, raw []byte, asked apartAsked) (said apartSaid, err error) {
	var head bytes.Buffer
	if err := gob.NewEncoder(&head).Encode(asked); err != nil {
		return said, fmt.Errorf("tell its process what to read: %w", err)
	}
	program := "/proc/self/exe" // also where the file of the program was replaced since
	if runtime.GOOS != "linux" {
		if program, err = os.Executable(); err != nil {
			return said, fmt.Errorf("find this program, to read it in another process: %w", err)
		}
	}
	out, complaint := &bounded{left: apartAnswer}, &bounded{left: 64 << 10}
	cmd := exec.CommandContext(ctx, program)
	cmd.Args, cmd.Env = []string{apartName}, []string{}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = io.MultiReader(&head, bytes.NewReader(raw)), out, complaint
	cmd.WaitDelay = time.Second
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		return said, context.Cause(ctx)
	case err != nil:
		return said, apartError(err, complaint.String(), asked.Memory)
	}
	if err := gob.NewDecoder(out).Decode(&said); err != nil {
		return said, fmt.Errorf("read what its process says: %w", err)
	}
	return said, nil
}

// apartError says why a process gave no answer.
func apartError(err error, complaint string, memory int64) error {
	exit, started := errors.AsType[*exec.ExitError](err)
	switch {
	case !started:
		return fmt.Errorf("start the process that reads it: %w", err)
	case exit.ExitCode() == exitMemory, strings.Contains(complaint, "out of memory"), strings.Contains(complaint, "cannot allocate memory"):
		return fmt.Errorf("it takes more than %d MiB of memory to read: it is damaged, or made to fill the memory", memory>>20)
	case strings.Contains(complaint, "stack exceeds"):
		return errors.New("its parts are inside one another without end")
	default:
		return fmt.Errorf("the process that reads it ended (%w): %s", err, oneLine(complaint))
	}
}

// bounded is a buffer that fails when it is full.
type bounded struct {
	bytes.Buffer
	left int
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errors.New("it says too much")
	}
	return b.Buffer.Write(p)
}
