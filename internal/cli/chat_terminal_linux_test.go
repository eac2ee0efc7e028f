package cli_test

import (
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/internal/ui/markdown"
	"github.com/neorag/neorag/prompts"
)

// A screen is a pseudo-terminal on which the program runs.
type screen struct {
	t      *testing.T
	keys   *os.File
	shown  *output
	cmd    *exec.Cmd
	seen   int // length of the output up to the last expected text
	change chan struct{}
}

// onScreen starts the program on a terminal of that width.
func (p *program) onScreen(width int, args ...string) *screen {
	p.t.Helper()
	keys, side := openTerminal(p.t, width)
	s := &screen{t: p.t, keys: keys, shown: &output{}, cmd: exec.CommandContext(p.t.Context(), "neorag", args...), change: make(chan struct{}, 1)}
	for _, name := range slices.Sorted(maps.Keys(p.env)) {
		s.cmd.Env = append(s.cmd.Env, name+"="+p.env[name])
	}
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = side, side, side
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	_ = side.Close()
	done := make(chan struct{})
	go s.watch(done)
	p.t.Cleanup(func() {
		if s.cmd.ProcessState == nil {
			_ = s.cmd.Process.Kill()
			_ = s.cmd.Wait()
		}
		_ = keys.Close()
		<-done
	})
	return s
}

// watch collects the output until the terminal closes.
func (s *screen) watch(done chan<- struct{}) {
	defer close(done)
	buffer := make([]byte, 4096)
	for {
		n, err := s.keys.Read(buffer)
		_, _ = s.shown.Write(buffer[:n])
		select {
		case s.change <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// expect waits for a text after the last expected one, and returns the output between
// them.
func (s *screen) expect(text string) string {
	s.t.Helper()
	deadline := time.After(2 * time.Minute)
	for {
		all := s.shown.String()
		if at := strings.Index(all[s.seen:], text); at >= 0 {
			between := all[s.seen : s.seen+at]
			s.seen += at + len(text)
			return between
		}
		select {
		case <-s.change:
		case <-deadline:
			s.t.Fatalf("%q is not shown; the last output is\n%s", text, all[max(0, len(all)-2000):])
		}
	}
}

func (s *screen) press(keys string) {
	s.t.Helper()
	if _, err := s.keys.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

var escapes = regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]`)

// TestChatOnTerminal uses a conversation as a person does: lines are edited and
// recalled, answers are styled, Ctrl-C stops an answer or clears a line, Ctrl-D exits.
func TestChatOnTerminal(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	p.ok("index", "--offline", "--quiet", letters(t))
	var slow atomic.Bool
	server := llmtest.New(llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		reply := fakemodel.Handler(r)
		if fakemodel.Task(r) == prompts.Answer {
			reply.Text = "## Found\n\n- **Bold** words " + reply.Text + "\x1b]0;title\a"
			if slow.Load() {
				reply.Delay = 10 * time.Minute
			}
		}
		return reply
	}})
	t.Cleanup(server.Close)
	p.env["NEORAG_API_KEY"], p.env["NEORAG_CACHE"], p.env["TERM"] = ownKey, t.TempDir(), "xterm"
	const width = 50
	s := p.onScreen(width, "query", "--chat", "--method", "basic", "--base-url", server.URL(), "--model", "simulated")
	s.expect("/help lists the commands")
	s.expect("> ")
	s.press("Who kept the bookz\x7fs of the Harbour Musum\x1b[D\x1b[De\x05?\r")
	s.expect("\x1b[1mFound\x1b[0m")
	answer := s.expect("References")
	if !strings.Contains(answer, "• \x1b[1mBold\x1b[0m words") || !strings.Contains(answer, "\x1b[2m[1]\x1b[0m") || strings.Contains(answer, "\x1b]0") || strings.Contains(answer, "**") {
		t.Errorf("the answer is shown as %q", answer)
	}
	for line := range strings.Lines(answer) {
		if line = strings.Trim(escapes.ReplaceAllString(line, ""), "\r\n"); markdown.Width(line) > width {
			t.Errorf("a line of %d columns: %q", markdown.Width(line), line)
		}
	}
	s.expect("/trace 1 shows")
	s.expect("> ")
	s.press("Where did he go?\r")
	s.expect("asked as: Where did ")
	s.expect("References")
	s.expect("> ")

	slow.Store(true)
	s.press("Who met Clara Hale?\r")
	s.expect("answering")
	s.press("\x03")
	s.expect("(answer stopped)")
	s.expect("> ")
	slow.Store(false)
	s.press("\x1b[A\r") // recalls the last line
	s.expect("Who met Clara Hale?")
	s.expect("References")
	s.expect("> ")

	s.press("never asked\x03/he\t\r")
	s.expect("/quit")
	s.expect("> ")
	s.press("\x04")
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("exit: %v\n%s", err, s.shown.String())
	}
}

// TestPlainTerminal checks that text has no styles with NO_COLOR and on a dumb
// terminal.
func TestPlainTerminal(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	p.ok("index", "--offline", "--quiet", letters(t))
	for name, value := range map[string]string{"NO_COLOR": "1", "TERM": "dumb"} {
		p.env = maps.Clone(p.env)
		delete(p.env, "NO_COLOR")
		p.env["TERM"], p.env[name] = "xterm", value
		if name == "TERM" {
			p.env["TERM"] = value
		}
		s := p.onScreen(60, "query", "--method", "basic", question)
		s.expect("References")
		s.expect("neorag trace 1")
		if err := s.cmd.Wait(); err != nil {
			t.Error(err)
		}
		if all := s.shown.String(); strings.Contains(all, "\x1b[1m") || strings.Contains(all, "\x1b[2m") {
			t.Errorf("%s: styles in %q", name, all)
		}
	}
}
