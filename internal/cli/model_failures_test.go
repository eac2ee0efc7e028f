//go:build unix

package cli_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/prompts"
)

// TestRefusedChunk checks that a chunk that the server keeps refusing is reported on
// each run, with the server's message and exit code 3, while the rest is indexed; a
// report with an unexpected field is accepted.
func TestRefusedChunk(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	docs := folder(t, "novel", novel)
	var healthy atomic.Bool
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Fault: func(r llmtest.Request) *llmtest.Reply {
		if !healthy.Load() && fakemodel.Task(r) == prompts.Extract && strings.Contains(r.Last(), "Mary Quill came") {
			return &llmtest.Reply{Status: 400, Message: "against the \x1b[31mpolicy"}
		}
		return nil
	}})
	t.Cleanup(server.Close)
	p.env["NEORAG_CACHE"] = t.TempDir()
	args := []string{"index", docs, "--base-url", server.URL(), "--model", "simulated", "--report-small"}
	for range 2 {
		code, out, errs := command(t, p.env, args...)
		if code != 3 || strings.Count(errs, "failed: extract: ") != 1 || !strings.Contains(errs, "policy") || strings.Contains(errs, "\x1b") {
			t.Fatalf("exit %d\n%s%s", code, out, errs)
		}
	}
	if code, _, errs := command(t, p.env, append(args, "--allow-failures", "1")...); code != 0 {
		t.Errorf("with one failure allowed: exit %d\n%s", code, errs)
	}
	code, dump, errs := command(t, p.env, "export")
	if code != 0 || !strings.Contains(dump, `"model":"simulated"`) || strings.Contains(dump, "date_range") {
		t.Errorf("export: exit %d %s, %d bytes", code, errs, len(dump))
	}
	healthy.Store(true)
	if code, out, errs := command(t, p.env, args...); code != 0 {
		t.Errorf("the server is healthy again: exit %d\n%s%s", code, out, errs)
	}
}
