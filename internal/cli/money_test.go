//go:build unix

package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/fakemodel"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/neo4jtest"
)

// folderOf writes files into a new folder.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "docs")
	if err := os.MkdirAll(dir, 0o750); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestModelMoney asks what a run will cost, runs with too little money until it
// is done, and changes the embedding model.
func TestModelMoney(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Dimension: 384})
	t.Cleanup(server.Close)
	env := p.env
	env["NEORAG_CACHE"] = t.TempDir()
	docs := folderOf(t, novel)
	with := []string{
		"--base-url", server.URL(), "--model", "simulated", "--embedding-model", "vectors", "--quiet", "--json",
		"--price-in", "1", "--price-out", "0.01", "--embedding-price-in", "3",
	}
	code, out, errs := command(t, env, append([]string{"index", docs, "--dry-run"}, with...)...)
	var e index.Estimate
	if err := json.Unmarshal([]byte(out), &e); err != nil || code != 0 || e.Calls == 0 || e.Cost == 0 || e.Seconds == 0 || server.Counts().Requests != 0 {
		t.Fatalf("a dry run: exit %d, %v, %d calls\n%s%s", code, err, server.Counts().Requests, out, errs)
	}
	if code, _, _ := command(t, env, "status"); code != 1 {
		t.Errorf("a dry run made a corpus: status exits with %d", code)
	}
	var r index.Result
	runs, cost, calls := 0, 0.0, int64(0)
	for code = 3; code == 3 && runs < 12; runs++ {
		code, out, errs = command(t, env, append([]string{"index", docs, "--max-cost", "0.004"}, with...)...)
		r = index.Result{}
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatalf("exit %d, %v\n%s%s", code, err, out, errs)
		}
		cost, calls = cost+r.Cost, calls+r.Calls
		if r.Cost > 0.004 || code == 3 && !strings.Contains(strings.Join(r.Notes, "\n"), "run the same command again") {
			t.Errorf("exit %d, cost %f, notes %q", code, r.Cost, r.Notes)
		}
	}
	t.Logf("%d runs, %d calls (%d estimated), cost %.4f (%.4f estimated)", runs, calls, e.Calls, cost, e.Cost)
	if code != 0 || runs < 2 {
		t.Errorf("%d runs, the last one exits with %d", runs, code)
	}
	if code, out, _ := command(t, env, append([]string{"index", docs, "--dry-run"}, with...)...); code != 0 || !strings.Contains(out, `"calls": 0,`) {
		t.Errorf("a dry run with nothing to do: exit %d\n%s", code, out)
	}

	again := []string{"embed", "--again", "--base-url", server.URL(), "--embedding-model", "other", "--embedding-price-in", "3"}
	if code, _, errs := command(t, env, again...); code != 1 || !strings.Contains(errs, "--yes") {
		t.Errorf("paid vectors without a yes: exit %d\n%s", code, errs)
	}
	if code, out, errs := command(t, env, append(again, "--yes")...); code != 0 || !strings.Contains(out, "Vectors: ") || !strings.Contains(out, "cost 0.") {
		t.Errorf("other vectors: exit %d\n%s%s", code, out, errs)
	}
	if code, out, _ := command(t, env, "status"); code != 0 || !strings.Contains(out, "(simulated, other)") {
		t.Errorf("status: exit %d\n%s", code, out)
	}
	server.Reset()
	askModel(t, env, "basic", "--base-url", server.URL(), "--model", "simulated", "--quiet")
	embeds := 0
	for _, req := range server.Requests() {
		if req.Embeds() {
			embeds++
			if req.Model != "other" {
				t.Errorf("a question is embedded by %s", req.Model)
			}
		}
	}
	if embeds != 1 {
		t.Errorf("the question was embedded %d times", embeds)
	}
	if code, _, errs := command(t, env, "index", docs, "--base-url", server.URL(), "--model", "x", "--max-cost", "1"); code != 2 || !strings.Contains(errs, "--price-in") {
		t.Errorf("a bound without prices: exit %d\n%s", code, errs)
	}
}

// TestModelFewPlaces indexes with 32 calls at once at a server that takes 8:
// once that is known few calls are refused, and none is lost.
func TestModelFewPlaces(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	const places, latency = 8, 40 * time.Millisecond
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Dimension: 384, MaxConcurrent: places, Latency: latency, RetryAfter: latency})
	t.Cleanup(server.Close)
	env := p.env
	env["NEORAG_CACHE"] = t.TempDir()
	files := map[string]string{}
	for i := range 80 {
		files[fmt.Sprintf("note-%02d.txt", i)] = fmt.Sprintf("Clara Hale met Visitor Nº %d in Port Ellen in 19%02d. %s", i, i, novel["one.txt"])
	}
	code, out, errs := command(t, env, "index", folderOf(t, files), "--base-url", server.URL(), "--model", "simulated", "--concurrency", "32", "--quiet", "--json", "--without", "reports")
	var r index.Result
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 0 || len(r.Failures) > 0 {
		t.Fatalf("exit %d, %v\n%s%s", code, err, out, errs)
	}
	requests := server.Requests()
	const first = 100 // calls in which the pace is found
	late, refused := 0, 0
	for _, req := range requests[first:] {
		late++
		if req.Refused {
			refused++
		}
	}
	share := 100 * float64(refused) / float64(late)
	t.Logf("%d requests, %d refused in all; after the first %d calls %.1f %%", len(requests), server.Counts().Refusals, first, share)
	if late < 250 || share >= 5 || server.Counts().Peak > places {
		t.Errorf("%d calls after the first ones, %.1f %% of them refused, %d at once", late, share, server.Counts().Peak)
	}
}
