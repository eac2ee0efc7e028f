//go:build unix

package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/prompts"
)

// TestHistoryWithModel checks that the model condenses a follow-up question, and that
// rules do so if the model fails, with a note in the answer.
func TestHistoryWithModel(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	p.ok("index", "--offline", "--quiet", letters(t))
	var fails atomic.Bool
	var asked atomic.Value
	server := llmtest.New(llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		switch fakemodel.Task(r) {
		case prompts.Rewrite:
			if fails.Load() {
				return llmtest.Reply{Status: 400, Message: "not this one"}
			}
		case prompts.Answer:
			asked.Store(r.Messages[len(r.Messages)-1].Content)
		}
		return fakemodel.Handler(r)
	}})
	t.Cleanup(server.Close)
	p.env["NEORAG_API_KEY"], p.env["NEORAG_CACHE"] = ownKey, t.TempDir()
	turns := filepath.Join(t.TempDir(), "turns.jsonl")
	ask := func(text string) query.Answer {
		t.Helper()
		o := p.ok("query", "--json", "--method", "basic", "--base-url", server.URL(), "--model", "simulated", "--history", turns, text)
		var a query.Answer
		if err := json.Unmarshal([]byte(o.stdout), &a); err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a := ask(question); a.Asked != "" || a.Usage.Calls != 1 {
		t.Errorf("the first question: asked %q, %d calls", a.Asked, a.Usage.Calls)
	}
	a := ask("Where did he go?")
	if !strings.HasPrefix(a.Asked, "Where did ") || strings.Contains(a.Asked, " he ") || a.Question != "Where did he go?" || a.Usage.Calls != 2 {
		t.Errorf("a follow-up question: %+v", a)
	}
	if prompt, _ := asked.Load().(string); !strings.Contains(prompt, a.Asked) {
		t.Errorf("the model was not asked %q:\n%s", a.Asked, prompt)
	}
	fails.Store(true)
	a = ask("And the museum?")
	if len(a.Notes) == 0 || !strings.Contains(a.Notes[0], "by rules") || a.Asked == "" {
		t.Errorf("a model that fails: %+v", a)
	}
}

// TestChatInterrupted checks that a signal ends a conversation over a pipe while it
// waits for a question.
func TestChatInterrupted(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	p.ok("index", "--offline", "--quiet", letters(t))
	in, keys, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = in.Close(), keys.Close() })
	r := p.startWith(in, "query", "--chat", "--method", "basic")
	if _, err := keys.WriteString(question + "\nAnd Mary Quill?\n"); err != nil {
		t.Fatal(err)
	}
	r.waitFor("asked as: ")
	r.signal(syscall.SIGTERM)
	if o := r.wait(); o.code != 130 || !strings.Contains(o.stderr, "interrupted") {
		t.Errorf("exit %d, stderr %q", o.code, o.stderr)
	}
}
