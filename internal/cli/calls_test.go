//go:build unix

package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/cli"
	"github.com/neorag/neorag/internal/llm/calllog"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
)

// readLines returns the lines of a file.
func readLines(t *testing.T, path string) []string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimRight(string(b), "\n"), "\n")
}

// readCalls returns the entries of a log of calls, which match the schema.
func readCalls(t *testing.T, path string) []calllog.Entry {
	t.Helper()
	var all []calllog.Entry
	schema := cli.StrictSchema(t, "calls")
	for _, line := range readLines(t, path) {
		checkSchema(t, schema, "--calls", line)
		var e calllog.Entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

// tuned is an environment with a model server, and the arguments of a command that calls its chat
// model without Neo4j.
func tuned(t *testing.T, server *llmtest.Server) (env map[string]string, args func(more ...string) []string) {
	t.Helper()
	docs := folder(t, "novel", novel)
	env = map[string]string{"NEORAG_CACHE": t.TempDir(), "NEORAG_BASE_URL": server.URL(), "NEORAG_MODEL": "simulated", "NEORAG_API_KEY": ownKey}
	return env, func(more ...string) []string {
		return append([]string{"tune", "--overwrite", "--compare", "0", "-o", filepath.Join(t.TempDir(), "mine"), docs}, more...)
	}
}

// TestCallLog logs the calls of three runs to one file: calls of a model, one of which is tried again,
// answers from the cache, and calls that the server refuses.
func TestCallLog(t *testing.T) {
	t.Parallel()
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Key: ownKey})
	t.Cleanup(server.Close)
	env, args := tuned(t, server)
	path := filepath.Join(t.TempDir(), "calls.jsonl")
	priced := []string{"--calls", path, "--price-in", "1", "--price-out", "2", "--quiet"}
	server.Enqueue(llmtest.Reply{Status: 503, Message: "busy"})
	if code, out, errs := command(t, env, args(priced...)...); code != 0 {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	first := readCalls(t, path)
	requests := server.Requests()
	attempts := 0
	for _, e := range first {
		attempts += e.Attempts
		if e.Cached || e.Error != "" || e.TokensIn == 0 || e.TokensOut == 0 || e.Cost != (float64(e.TokensIn)+2*float64(e.TokensOut))/1e6 ||
			e.Model != "simulated" || "http://"+e.Server+"/v1" != server.URL() || e.Task == "" || e.Finish != "stop" || e.Prompt != nil || e.Answer != "" {
			t.Errorf("%+v", e)
		}
	}
	if len(first) == 0 || attempts != len(requests) || attempts == len(first) {
		t.Errorf("%d calls with %d attempts in the log, %d requests", len(first), attempts, len(requests))
	}

	if code, out, errs := command(t, env, args(priced...)...); code != 0 {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	both := readCalls(t, path)
	if len(both) != 2*len(first) {
		t.Fatalf("%d calls after the second run, want %d", len(both), 2*len(first))
	}
	keys := map[string]bool{}
	for _, e := range first {
		keys[e.Request] = true
	}
	for _, e := range both[len(first):] {
		if !e.Cached || e.TokensIn != 0 || e.Cost != 0 || e.Attempts != 0 || !keys[e.Request] {
			t.Errorf("from the cache: %+v", e)
		}
		if _, err := os.Stat(filepath.Join(env["NEORAG_CACHE"], "chat", e.Request[:2], e.Request[2:])); err != nil {
			t.Errorf("the request is not the key of the cache: %v", err)
		}
	}

	env["NEORAG_API_KEY"], env["NEORAG_CACHE"] = "sk-wrong-0123456789", t.TempDir()
	if code, _, _ := command(t, env, args(priced...)...); code != 1 {
		t.Errorf("with a wrong key: exit %d", code)
	}
	refused := readCalls(t, path)[len(both):]
	if len(refused) == 0 || refused[0].Error != calllog.KindRefused || refused[0].Status != 401 {
		t.Errorf("refused: %+v", refused)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{ownKey, "sk-wrong-0123456789", "Clara Hale"} {
		if strings.Contains(string(b), secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// TestCallLogWithTexts logs prompts and answers, if both flags ask for it.
func TestCallLogWithTexts(t *testing.T) {
	t.Parallel()
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler})
	t.Cleanup(server.Close)
	env, args := tuned(t, server)
	path := filepath.Join(t.TempDir(), "calls.jsonl")
	if code, _, errs := command(t, env, args("--calls-text")...); code != 2 || !strings.Contains(errs, "give --calls FILE too") {
		t.Errorf("without --calls: exit %d, %s", code, errs)
	}
	if code, _, errs := command(t, env, args("--calls", filepath.Join(path, "no", "folder"))...); code != 2 || !strings.Contains(errs, "--calls: open the log of calls") {
		t.Errorf("a file that cannot be opened: exit %d, %s", code, errs)
	}
	if n := server.Counts().Requests; n != 0 {
		t.Errorf("%d requests before the log was open", n)
	}
	if code, out, errs := command(t, env, args("--calls", path, "--calls-text")...); code != 0 {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	prompts := 0
	for _, e := range readCalls(t, path) {
		for _, m := range e.Prompt {
			if strings.Contains(m.Content, "Clara Hale") {
				prompts++
			}
		}
		if e.Answer == "" {
			t.Errorf("no answer: %+v", e)
		}
	}
	if prompts == 0 {
		t.Error("no prompt has the text of a document")
	}
}

// TestCallLogOnFullDisk pays for calls that cannot be logged: the result is printed, and the command
// fails.
func TestCallLogOnFullDisk(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler})
	t.Cleanup(server.Close)
	env, args := tuned(t, server)
	code, out, errs := command(t, env, args("--calls", "/dev/full")...)
	if code != 1 || !strings.Contains(out, "Entity types: ") || !strings.Contains(errs, "neorag: write the log of calls: write /dev/full: no space left on device") {
		t.Errorf("exit %d\n%s\n%s", code, out, errs)
	}
}

// TestLogFormatAndLevel runs a command that cannot write to its cache, of which it warns, and one that
// fails.
func TestLogFormatAndLevel(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		flags  []string
		refuse bool
		want   string // in stderr
		lacks  string // that stderr must not have; "" for none
	}{
		"text":              {nil, false, "level=WARN msg=\"cannot write to the cache", "{"},
		"errors only":       {[]string{"--log-level", "error"}, false, "", "level="},
		"text of a failure": {[]string{"--log-level", "error"}, true, "neorag: ", "level="},
		"JSON":              {[]string{"--log-format", "json"}, false, `"level":"WARN","msg":"cannot write to the cache of model responses"`, "level="},
		"JSON of a failure": {[]string{"--log-format", "json", "--log-level", "error"}, true, `"level":"ERROR","msg":"the command failed","error":`, "neorag: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Fault: func(llmtest.Request) *llmtest.Reply {
				if c.refuse {
					return &llmtest.Reply{Status: 401, Message: "no"}
				}
				return nil
			}})
			t.Cleanup(server.Close)
			env, args := tuned(t, server)
			env["NEORAG_CACHE"] = filepath.Join(folder(t, "file", map[string]string{"file": ""}), "file") // no folder
			code, _, errs := command(t, env, args(c.flags...)...)
			if (code != 0) != c.refuse || !strings.Contains(errs, c.want) || c.lacks != "" && strings.Contains(errs, c.lacks) {
				t.Errorf("exit %d, want %q and not %q in\n%s", code, c.want, c.lacks, errs)
			}
			for line := range strings.Lines(errs) {
				if strings.HasPrefix(name, "JSON") && !json.Valid([]byte(line)) {
					t.Errorf("not JSON: %q", line)
				}
			}
		})
	}
	if code, _, errs := command(t, nil, "cache", "--log-level", "loud"); code != 2 || !strings.Contains(errs, "choose debug or info or warn or error") {
		t.Errorf("an unknown level: exit %d, %s", code, errs)
	}
}
