package cli_test

import (
	"syscall"
	"testing"

	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestLargeResultTakesLittleMemory checks that a value whose decoding takes a multiple of the bytes
// that the server sends ends the command before it is decoded: 3 million maps would take 2,300 MB.
// The bar leaves room for a machine that is busy when the limit is exceeded.
func TestLargeResultTakesLittleMemory(t *testing.T) {
	t.Parallel()
	const most = 1000 << 10 // kilobytes, of which the test binary takes a part
	p := newProgram(t, neo4jtest.Server(t))
	r := p.start("cypher", "RETURN [i IN range(1, 3000000) | {a: i}] AS x")
	checkContains(t, checkFailure(t, r.wait(), 1), "the result is too large: more than 128 MB", "raise --max-memory")
	if used, ok := r.cmd.ProcessState.SysUsage().(*syscall.Rusage); !ok || used.Maxrss > most {
		t.Errorf("%d MB resident, want at most %d", used.Maxrss>>10, most>>10)
	}
}
