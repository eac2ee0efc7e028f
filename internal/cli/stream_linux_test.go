package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/neorag/neorag/internal/cli"
	"github.com/neorag/neorag/internal/fakemodel"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/neo4jtest"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/prompts"
)

// terminalPair is a terminal as its user sees it, and as a program has it.
func terminalPair(t *testing.T) (user, program *os.File) {
	t.Helper()
	user, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = user.Close() })
	var number, locked uint32
	for request, value := range map[uintptr]*uint32{syscall.TIOCGPTN: &number, syscall.TIOCSPTLCK: &locked} {
		if _, _, code := syscall.Syscall(syscall.SYS_IOCTL, user.Fd(), request, uintptr(unsafe.Pointer(value))); code != 0 {
			t.Skip(code)
		}
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = program.Close() })
	return user, program
}

// A watcher reads a terminal and tells when it first shows a word.
type watcher struct {
	mu   sync.Mutex
	text strings.Builder
	word string
	seen chan struct{}
	done chan struct{} // closed when the other side is
}

func watch(user io.Reader, word string) *watcher {
	w := &watcher{word: word, seen: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(w.done)
		for once, b := false, make([]byte, 1024); ; {
			n, err := user.Read(b)
			w.mu.Lock()
			w.text.Write(b[:n])
			shown := strings.Contains(w.text.String(), w.word)
			w.mu.Unlock()
			if shown && !once {
				once = true
				close(w.seen)
			}
			if err != nil {
				return
			}
		}
	}()
	return w
}

func (w *watcher) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// TestAnswerStreams: on a terminal the answer of a model is read while it is
// written. With --json, and in a pipe, it comes whole and once.
func TestAnswerStreams(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	p.ok("index", "--offline", letters(t))
	var half func()
	server := llmtest.New(llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		if fakemodel.Task(r) != prompts.Answer {
			return llmtest.Reply{Status: 400, Message: "not asked for"}
		}
		return llmtest.Reply{Text: "Firstly it is told of a harbour [Data: Sources (1)].\n\nAnd at last of its end, which is the other half of this answer [Data: Sources (1, 99)].", Half: half}
	}})
	t.Cleanup(server.Close)
	args := []string{"query", question, "--method", "basic", "--base-url", server.URL(), "--model", "simulated", "--quiet"}
	p.env["NEORAG_CACHE"] = t.TempDir()

	user, tty := terminalPair(t)
	screen := watch(user, "Firstly it is")
	late := false
	half = func() {
		select {
		case <-screen.seen:
		case <-time.After(20 * time.Second):
			late = true
		}
	}
	code := cli.Main(t.Context(), cli.Env{
		Args: append([]string{"neorag"}, args...), Stdin: strings.NewReader(""), Stdout: tty, Stderr: io.Discard,
		Getenv: func(name string) string { return p.env[name] },
	})
	_ = tty.Close()
	<-screen.done
	if code != 0 || late {
		t.Errorf("exit %d; nothing is shown before the answer ends: %v\n%s", code, late, screen)
	}
	if shown := strings.NewReplacer("\x1b[2m", "", "\x1b[0m", "").Replace(screen.String()); strings.Count(shown, "Firstly it is") != 1 || strings.Contains(shown, "Data:") || !strings.Contains(shown, "harbour [1].") {
		t.Errorf("the terminal shows:\n%s", shown)
	}

	half, p.env["NEORAG_CACHE"] = nil, t.TempDir()
	_, out, _ := command(t, p.env, args...)
	if strings.Count(out, "Firstly it is") != 1 || !strings.Contains(out, "References") {
		t.Errorf("a pipe gets:\n%s", out)
	}
	user, tty = terminalPair(t)
	screen = watch(user, "\n}")
	if code := cli.Main(t.Context(), cli.Env{
		Args: append(append([]string{"neorag"}, args...), "--json"), Stdin: strings.NewReader(""), Stdout: tty, Stderr: io.Discard,
		Getenv: func(name string) string { return p.env[name] },
	}); code != 0 {
		t.Errorf("--json: exit %d", code)
	}
	select {
	case <-screen.seen:
	case <-time.After(20 * time.Second):
	}
	var a query.Answer
	if err := json.Unmarshal([]byte(screen.String()), &a); err != nil || !strings.HasPrefix(a.Answer, "Firstly it is") {
		t.Errorf("--json on a terminal shows more than one JSON object: %v\n%s", err, screen)
	}
}
