//go:build unix

package cli_test

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/store/localneo4j"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// serverKills are the moments at which the server is killed: at most delayMax after the
// run has executed a statement.
var serverKills = []struct{ stage, statement string }{
	{"index creation", "schema/fulltext_pairs"},
	{"documents", "write/documents"},
	{"extraction", "write/entity_mentions"},
	{"clustering", "write/communities"},
	{"reports", "write/report_cites@Entity"},
	{"flip", "read/unreported"},
	{"labels", "write/flip"},
}

const delayMax = 20 * time.Millisecond

// lostAt finds the statement that was sent when the connection was lost.
var lostAt = regexp.MustCompile(`msg=retry cause="(.*?): cannot connect to Neo4j`)

// TestNeo4jKilled kills the server during a run, with SIGKILL. After its recovery its
// records and indexes are consistent. A run that waited for the server ends as if nothing
// had happened; one that is killed too is continued by the next run.
func TestNeo4jKilled(t *testing.T) {
	t.Parallel()
	faulttest.Nightly(t, "starts and kills a server")
	neo4jtest.Server(t) // skips without a server
	want, _ := uninterrupted(t)
	o := localneo4j.Options{Data: t.TempDir(), Mode: localneo4j.Java, Throwaway: true, NoFetch: true}
	server, conn := startServer(t, o)
	o.BoltPort, _ = strconv.Atoi(server.URI[strings.LastIndexByte(server.URI, ':')+1:])
	p, docs := newProgram(t, conn), lastStave(t)

	random := rand.New(rand.NewPCG(1843, 9))
	killed := 0
	for i, at := range serverKills {
		p.env["NEORAG_CORPUS"] = neo4jtest.Corpus(t)
		delay := time.Duration(random.Int64N(int64(delayMax)))
		r := p.start("index", "--offline", "--verbose", docs)
		r.waitFor("msg=statement name=" + at.statement + " ")
		time.Sleep(delay)
		if err := syscall.Kill(server.PID, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		if i%2 == 1 {
			r.waitFor("cannot connect to Neo4j")
			r.signal(syscall.SIGKILL)
		}
		startServer(t, o) // recovers
		checkDatabase(t, o)
		server, _ = startServer(t, o)
		outcome := r.wait()
		lost := lostAt.FindStringSubmatch(outcome.stderr)
		if lost == nil {
			t.Errorf("%s: the run ended before the server was killed:\n%s", at.stage, outcome.stderr)
			continue
		}
		killed++
		t.Logf("%s: killed %v after %s; %s failed; the run ended with %d (%v)", at.stage, delay, at.statement, lost[1], outcome.code, outcome.signal)
		if outcome.code > 0 {
			checkServerGone(t, outcome)
		}
		p.ok("index", "--offline", docs)
		checkSameDump(t, want, p.dump())
	}
	if killed != len(serverKills) {
		t.Errorf("%d of %d kills hit a run", killed, len(serverKills))
	}
	checkDatabase(t, o)
	checkDamageIsFound(t, o.Data)
}
