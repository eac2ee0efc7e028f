//go:build unix

package cli_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/store/localneo4j"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// A program is neorag with an environment and a corpus.
type program struct {
	t      *testing.T
	conn   neo4jtest.Conn
	corpus string
	env    map[string]string
	dir    string // working directory; "" means that of the tests
}

// newProgram returns neorag on a server, with its own corpus for an index without an
// embedding model.
func newProgram(t *testing.T, conn neo4jtest.Conn) *program {
	t.Helper()
	return programFor(t, conn, "index")
}

// programFor is newProgram for another use of the corpus, which decides what indexes it has.
func programFor(t *testing.T, conn neo4jtest.Conn, use string) *program {
	t.Helper()
	corpus := neo4jtest.Corpus(t)
	if conn == neo4jtest.Server(t) {
		corpus = neo4jtest.Borrow(t, use)
	}
	return programOn(t, conn, corpus)
}

// programOn returns neorag on a server, with a corpus.
func programOn(t *testing.T, conn neo4jtest.Conn, corpus string) *program {
	t.Helper()
	p := &program{t: t, conn: conn, corpus: corpus, env: map[string]string{
		"NEO4J_URI": conn.URI, "NEO4J_USERNAME": conn.User, "NEO4J_PASSWORD": conn.Password,
		"NEORAG_HOME": t.TempDir(), "PATH": os.Getenv("PATH"), "HOME": os.Getenv("HOME"), "TMPDIR": os.TempDir(),
	}}
	p.env["NEORAG_CORPUS"] = p.corpus
	return p
}

// move connects the program to a server that was started again.
func (p *program) move(_ localneo4j.Server, conn neo4jtest.Conn) {
	p.conn, p.env["NEO4J_URI"] = conn, conn.URI
}

func (p *program) open() (*neo4jstore.Store, error) {
	return neo4jstore.Open(context.Background(), neo4jstore.Config{URI: p.conn.URI, Username: p.conn.User, Password: p.conn.Password})
}

// A process is a run of the program, which may not have ended yet.
type process struct {
	t              *testing.T
	cmd            *exec.Cmd
	stdout, stderr output
	begin          time.Time
}

// An outcome is the result of a process.
type outcome struct {
	stdout, stderr string
	code           int // -1 when a signal ended it
	signal         syscall.Signal
	took           time.Duration
}

// An output collects what a process writes; it can be read concurrently.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// start begins a run, which is killed if the test ends first.
func (p *program) start(args ...string) *process {
	p.t.Helper()
	return p.startTo(nil, args...)
}

// startTo begins a run with a file as stdout; nil collects it.
func (p *program) startTo(stdout *os.File, args ...string) *process {
	p.t.Helper()
	return p.startFiles(nil, stdout, args...)
}

// startWith begins a run with a file as stdin.
func (p *program) startWith(stdin *os.File, args ...string) *process {
	p.t.Helper()
	return p.startFiles(stdin, nil, args...)
}

func (p *program) startFiles(stdin, stdout *os.File, args ...string) *process {
	p.t.Helper()
	r := &process{t: p.t, cmd: exec.CommandContext(p.t.Context(), "neorag", args...)}
	for _, name := range slices.Sorted(maps.Keys(p.env)) {
		r.cmd.Env = append(r.cmd.Env, name+"="+p.env[name])
	}
	r.cmd.Dir, r.cmd.Stdout, r.cmd.Stderr = p.dir, &r.stdout, &r.stderr
	if stdout != nil {
		r.cmd.Stdout = stdout
	}
	if stdin != nil {
		r.cmd.Stdin = stdin
	}
	r.begin = time.Now()
	if err := r.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		if r.cmd.ProcessState == nil {
			_ = r.cmd.Process.Kill()
			_ = r.cmd.Wait()
		}
	})
	return r
}

// wait waits for the end of the process, at most some minutes.
func (r *process) wait() outcome {
	r.t.Helper()
	timer := time.AfterFunc(4*time.Minute, func() {
		_ = r.cmd.Process.Signal(syscall.SIGQUIT) // prints the stacks
	})
	defer timer.Stop()
	err := r.cmd.Wait()
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		r.t.Fatal(err)
	}
	o := outcome{stdout: r.stdout.String(), stderr: r.stderr.String(), code: r.cmd.ProcessState.ExitCode(), took: time.Since(r.begin)}
	if status, ok := r.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		o.signal = status.Signal()
	}
	return o
}

func (r *process) signal(s syscall.Signal) {
	r.t.Helper()
	if err := r.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		r.t.Fatal(err)
	}
}

// waitFor waits until the process has written a text to stderr.
func (r *process) waitFor(text string) {
	r.t.Helper()
	written := func() bool { return strings.Contains(r.stderr.String(), text) }
	if !waitUntil(r.t, written, r.stderr.String) {
		r.t.Fatalf("the process did not write %q", text)
	}
}

// stageEnded returns the text on stderr at the end of a stage that had work.
func stageEnded(name string) string { return "msg=progress stage=" + name + " " }

// run runs the program until it ends.
func (p *program) run(args ...string) outcome {
	p.t.Helper()
	return p.start(args...).wait()
}

// ok runs the program, which must succeed.
func (p *program) ok(args ...string) outcome {
	p.t.Helper()
	o := p.run(args...)
	if o.code != 0 {
		p.t.Fatalf("neorag %s: exit %d\n%s", strings.Join(args, " "), o.code, o.stderr)
	}
	return o
}

// dump returns the canonical export of the corpus.
func (p *program) dump() string {
	p.t.Helper()
	d := p.ok("export").stdout
	if strings.Count(d, "\n") < 20 {
		p.t.Fatalf("a dump of %d bytes", len(d))
	}
	return d
}

// checkFailure checks that a run failed with one line and a hint, without internals
// of the program, and returns both lines.
func checkFailure(t *testing.T, o outcome, code int) string {
	t.Helper()
	if o.code != code {
		t.Errorf("exit %d (%v), want %d:\n%s", o.code, o.signal, code, o.stderr)
	}
	var message []string // without progress and notes, which are log lines
	for line := range strings.Lines(o.stderr) {
		if !strings.HasPrefix(line, "time=") {
			message = append(message, line)
		}
	}
	if len(message) == 0 || len(message) > 2 || !strings.HasPrefix(message[0], "neorag: ") || len(message) == 2 && !strings.HasPrefix(message[1], "  ") {
		t.Errorf("stderr is not one line and a hint:\n%s", o.stderr)
	}
	for _, internal := range []string{"goroutine ", "panic", ".go:", "%!"} {
		if strings.Contains(o.stderr, internal) {
			t.Errorf("stderr shows %q:\n%s", internal, o.stderr)
		}
	}
	if o.stdout != "" {
		t.Errorf("a failure prints to stdout: %q", o.stdout)
	}
	return strings.Join(message, "")
}

// checkSameDump compares two exports and shows some of the differences.
func checkSameDump(t *testing.T, want, got string) {
	t.Helper()
	if want == got {
		return
	}
	diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n"))
	t.Errorf("exports differ (-want +got):\n%.6000s", diff)
}

// lastStave returns a folder with the last part of the sample: enough for every
// stage to have work, and small enough to be indexed a dozen times.
func lastStave(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "examples", "christmas-carol", "stave-5.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return folder(t, "tale", map[string]string{"stave-5.txt": string(text)})
}

// letters returns a folder with two small documents.
func letters(t *testing.T) string {
	t.Helper()
	return folder(t, "letters", map[string]string{
		"first.txt": "Clara Hale opened the Harbour Museum in Port Ellen in 1921. Tobias Reed kept the books of the Harbour Museum. " +
			"Clara Hale met Tobias Reed in Glasgow. Tobias Reed said that Clara Hale trusted him with the keys.\n",
		"second.txt": "Mary Quill came to Port Ellen in 1934. Mary Quill asked Tobias Reed about the fire at the Harbour Museum. " +
			"Tobias Reed told Mary Quill about Victor Lang. Victor Lang owned the Lang Company in Glasgow.\n",
	})
}

// folder writes files to a new folder of that name.
func folder(t *testing.T, name string, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.MkdirAll(dir, 0o750); err != nil {
		t.Fatal(err)
	}
	for file, text := range files {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
