//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/neorag/neorag/internal/fakemodel"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/neo4jtest"
	"github.com/neorag/neorag/prompts"
)

// TestRefusedChunk: a chunk that a server refuses again and again is named to
// the user each time, with the server's words, and the exit code is 3. All else
// is indexed; a report with a field that nobody asked for is one.
func TestRefusedChunk(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	docs := folder(t, "novel", novel)
	var well atomic.Bool
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Fault: func(r llmtest.Request) *llmtest.Reply {
		if !well.Load() && fakemodel.Task(r) == prompts.Extract && strings.Contains(r.Last(), "Mary Quill came") {
			return &llmtest.Reply{Status: 400, Message: "against the \x1b[31mpolicy"}
		}
		return nil
	}})
	t.Cleanup(server.Close)
	p.env["NEORAG_CACHE"] = t.TempDir()
	args := []string{"index", docs, "--base-url", server.URL(), "--model", "simulated"}
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
	well.Store(true)
	if code, out, errs := command(t, p.env, args...); code != 0 {
		t.Errorf("the server is well again: exit %d\n%s%s", code, out, errs)
	}
}

// TestKeyIsNowhere: the key of a server is in no output, log, answer, cache or
// graph, also where the server shows it in what it says.
func TestKeyIsNowhere(t *testing.T) {
	t.Parallel()
	const key = "sk-secret+of/this-server=0123456789"
	p := newProgram(t, neo4jtest.Server(t))
	docs := folder(t, "novel", novel)
	right := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Key: key, Dimension: 384, Fault: func(r llmtest.Request) *llmtest.Reply {
		if fakemodel.Task(r) == prompts.Claims && strings.Contains(r.Last(), "Mary Quill came") {
			return &llmtest.Reply{Status: 400, Message: "the header " + r.Header.Get("Authorization") + " may not read this"}
		}
		return nil
	}})
	t.Cleanup(right.Close)
	wrong := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Key: "another"})
	t.Cleanup(wrong.Close)
	p.env["NEORAG_API_KEY"], p.env["NEORAG_CACHE"] = key, t.TempDir()
	at := func(s *llmtest.Server, args ...string) []string {
		return append(args, "--base-url", s.URL(), "--model", "simulated", "--embedding-model", "vectors", "--verbose")
	}
	var said strings.Builder
	for _, run := range []struct {
		args []string
		code int
	}{
		{at(right, "index", docs), 3},
		{at(right, "index", docs, "--json"), 3},
		{at(right, "query", question), 0},
		{at(right, "query", question, "--json", "--method", "basic"), 0},
		{at(wrong, "query", question, "--method", "text"), 1},
		{at(wrong, "index", docs, "--yes", "--json"), 1},
		{[]string{"status", "--json"}, 0},
		{[]string{"doctor"}, 0},
		{[]string{"export"}, 0},
	} {
		code, out, errs := command(t, p.env, run.args...)
		if code != run.code {
			t.Errorf("%v: exit %d, want %d\n%s%s", run.args, code, run.code, out, errs)
		}
		said.WriteString(out + errs)
	}
	files := 0
	for _, dir := range []string{p.env["NEORAG_HOME"], p.env["NEORAG_CACHE"]} {
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			kept, err := os.ReadFile(path)
			said.WriteString(path)
			said.Write(kept)
			files++
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 5 || !strings.Contains(said.String(), "may not read this") || !strings.Contains(said.String(), "msg=statement") {
		t.Fatalf("%d files; the runs said less than they should", files)
	}
	for _, form := range forms(key) {
		if i := strings.Index(said.String(), form); i >= 0 {
			t.Errorf("the key as %q: ...%s...", form, said.String()[max(0, i-200):i])
		}
	}
}
