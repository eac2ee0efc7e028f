//go:build unix

package cli_test

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// modelServer starts a simulated model.
func modelServer(t *testing.T, o llmtest.Options) *llmtest.Server {
	t.Helper()
	o.Handler = fakemodel.Handler
	s := llmtest.New(o)
	t.Cleanup(s.Close)
	return s
}

// deadServer returns the address of a model server that is not running.
func deadServer(t *testing.T) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return "http://" + l.Addr().String() + "/v1"
}

// accepted returns how many requests a server answered.
func accepted(s *llmtest.Server) int {
	n := 0
	for _, r := range s.Requests() {
		if !r.Refused {
			n++
		}
	}
	return n
}

// TestSpread indexes with three servers of a model, of which one is dead, one is slow, and one refuses more than three
// calls at the same time. The graph is as with one server, and the fast server answers most calls. With the servers in
// another order, all answers are in the cache.
func TestSpread(t *testing.T) {
	t.Parallel()
	p, docs := newProgram(t, neo4jtest.Server(t)), folder(t, "notes", notes(80))
	index := func(urls ...string) {
		t.Helper()
		p.ok("index", "--quiet", "--base-url", strings.Join(urls, ","), "--model", "simulated", docs)
	}
	p.env["NEORAG_CACHE"] = t.TempDir()
	one := modelServer(t, llmtest.Options{})
	index(one.URL())
	want := p.dump()
	neo4jtest.Wipe(t, p.corpus)

	p.env["NEORAG_CACHE"] = t.TempDir()
	dead, slow, fast := deadServer(t), modelServer(t, llmtest.Options{Latency: 500 * time.Millisecond}), modelServer(t, llmtest.Options{Latency: time.Millisecond, MaxConcurrent: 3})
	index(dead, slow.URL(), fast.URL())
	checkSameDump(t, want, p.dump())
	most, all := accepted(fast), accepted(fast)+accepted(slow)
	if all != accepted(one) || 5*most < 3*all || accepted(slow) == 0 {
		t.Errorf("the fast server answered %d of %d calls, one server %d", most, all, accepted(one))
	}

	neo4jtest.Wipe(t, p.corpus)
	slow.Reset()
	fast.Reset()
	index(fast.URL(), dead, slow.URL())
	checkSameDump(t, want, p.dump())
	if n := len(fast.Requests()) + len(slow.Requests()); n > 0 {
		t.Errorf("%d calls although all answers are in the cache", n)
	}
}
