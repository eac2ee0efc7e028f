package cli_test

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// printsAlone are commands that print a result without a server.
var printsAlone = [][]string{
	{},
	{"--help"},
	{"--version"},
	{"--generate-bash-completion"},
	{"query", "--help"},
	{"init", "--yes"},
	{"init", "--yes", "--json"},
	{"trust"},
	{"trust", "--show"},
	{"trust", "--revoke"},
	{"down"},
	{"doctor"},
	{"doctor", "--json"},
	{"doctor", "--check-model", "--base-url", "MODEL", "--model", "simulated"},
	{"methods"},
	{"methods", "--json"},
	{"eval", "import", "--question", "question", "questions.jsonl"},
	{"eval", "import", "--question", "question", "--json", "questions.jsonl"},
	{"eval", "report", "--run", "EVALUATION"},
	{"eval", "report", "--run", "EVALUATION", "--html", "-"},
	{"eval", "cost", "--run", "EVALUATION"},
	{"eval", "compare", "EVALUATION", "EVALUATION"},
	{"cypher"},
	{"cypher", "--list", "checks"},
	{"cluster", "edges"},
	{"cluster", "--json", "edges"},
	{"cluster", "--csv", "edges"},
	{"diff", "old.jsonl", "new.jsonl"},
	{"prompts"},
	{"prompts", "show", "report"},
	{"prompts", "check", "."},
	{"prompts", "export", "--overwrite", "exported"},
	{"tune", "--overwrite", "--sample", "1", "--compare", "0", "--base-url", "MODEL", "--model", "simulated", "letters"},
	{"cache"},
	{"cache", "check"},
	{"cache", "prune", "--older-than", "1d"},
	{"cache", "servers"},
	{"cache", "forget"},
	{"completion", "bash"},
	{"completion", "zsh"},
	{"version"},
	{"version", "--json"},
}

// printsOfCorpus are commands that print what a corpus holds, or what they did to it.
var printsOfCorpus = [][]string{
	{"index", "--embedding-base-url", "MODEL", "--embedding-model", "e", "letters"},
	{"index", "--offline", "--dry-run", "letters"},
	{"embed", "--embedding-base-url", "MODEL", "--embedding-model", "e"},
	{"status"},
	{"status", "--json"},
	{"remove", "--glob", "**", "--dry-run"},
	{"query", "--offline", question},
	{"query", "--offline", "--json", question},
	{"query", "--offline", "--chat", question},
	{"query", "--base-url", "MODEL", "--model", "simulated", "--method", "basic", question},
	{"eval", "retrieval", "--offline", "questions.jsonl"},
	{"eval", "answer", "--offline", "--run", "RUN", "--methods", "basic,fused", "questions.jsonl"},
	{"eval", "qa", "--run", "RUN"},
	{"eval", "evidence", "--run", "RUN"},
	{"eval", "claims", "--offline", "--run", "RUN"},
	{"eval", "questions", "--run", "RUN", "--description", "Letters.", "--personas", "1", "--tasks", "1", "--questions", "1", "--base-url", "MODEL", "--model", "simulated"},
	{"eval", "judge", "--run", "RUN", "--criteria", "directness", "--replicates", "1", "--base-url", "MODEL", "--model", "simulated"},
	{"trace", "entity:Tobias Reed"},
	{"report"},
	{"entities"},
	{"cypher", "overview/indexes"},
	{"cypher", "--csv", "RETURN 1"},
	{"cypher", "--print", "overview/indexes"},
	{"explore", "--export", "guide"},
	{"export"},
	{"export", "--format", "html"},
	{"export", "--format", "graphml"},
	{"export", "--format", "csv", "--output", "-"},
	{"export", "--output", "/dev/full"},
	{"export", "--format", "csv", "--output", "full.zip"},
	{"doctor", "--graph"},
}

// TestFullStdout runs commands that need no server where nothing can be written to standard output.
func TestFullStdout(t *testing.T) {
	t.Parallel()
	p := programOn(t, neo4jtest.Conn{}, "none")
	for _, name := range []string{"NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD"} {
		delete(p.env, name)
	}
	stdoutIsFull(t, p, printsAlone)
}

// TestFullStdoutOfCorpus runs commands that need a server where nothing can be written to standard
// output. The first of them makes the corpus.
func TestFullStdoutOfCorpus(t *testing.T) {
	t.Parallel()
	stdoutIsFull(t, programFor(t, neo4jtest.Server(t), "model"), printsOfCorpus)
}

// TestFullStdoutOfAll fails if a command is in neither table.
func TestFullStdoutOfAll(t *testing.T) {
	t.Parallel()
	p := programOn(t, neo4jtest.Conn{}, "none")
	tested := map[string]bool{
		"up":    true, // prints as down does, and needs a separate server
		"serve": true, // prints nothing
		"work":  true, // prints nothing
		"mcp":   true, // TestMCPFullStdout
	}
	for _, args := range slices.Concat(printsAlone, printsOfCorpus) {
		if len(args) > 0 {
			tested[args[0]] = true
		}
		if len(args) > 1 {
			tested[args[0]+" "+args[1]] = true
		}
	}
	commands := strings.Fields(p.ok("--generate-bash-completion").stdout)
	for name := range strings.FieldsSeq(p.ok("eval", "--generate-bash-completion").stdout) {
		commands = append(commands, "eval "+name)
	}
	if len(commands) < 30 {
		t.Fatalf("only %d commands: %v", len(commands), commands)
	}
	for _, name := range commands {
		if !tested[name] {
			t.Errorf("neorag %s is not tested", name)
		}
	}
}

// stdoutIsFull runs commands whose results cannot be written: each fails, and names the cause.
func stdoutIsFull(t *testing.T, p *program, commands [][]string) {
	t.Helper()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = full.Close() }()
	p.dir = filesToRead(t)
	values := placeholders(t)
	for _, command := range commands {
		args := slices.Clone(command)
		for i, arg := range args {
			args[i] = cmp.Or(values[arg], arg)
		}
		o := p.startTo(full, args...).wait()
		if o.code != 1 || !strings.Contains(o.stderr, "no space left on device") {
			t.Errorf("%v: exit %d, want 1\n%s", command, o.code, o.stderr)
		}
	}
}

// placeholders returns the values of the arguments in capitals.
func placeholders(t *testing.T) map[string]string {
	t.Helper()
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Dimension: 384})
	t.Cleanup(server.Close)
	evaluation, err := filepath.Abs(smallEvaluation)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"MODEL": server.URL(), "EVALUATION": evaluation, "RUN": filepath.Join(t.TempDir(), "run")}
}

// filesToRead returns a folder with the files that the commands read.
func filesToRead(t *testing.T) string {
	t.Helper()
	dump := `{"key":"","labels":[],"node":"Corpus","properties":{"schema":3}}` + "\n"
	dir := folder(t, "work", map[string]string{
		"edges": "a b\nb c\nc a\n", "questions.jsonl": `{"id":"1","question":"` + question + `","answer":"Tobias Reed","documents":["first"]}` + "\n",
		"old.jsonl": dump, "new.jsonl": dump,
	})
	err := errors.Join(os.CopyFS(filepath.Join(dir, "letters"), os.DirFS(letters(t))), os.Symlink("/dev/full", filepath.Join(dir, "full.zip")))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
