package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/creack/pty"

	"github.com/neorag/neorag/internal/bench/proc"
	"github.com/neorag/neorag/internal/sys/wait"
)

// A command is a run of the program. The zero value of every field but args works.
type command struct {
	args     []string
	stdin    string
	env      []string      // more variables, or other values
	terminal bool          // all three streams are a terminal, where stdin is typed
	limit    time.Duration // after which it is killed, 30 seconds if 0
	maxMB    int           // of resident memory, above which it is killed, 4000 if 0
	during   func(ctx context.Context, p *os.Process)
}

// An outcome is how a run of the program ended.
type outcome struct {
	stdout, stderr string // of a terminal, stdout has both
	code           int    // -1 if a signal ended it
	stopped        string // why it was killed, "" if it ended without that
	took           time.Duration
	peakMB         float64
}

// run runs the program in the working directory of the trial.
func (t *trial) run(ctx context.Context, c command) outcome {
	limit := c.limit
	if limit == 0 {
		limit = 30 * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, t.path, c.args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = t.work, append(append([]string(nil), t.env...), c.env...), 3*time.Second
	begin := time.Now()
	var o outcome
	var err error
	if c.terminal {
		o, err = onTerminal(ctx, cmd, c)
	} else {
		o, err = piped(ctx, cmd, c)
	}
	o.took = time.Since(begin)
	if cmd.ProcessState == nil {
		t.fail(fmt.Errorf("run %s: %w", strings.Join(c.args, " "), err))
		return outcome{code: -1}
	}
	o.code = cmd.ProcessState.ExitCode()
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		unit := 1024. // kilobytes, except on macOS
		if runtime.GOOS == "darwin" {
			unit = 1
		}
		o.peakMB = float64(u.Maxrss) * unit / 1e6
	}
	if o.stopped == "" && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		o.stopped = fmt.Sprintf("still running after %.0f s", limit.Seconds())
	}
	return o
}

func piped(ctx context.Context, cmd *exec.Cmd, c command) (outcome, error) {
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(c.stdin), &stdout, &stderr
	if err := cmd.Start(); err != nil {
		return outcome{}, err
	}
	stopped := watched(ctx, cmd.Process, c, cmd.Wait)
	return outcome{stdout: stdout.String(), stderr: stderr.String(), stopped: stopped}, nil
}

var escapes = regexp.MustCompile(`\x1b\[[0-9;?]*[a-zA-Z]`)

func onTerminal(ctx context.Context, cmd *exec.Cmd, c command) (outcome, error) {
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 50, Cols: 220})
	if err != nil {
		return outcome{}, err
	}
	defer func() { _ = f.Close() }()
	if _, err := io.WriteString(f, c.stdin); err != nil {
		return outcome{}, errors.Join(err, cmd.Process.Kill(), cmd.Wait())
	}
	var out bytes.Buffer
	stopped := watched(ctx, cmd.Process, c, func() error {
		_, rerr := io.Copy(&out, f) // ends with EIO when the program has ended
		if err := cmd.Wait(); err != nil {
			return err
		}
		return rerr
	})
	return outcome{stdout: onScreen(out.String()), stopped: stopped}, nil
}

// onScreen returns what remains on the screen: progress is overwritten in its line.
func onScreen(text string) string {
	var out strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(escapes.ReplaceAllString(text, ""), "\r\n", "\n")) {
		out.WriteString(line[strings.LastIndexByte(line, '\r')+1:])
	}
	return out.String()
}

// watched waits for a process, and meanwhile kills it if it takes more memory than it may, and
// calls what the command does during the run. It returns why the process was killed.
func watched(ctx context.Context, p *os.Process, c command, end func() error) (stopped string) {
	watching, cancel := context.WithCancel(ctx)
	ended, memory := make(chan struct{}), make(chan string, 1)
	go func() { memory <- limitMemory(watching, p, c.maxMB) }()
	go func() {
		defer close(ended)
		if c.during != nil {
			c.during(watching, p)
		}
	}()
	_ = end() // the exit code is read later
	cancel()
	<-ended
	return <-memory
}

// limitMemory kills a process that has more resident memory than it may, where /proc exists.
func limitMemory(ctx context.Context, p *os.Process, maxMB int) (stopped string) {
	if maxMB == 0 {
		maxMB = 4000
	}
	for wait.For(ctx, 50*time.Millisecond) == nil {
		if mb := int(proc.ResidentMB(p.Pid)); mb > maxMB {
			_ = p.Kill()
			return fmt.Sprintf("stopped at %d MB", mb)
		}
	}
	return ""
}

// text is all that a program printed.
func (o outcome) text() string { return o.stdout + "\n" + o.stderr }

// says reports whether the output contains one of the words, in any case.
func (o outcome) says(words ...string) bool {
	text := strings.ToLower(o.text())
	for _, w := range words {
		if strings.Contains(text, strings.ToLower(w)) {
			return true
		}
	}
	return false
}

// brief returns the exit code and the first message.
func (o outcome) brief() string {
	message := o.stderr
	if strings.TrimSpace(message) == "" {
		message = o.stdout
	}
	code := fmt.Sprintf("exit %d", o.code)
	if o.stopped != "" {
		code = o.stopped
	}
	if i := strings.Index(message, "neorag: "); i >= 0 {
		message = message[i+len("neorag: "):]
	}
	return strings.TrimSpace(code + ": " + cut(message, 130))
}

// cut returns the start of a text as one line of at most a number of characters.
func cut(text string, most int) string {
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) > most {
		return string(line[:most]) + "…"
	}
	return string(line)
}
