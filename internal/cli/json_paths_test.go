//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestJSONHasNoPathsOfTheMachine runs every command with --json in a folder: neither the
// path of that folder nor of the home folder is in the output, in errors, in exports or in
// the stored answers. Commands that are asked for a path (up, and any that is given an
// absolute one) are left out.
func TestJSONHasNoPathsOfTheMachine(t *testing.T) {
	t.Parallel()
	w := newWorkplace(t)
	w.run(0, "init")
	w.run(0, "index", "--offline", "letters", "--dry-run")
	w.run(3, "index", "--offline", "letters", "--with", strings.Join(index.ArtifactNames(), ","))
	w.run(0, "doctor")
	w.run(1, "index", "--offline", "other/letters")
	w.run(0, "status", "--corpus", w.corpus)
	for _, m := range query.Methods() {
		code := 0
		if m.NeedsModel {
			code = 2
		}
		w.run(code, "query", "--offline", "--method", m.Name, "Who kept the books of the Harbour Museum?")
		w.run(0, "trace", "1")
	}
	// Of the graph, only Document.root holds a path of the machine: from where a run read.
	w.run(0, "cypher", "--limit", "0", "MATCH (n {corpus: $corpus}) UNWIND keys(n) AS k WITH n, k WHERE NOT (n:Document AND k = 'root') RETURN labels(n)[0] AS label, k, toStringOrNull(n[k]) AS value")
	for _, args := range [][]string{
		{"trace", "document:letters/first.txt"},
		{"report"},
		{"report", "C0_0"},
		{"report", "--tree"},
		{"report", "--export", "pages"},
		{"query", "--dry-run"},
		{"eval", "retrieval", "--offline", "questions.jsonl"},
		{"eval", "qa", "--offline", "--methods", "basic", "questions.jsonl"},
		{"cluster", "edges.txt"},
		{"methods"},
		{"version"},
		{"cypher", "entities/neighbourhood"},
		{"cypher", "overview/runs"},
		{"cypher", "--list"},
		{"cache"},
		{"cache", "check"},
		{"export"},
		{"export", "--format", "json"},
		{"export", "--format", "graphml"},
		{"export", "--format", "cypher"},
		{"export", "--format", "dot"},
		{"export", "--format", "html"},
		{"down"},
	} {
		w.run(0, args...)
	}
	w.run(1, "index", "--offline", "missing")
	w.run(1, "cluster", "missing.txt")
	w.run(1, "cluster", "bad.csv")
	w.run(2, "status", "--config", "bad.yaml")
	w.run(2, "query", "--offline", "--history", "bad.jsonl", "Who?")
	w.run(2, "eval", "retrieval", "--offline", "bad.jsonl")
	w.run(1, "export", "--output", "missing/file")
	w.run(2, "report", "--export", "letters")
	w.run(1, "init")
	w.run(2, "trace", "99")
	w.run(1, "trace", "--answer", "missing.json", "1")
	w.checkAnswers()
}

// A workplace is a program that runs in a folder of a home folder.
type workplace struct {
	*program

	home string
}

func newWorkplace(t *testing.T) workplace {
	t.Helper()
	w := workplace{programFor(t, neo4jtest.Server(t), "artifacts"), filepath.Join(t.TempDir(), "home-of-a-person")}
	w.dir = filepath.Join(w.home, "folder-of-the-work")
	docs := letters(t)
	if err := os.MkdirAll(filepath.Join(w.dir, "other"), 0o750); err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{"letters", "other/letters"} {
		if err := os.CopyFS(filepath.Join(w.dir, to), os.DirFS(docs)); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"letters/broken.pdf": "not a PDF", "edges.txt": "a b\nb c\nc a\n", "bad.csv": "a,b\na,b,c\n", "bad.yaml": "neo4j: [", "bad.jsonl": "nonsense\n",
		"questions.jsonl": `{"id": 1, "question": "Who kept the books?", "type": "who", "answer": "Tobias Reed", "documents": ["letters/first.txt"]}` + "\n",
	} {
		if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	delete(w.env, "NEORAG_HOME")
	w.env["HOME"] = w.home
	w.env["XDG_DATA_HOME"], w.env["XDG_CACHE_HOME"] = filepath.Join(w.home, ".local", "share"), filepath.Join(w.home, ".cache")
	return w
}

// run runs a command with --json and checks its output, and its error.
func (w workplace) run(code int, args ...string) {
	w.t.Helper()
	o := w.program.run(append(args, "--json")...)
	if o.code != code {
		w.t.Errorf("neorag %q: exit %d, want %d\n%s", args, o.code, code, o.stderr)
	}
	w.check(strings.Join(args, " "), o.stdout)
	for line := range strings.Lines(o.stderr) {
		if strings.HasPrefix(line, `{"error"`) {
			w.check("the error of "+strings.Join(args, " "), line)
		}
	}
}

func (w workplace) check(what, text string) {
	w.t.Helper()
	if i := strings.Index(text, w.home); i >= 0 { // the working directory is in it
		w.t.Errorf("%s holds the path of the machine: %.200q", what, text[max(0, i-60):])
	}
}

// checkAnswers checks the stored answers, which can be named without their folder.
func (w workplace) checkAnswers() {
	w.t.Helper()
	answers, err := filepath.Glob(filepath.Join(w.home, ".local", "share", "neorag", "answers", "*.json"))
	if err != nil || len(answers) == 0 {
		w.t.Fatalf("%d stored answers, %v", len(answers), err)
	}
	for _, path := range answers {
		body, err := os.ReadFile(path)
		if err != nil {
			w.t.Fatal(err)
		}
		w.check("a stored answer", string(body))
	}
	w.run(0, "trace", "--answer", filepath.Base(answers[0]), "1")
}
