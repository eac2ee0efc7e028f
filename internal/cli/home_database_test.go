//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/store/localneo4j"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestHomeDatabase uses a server whose home database has another name than neo4j, and then
// makes it read-only.
func TestHomeDatabase(t *testing.T) {
	t.Parallel()
	faulttest.Nightly(t, "starts a server with another home database")
	neo4jtest.Server(t) // skips without a server
	o := localneo4j.Options{
		Data: t.TempDir(), Mode: localneo4j.Java, Throwaway: true, NoFetch: true, Settings: []string{"initial.dbms.default_database=kgraph"},
	}
	_, conn := startServer(t, o)
	p, docs := newProgram(t, conn), letters(t)
	p.ok("index", "--offline", docs)
	if got := p.ok("cypher", "--csv", "CALL db.info() YIELD name RETURN name").stdout; got != "name\r\nkgraph\r\n" && got != "name\nkgraph\n" {
		t.Errorf("statements run in %q", got)
	}
	p.ok("cypher", "USE kgraph RETURN 1")
	p.env["NEO4J_URI"] = strings.Replace(conn.URI, "bolt://", "neo4j://", 1)
	checkContains(t, p.ok("doctor").stdout, "database kgraph")
	p.env["NEO4J_URI"] = conn.URI
	for database, says := range map[string]string{"neo4j": `"neo4j" does not exist`, "system": "no graph", "System": "no graph"} {
		message := checkFailure(t, p.run("status", "--neo4j-database", database), 1)
		checkContains(t, message, says, "NEO4J_DATABASE")
	}

	stopServer(t, o)
	o.Settings = append(o.Settings, "server.databases.default_to_read_only=true")
	p.move(startServer(t, o))
	checkContains(t, p.ok("doctor").stdout, "read-only", "to index")
	p.ok("query", "--offline", "Who wrote?")
	p.ok("export", "jsonl", "--output", filepath.Join(t.TempDir(), "graph.jsonl"))
	if err := os.WriteFile(filepath.Join(docs, "more.txt"), []byte("Clara Hale met Tobias Reed.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"index", "--offline", docs}, {"remove", "--yes", "--corpus", p.corpus}, {"index", "--offline", "--corpus", "another", docs}} {
		checkContains(t, checkFailure(t, p.run(args...), 1), "neorag: the database is read-only (", "\n  make it writable")
	}
}

func checkContains(t *testing.T, text string, wanted ...string) {
	t.Helper()
	for _, want := range wanted {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
