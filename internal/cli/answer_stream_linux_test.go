package cli_test

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/cli"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/prompts"
)

// A watcher reads a terminal and closes seen when it shows a word.
type watcher struct {
	mu   sync.Mutex
	text strings.Builder
	word string
	seen chan struct{}
	done chan struct{} // closed after the other side
}

func watch(terminal io.Reader, word string) *watcher {
	w := &watcher{word: word, seen: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(w.done)
		for once, b := false, make([]byte, 1024); ; {
			n, err := terminal.Read(b)
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

// TestAnswerStreams checks that a terminal shows the answer of a model while it is
// written. With --json, and in a pipe, it is printed once, when it is complete.
func TestAnswerStreams(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	p.ok("index", "--offline", letters(t))
	var half func(context.Context)
	server := llmtest.New(llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		if fakemodel.Task(r) != prompts.Answer {
			return llmtest.Reply{Status: 400, Message: "unexpected"}
		}
		return llmtest.Reply{Text: "Firstly it is told of a harbour [Data: Sources (1)].\n\nAnd at last of its end, which is the other half of this answer [Data: Sources (1, 99)].", Half: half}
	}})
	t.Cleanup(server.Close)
	args := []string{"query", question, "--method", "basic", "--base-url", server.URL(), "--model", "simulated", "--quiet"}
	p.env["NEORAG_CACHE"] = t.TempDir()

	person, tty := openTerminal(t, 80)
	t.Cleanup(func() { _ = person.Close() })
	screen := watch(person, "Firstly it is")
	late := false
	half = func(context.Context) {
		select {
		case <-screen.seen:
		case <-time.After(2 * time.Minute):
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
		t.Errorf("exit %d; the first words are shown too late: %v\n%s", code, late, screen)
	}
	if shown := strings.NewReplacer("\x1b[2m", "", "\x1b[0m", "").Replace(screen.String()); strings.Count(shown, "Firstly it is") != 1 || strings.Contains(shown, "Data:") || !strings.Contains(shown, "harbour [1].") {
		t.Errorf("the terminal shows:\n%s", shown)
	}

	half, p.env["NEORAG_CACHE"] = nil, t.TempDir()
	_, out, _ := command(t, p.env, args...)
	if strings.Count(out, "Firstly it is") != 1 || !strings.Contains(out, "References") {
		t.Errorf("a pipe gets:\n%s", out)
	}
	person, tty = openTerminal(t, 80)
	t.Cleanup(func() { _ = person.Close() })
	screen = watch(person, "\n}")
	if code := cli.Main(t.Context(), cli.Env{
		Args: append(append([]string{"neorag"}, args...), "--json"), Stdin: strings.NewReader(""), Stdout: tty, Stderr: io.Discard,
		Getenv: func(name string) string { return p.env[name] },
	}); code != 0 {
		t.Errorf("--json: exit %d", code)
	}
	select {
	case <-screen.seen:
	case <-time.After(2 * time.Minute):
	}
	var a query.Answer
	if err := json.Unmarshal([]byte(screen.String()), &a); err != nil || !strings.HasPrefix(a.Answer, "Firstly it is") {
		t.Errorf("--json on a terminal shows more than one JSON object: %v\n%s", err, screen)
	}
}
