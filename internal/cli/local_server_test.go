//go:build unix

package cli_test

import (
	"maps"
	"regexp"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/store/localneo4j"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestIndexStartsServer indexes without a server: the command starts the local one and says so, and
// the next commands find it.
func TestIndexStartsServer(t *testing.T) {
	t.Parallel()
	faulttest.Nightly(t, "starts a server")
	neo4jtest.Server(t) // skips without a server
	p := programOn(t, neo4jtest.Conn{}, "first")
	data := t.TempDir()
	maps.Copy(p.env, map[string]string{
		"NEORAG_SERVER_DATA": data, "NEORAG_SERVER_MODE": "java", "NEORAG_SERVER_HEAP": "512", "NEORAG_SERVER_PAGE_CACHE": "128",
	})
	for _, name := range []string{"NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD"} {
		delete(p.env, name)
	}
	docs := lastStave(t)
	if message := checkFailure(t, p.run("index", "--offline", "--dry-run", docs), 1); !strings.Contains(message, "neorag up") {
		t.Errorf("a dry run without a server: %s", message)
	}
	t.Cleanup(func() { stopServer(t, localneo4j.Options{Data: data}) })
	first := p.ok("index", "--offline", docs)
	if !regexp.MustCompile("no Neo4j server is configured, so a local one is started; `neorag down` stops it(?s:.*)Neo4j is running: bolt://127.0.0.1:").MatchString(first.stderr) {
		t.Errorf("stderr does not report the started server:\n%s", first.stderr)
	}
	if again := p.ok("index", "--offline", docs); strings.Contains(again.stderr, "is started") || !strings.Contains(again.stdout+again.stderr, "unchanged") {
		t.Errorf("a second run:\n%s%s", again.stdout, again.stderr)
	}
	if status := p.ok("status"); !strings.Contains(status.stdout, "Corpus first (offline)") {
		t.Errorf("status:\n%s", status.stdout)
	}
}
