package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/neorag/neorag/internal/cli"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"neorag": func() {
		env := cli.OS()
		env.ModelServers = nil // those of this machine are not part of the tests
		os.Exit(cli.Process(env))
	}})
}

// A perScript returns what a script borrowed when that script ends, not when all
// have ended.
type perScript struct {
	testing.TB
	env *testscript.Env
}

func (p perScript) Cleanup(f func()) { p.env.Defer(f) }

// TestScripts runs the program as a user does, each script with its own corpus and
// home on the test server.
func TestScripts(t *testing.T) {
	t.Parallel()
	runScripts(t, "script")
}

// TestScriptsOfIndexes runs scripts that change the indexes of their corpora.
func TestScriptsOfIndexes(t *testing.T) {
	neo4jtest.ChangesIndexes(t)
	runScripts(t, "script_of_indexes")
}

func runScripts(t *testing.T, dir string) {
	t.Helper()
	conn := neo4jtest.Server(t)
	sample, err := filepath.Abs(filepath.Join("..", "..", "examples", "christmas-carol"))
	if err != nil {
		t.Fatal(err)
	}
	handler, err := fakemodel.Counted()
	if err != nil {
		t.Fatal(err)
	}
	model := llmtest.New(llmtest.Options{Handler: handler, Dimension: 16})
	t.Cleanup(model.Close)
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", dir),
		Setup: func(env *testscript.Env) error {
			env.Setenv("NEO4J_URI", conn.URI)
			env.Setenv("NEO4J_USERNAME", conn.User)
			env.Setenv("NEO4J_PASSWORD", conn.Password)
			env.Setenv("NEORAG_HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("NEORAG_CORPUS", neo4jtest.Borrow(perScript{t, env}, "index"))
			env.Setenv("SAMPLE", sample)
			env.Setenv("MODEL_URL", model.URL())
			return nil
		},
		Cmds:          map[string]func(*testscript.TestScript, bool, []string){"wellformed": wellFormed},
		UpdateScripts: os.Getenv("NEORAG_UPDATE") == "1",
	})
}
