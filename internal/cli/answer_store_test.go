//go:build unix

package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

const question = "Who kept the books of the Harbour Museum?"

// TestUnwritableHome checks that an answer is printed even if it cannot be stored.
func TestUnwritableHome(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	p.ok("index", "--offline", letters(t))
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o400); err != nil {
		t.Fatal(err)
	}
	locked := filepath.Join(t.TempDir(), "locked")
	if err := os.Mkdir(locked, 0o500); err != nil {
		t.Fatal(err)
	}
	homes := map[string]string{"a file in the path": filepath.Join(file, "home"), "a system folder": "/proc/neorag"}
	if os.Geteuid() != 0 { // root can write anywhere
		homes["no permission"] = filepath.Join(locked, "home")
	}
	for name, home := range homes {
		p.env["NEORAG_HOME"] = home
		o := p.ok("query", "--method", "basic", question)
		if !strings.Contains(o.stdout, "Tobias Reed") || !strings.Contains(o.stderr, "cannot store the answer") {
			t.Errorf("%s: want an answer and a note; stdout:\n%s\nstderr:\n%s", name, o.stdout, o.stderr)
		}
		var a query.Answer
		if err := json.Unmarshal([]byte(p.ok("query", "--json", "--method", "basic", question).stdout), &a); err != nil || a.Stored != "" {
			t.Errorf("%s: the answer names the trace %q, %v; want none", name, a.Stored, err)
		}
		if message := checkFailure(t, p.run("trace", "1"), 1); !strings.Contains(message, "neorag query") && !strings.Contains(message, "list stored answers") {
			t.Errorf("%s: trace prints %s", name, message)
		}
	}
}
