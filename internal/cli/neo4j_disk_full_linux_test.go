package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/store/localneo4j"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/disktest"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/internal/text/textproc"
)

// fullDisks are the bytes that are free when a run starts, and whether its indexes exist
// already. Without them the schema alone needs 700 KB, and with them the run.
var fullDisks = []struct {
	at      string
	free    int64
	indexes bool
}{
	{"constraints", 500 << 10, false},
	{"indexes of the corpus", 1000 << 10, false},
	{"documents", 100 << 10, true},
	{"mentions", 200 << 10, true},
	{"reports", 280 << 10, true},
}

// TestNeo4jDiskFull fills the disk of the server during a run, which ends with an error
// that says so. After the server was stopped and the disk enlarged, the next run ends as
// if nothing had happened, and the records and indexes of the server are consistent.
func TestNeo4jDiskFull(t *testing.T) {
	t.Parallel()
	faulttest.Nightly(t, "starts a server on a full disk")
	neo4jtest.Server(t) // skips without a server
	disktest.Run(t, largeDisk, func(t *testing.T, d *disktest.Disk) {
		want, _ := uninterrupted(t)
		o := localneo4j.Options{Data: filepath.Join(d.Dir, "data"), Mode: localneo4j.Java, Throwaway: true, NoFetch: true}
		docs := lastStave(t)
		for _, at := range fullDisks {
			if !at.indexes {
				if err := os.RemoveAll(o.Data); err != nil {
					t.Fatal(err)
				}
			}
			_, conn := startServer(t, o)
			p := newProgram(t, conn)
			if at.indexes {
				makeIndexes(t, p)
			}
			used, _ := d.Space()
			d.Resize(used + at.free)
			outcome := p.run("index", "--offline", docs)
			if _, free := d.Space(); free > 8<<10 {
				t.Errorf("%s: %d bytes are free after the run", at.at, free)
			}
			message := checkFailure(t, outcome, 1)
			if !strings.Contains(message, neo4jstore.ErrDiskFull.Error()) && !strings.Contains(message, "such as a full disk") || !strings.Contains(message, "free disk space") {
				t.Errorf("%s: the error does not explain the full disk:\n%s", at.at, message)
			}
			t.Logf("%s: after %v %s", at.at, outcome.took, message)
			stopServer(t, o)
			d.Resize(largeDisk)
			p.move(startServer(t, o))
			p.ok("index", "--offline", docs)
			checkSameDump(t, want, p.dump())
			checkDatabase(t, o)
		}
	})
}

// largeDisk is more than the server and its log of transactions need.
const largeDisk = 256 * disktest.MB

// makeIndexes creates the corpus of a program with its indexes.
func makeIndexes(t *testing.T, p *program) {
	t.Helper()
	s, err := p.open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close(t.Context()) }()
	if err := s.EnsureSchema(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.EnsureCorpus(t.Context(), p.corpus, textproc.Dimension); err != nil {
		t.Fatal(err)
	}
}
