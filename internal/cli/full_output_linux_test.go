package cli_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/disktest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestDiskFullOfOutput writes every kind of file to a disk with one free block, in which
// a file can begin but not end.
func TestDiskFullOfOutput(t *testing.T) {
	t.Parallel()
	neo4jtest.Server(t) // skips without a server
	disktest.Run(t, disktest.MB, func(t *testing.T, d *disktest.Disk) {
		p := newProgram(t, neo4jtest.Server(t))
		p.ok("index", "--offline", letters(t))
		p.ok("query", "--method", "basic", question)
		d.Fill()
		d.Resize(disktest.MB + 4<<10)
		filesDoNotFit(t, p, d.Dir)
		standardOutputDoesNotFit(t, p, d.Dir)
		answersDoNotFit(t, p, d.Dir)
		responsesDoNotFit(t, p, filepath.Join(d.Dir, "cache"))
	})
}

// filesDoNotFit runs the commands that write files. They name the file and the cause, and
// leave no part of a file.
func filesDoNotFit(t *testing.T, p *program, disk string) {
	t.Helper()
	whole := t.TempDir()
	var ring strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&ring, "%d %d\n", i, (i+1)%1000)
	}
	edges := filepath.Join(folder(t, "edges", map[string]string{"edges": ring.String()}), "edges")
	for name, args := range map[string][]string{
		"graph.jsonl":   {"export", "--output"},
		"graph.html":    {"export", "--format", "html", "--output"},
		"graph.graphml": {"export", "--format", "graphml", "--output"},
		"csv":           {"export", "--format", "csv", "--output"},
		"guide":         {"explore", "--export"},
		"reports":       {"report", "--export"},
		"neorag.yaml":   {"init", "--file"},
		"clusters.csv":  {"cluster", "--csv", edges, "--output"},
		"report.html":   {"eval", "report", "--run", smallEvaluation, "--html"},
		"prompts":       {"prompts", "export"},
		"server":        {"up", "--quiet", "--mode", "java", "--bolt-port", "0", "--http-port", "0", "--data"},
	} {
		path := filepath.Join(disk, name)
		message := checkFailure(t, p.run(append(args, path)...), 1)
		for _, want := range []string{"no space left on device", "free some disk space"} {
			if !strings.Contains(message, want) {
				t.Errorf("%s: no %q in\n%s", name, want, message)
			}
		}
		if !strings.Contains(message, path) && !strings.Contains(message, ".md") {
			t.Errorf("%s: no name of a file in\n%s", name, message)
		}
		if left, err := filepath.Glob(filepath.Join(disk, ".new-*")); err != nil || len(left) > 0 {
			t.Errorf("%s: %v is left: %v", name, left, err)
		}
		if name == "server" {
			checkNoPassword(t, path)
		} else {
			p.ok(append(args, filepath.Join(whole, name))...)
			checkNoParts(t, path, filepath.Join(whole, name))
			if entries, err := os.ReadDir(path); (name == "prompts" || name == "reports") && (err != nil || len(entries) > 0) {
				t.Errorf("%s: %v is left, and stops another try: %v", name, entries, err)
			}
		}
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
}

// checkNoPassword checks that no part of a password is left for the server that starts on
// this folder next, and no file that was to be renamed.
func checkNoPassword(t *testing.T, data string) {
	t.Helper()
	for _, pattern := range []string{"password", ".new-*", "conf/.new-*"} {
		if left, err := filepath.Glob(filepath.Join(data, pattern)); err != nil || len(left) > 0 {
			t.Errorf("%v are left: %v", left, err)
		}
	}
}

// checkNoParts checks that each file that is left is complete.
func checkNoParts(t *testing.T, left, whole string) {
	t.Helper()
	err := filepath.WalkDir(left, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil //nolint:nilerr // nothing is left
		}
		rel, err := filepath.Rel(left, path)
		if err != nil {
			return err
		}
		got, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if want, err := os.ReadFile(filepath.Join(whole, rel)); err != nil || string(got) != string(want) {
			t.Errorf("%s is left with %d bytes, want %d: %v", path, len(got), len(want), err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// standardOutputDoesNotFit runs commands whose output is redirected to a file.
func standardOutputDoesNotFit(t *testing.T, p *program, disk string) {
	t.Helper()
	for _, args := range [][]string{{"export"}, {"methods"}, {"completion", "bash"}, {"query", "--method", "basic", question}} {
		path := filepath.Join(disk, "output")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(make([]byte, 4000)); err != nil {
			t.Fatal(err)
		}
		message := checkFailure(t, p.startTo(f, args...).wait(), 1)
		if !strings.Contains(message, "write") || !strings.Contains(message, "no space left on device") {
			t.Errorf("%v: %s", args, message)
		}
		_ = f.Close()
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// answersDoNotFit asks with the folder of answers on the full disk: the answer is shown
// but not kept, and a file is not trusted.
func answersDoNotFit(t *testing.T, p *program, disk string) {
	t.Helper()
	settings := filepath.Join(folder(t, "trusted", map[string]string{"neorag.yaml": "neo4j:\n  uri: bolt://localhost:1\n"}), "neorag.yaml")
	home := p.env["NEORAG_HOME"]
	defer func() { p.env["NEORAG_HOME"] = home }()
	p.env["NEORAG_HOME"] = filepath.Join(disk, "home")
	taken := filepath.Join(disk, "taken")
	if err := os.WriteFile(taken, make([]byte, 4<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Remove(taken) }()
	o := p.ok("query", "--method", "basic", question)
	if !strings.Contains(o.stdout, "Tobias Reed") || !strings.Contains(o.stderr, "cannot store the answer") || !strings.Contains(o.stderr, "no space left on device") {
		t.Errorf("want an answer and a note; stdout:\n%s\nstderr:\n%s", o.stdout, o.stderr)
	}
	if message := checkFailure(t, p.run("trace", "1"), 1); !strings.Contains(message, "neorag query") {
		t.Errorf("trace: %s", message)
	}
	if message := checkFailure(t, p.run("trust", settings), 1); !strings.Contains(message, "no space left on device") || !strings.Contains(message, p.env["NEORAG_HOME"]) {
		t.Errorf("trust: %s", message)
	}
	if o := p.run("trust", "--show", settings); !strings.Contains(o.stdout, "not trusted") {
		t.Errorf("trust --show: exit %d\n%s%s", o.code, o.stdout, o.stderr)
	}
	history := filepath.Join(disk, "history.jsonl")
	if o := p.run("query", "--history", history, "--method", "basic", question); o.code == 0 || !strings.Contains(o.stderr, history) || !strings.Contains(o.stderr, "no space left on device") {
		t.Errorf("--history: exit %d\n%s", o.code, o.stderr)
	}
	conversation, err := os.Open(filepath.Join(folder(t, "lines", map[string]string{"lines": question + "\n/save " + filepath.Join(disk, "saved.md") + "\n"}), "lines"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conversation.Close() }()
	if o := p.startWith(conversation, "query", "--chat", "--method", "basic").wait(); o.code != 3 || !strings.Contains(o.stderr, "save the conversation: ") {
		t.Errorf("/save: exit %d\n%s", o.code, o.stderr)
	}
	if _, err := os.Stat(filepath.Join(disk, "saved.md")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a part of the saved conversation is left: %v", err)
	}
	_ = os.Remove(taken)
	p.env["NEORAG_HOME"] = home
	p.ok("query", "--history", history, "--method", "basic", question)
}

// responsesDoNotFit indexes with a model and the cache on the full disk: the run
// succeeds, says that it kept nothing, and the next one takes nothing damaged from it.
func responsesDoNotFit(t *testing.T, p *program, cache string) {
	t.Helper()
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Dimension: 384})
	t.Cleanup(server.Close)
	p.env["NEORAG_CACHE"], p.env["NEORAG_CORPUS"] = cache, neo4jtest.Borrow(t, "index")
	args := []string{"index", "--base-url", server.URL(), "--model", "simulated", letters(t)}
	o := p.ok(args...)
	if !strings.Contains(o.stderr, "cannot write to the cache of model responses") || !strings.Contains(o.stderr, "no space left on device") {
		t.Errorf("no note about the cache:\n%s", o.stderr)
	}
	err := filepath.WalkDir(cache, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if info, err := e.Info(); err != nil || info.Size() == 0 || strings.HasPrefix(e.Name(), ".") {
			t.Errorf("%s is left: %v", path, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	calls := len(server.Requests())
	p.ok(args...)
	if again := len(server.Requests()); calls == 0 || again != calls {
		t.Errorf("%d calls, and %d after the second run", calls, again)
	}
}
