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
	"regexp"
	"runtime"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/pdftext"
	"github.com/neorag/neorag/internal/text"
)

// A sandboxRequest is a file for a child to read.
type sandboxRequest struct {
	Base   graph.Document
	Memory int64  // bytes
	Cache  string // folder of the compiled PDF parser, or ""
	Scans  bool   // pictures of pages without text are wanted
	Raw    []byte
}

// A sandboxResult is what the child writes.
type sandboxResult struct {
	Document graph.Document
	Failures []string
	Scans    []pdftext.Scan
	Err      string // empty where the file was read
	Last     bool   // the child ends, because it holds much memory
}

// A child is a process that reads files, one after the other.
type child struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stderr *limitedBuffer
	left   int64 // bytes of output that are allowed for the file that is read
	stdout io.Reader
	in     *gob.Encoder
	out    *gob.Decoder
}

// startChild starts a child. It lives longer than ctx.
func startChild(ctx context.Context) (*child, error) {
	program := "/proc/self/exe" // also when the executable was replaced since
	if runtime.GOOS != "linux" {
		var err error
		if program, err = os.Executable(); err != nil {
			return nil, fmt.Errorf("find this program, to start the parser process: %w", err)
		}
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), program)
	c := &child{cmd: cmd, stderr: &limitedBuffer{left: 64 << 10}}
	cmd.Args, cmd.Env, cmd.Stderr = []string{sandboxName}, []string{}, c.stderr
	var err error
	if c.stdin, err = cmd.StdinPipe(); err == nil {
		if c.stdout, err = cmd.StdoutPipe(); err == nil {
			err = cmd.Start()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("start the parser process: %w", err)
	}
	c.in, c.out = gob.NewEncoder(c.stdin), gob.NewDecoder(c)
	return c, nil
}

// Read reads the output of the child, as far as its length is allowed.
func (c *child) Read(p []byte) (int, error) {
	n, err := c.stdout.Read(p)
	if c.left -= int64(n); c.left < 0 {
		return 0, errors.New("parser output too large")
	}
	return n, err
}

// read has the child read a file.
func (c *child) read(request sandboxRequest) (result sandboxResult, err error) {
	c.left = sandboxOutput
	if err := c.in.Encode(request); err != nil {
		return result, err
	}
	err = c.out.Decode(&result)
	return result, err
}

// end ends the child and returns how it ended. A child that waits for the next file ends
// when its input does.
func (c *child) end() error {
	_ = c.stdin.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(c.stdout, sandboxOutput)) // Wait closes it
	return c.cmd.Wait()
}

// memoryFailure matches what a child prints that gets no memory, be it for its heap or for
// the stack of a new thread.
var memoryFailure = regexp.MustCompile("out of memory|cannot allocate memory|pthread_create failed|failed to create new OS thread")

// sandboxError returns the reason why a child gave no result, on one line.
func sandboxError(err error, stderr string, memory int64) error {
	exit, exited := errors.AsType[*exec.ExitError](err)
	switch {
	case exited && exit.ExitCode() == exitMemory, memoryFailure.MatchString(stderr):
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
