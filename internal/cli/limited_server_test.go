//go:build unix

package cli_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// notes returns files with different texts.
func notes(n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("note-%02d.txt", i)] = fmt.Sprintf("Clara Hale met Visitor Nº %d in Port Ellen in 19%02d. %s", i, i, novel["one.txt"])
	}
	return files
}

// TestLimitedServer indexes with 32 concurrent calls on a server that accepts 8:
// after the first calls few are refused, and none is lost. Without an adapted rate three
// in four would be refused; a busy machine may refuse more than the few of an idle one.
func TestLimitedServer(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	const places, latency = 8, 40 * time.Millisecond
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Dimension: 384, MaxConcurrent: places, Latency: latency, RetryAfter: latency})
	t.Cleanup(server.Close)
	env := p.env
	env["NEORAG_CACHE"] = t.TempDir()
	code, out, errs := command(t, env, "index", folder(t, "docs", notes(80)), "--base-url", server.URL(), "--model", "simulated", "--concurrency", "32", "--quiet", "--json", "--without", "reports",
		"--claims", "separate", "--gleaning", "ask") // the most calls
	var r index.Result
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 0 || len(r.Failures) > 0 {
		t.Fatalf("exit %d, %v\n%s%s", code, err, out, errs)
	}
	requests := server.Requests()
	const first = 100 // calls until the rate is adapted
	late, refused := 0, 0
	for _, req := range requests[first:] {
		late++
		if req.Refused {
			refused++
		}
	}
	share := 100 * float64(refused) / float64(late)
	t.Logf("%d requests, %d refused in all; after the first %d calls %.1f %%", len(requests), server.Counts().Refusals, first, share)
	if late < 250 || share >= 25 || server.Counts().Peak > places {
		t.Errorf("%d calls after the first ones, %.1f %% of them refused, %d concurrent", late, share, server.Counts().Peak)
	}
}
