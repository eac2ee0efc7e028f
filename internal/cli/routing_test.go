//go:build unix

package cli_test

import (
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestRouting indexes, asks and continues a killed run with an address as of a cluster. The graph and
// the answer are the same as with the address of one server.
func TestRouting(t *testing.T) {
	t.Parallel()
	conn := neo4jtest.Server(t)
	docs := folder(t, "novel", novel)
	question := []string{"query", "--offline", "Who met Clara Hale?"}
	one := newProgram(t, conn)
	one.ok("index", "--offline", docs)
	want, answer := one.dump(), one.ok(question...).stdout

	p, relay := newProgram(t, conn), neo4jtest.NewRelay(t, conn)
	p.env["NEO4J_URI"] = relay.RoutingURI()
	p.ok("index", "--offline", docs)
	checkSameDump(t, want, p.dump())
	if out := p.ok("doctor").stdout; !strings.Contains(out, " community at "+strings.TrimPrefix(relay.URI(), "bolt://")) || !strings.Contains(out, "indexes online") || strings.Contains(out, "FAIL") {
		t.Errorf("doctor:\n%s", out)
	}
	if got := p.ok(question...).stdout; got != answer {
		t.Errorf("answer:\n%swant:\n%s", got, answer)
	}
	for _, n := range faulttest.Points(t, relay.Commits(), 1) {
		faulttest.AtOrBefore(t, n, func(at int) bool {
			neo4jtest.Wipe(t, p.corpus)
			trap := newAmbush()
			relay.OnCommit(trap.atCommit(at, neo4jtest.LoseAnswer))
			if !trap.kill(p, "index", "--offline", docs) {
				return false
			}
			relay.OnCommit(nil)
			checkContinues(t, p, want, "index", "--offline", docs)
			return true
		})
	}
}
