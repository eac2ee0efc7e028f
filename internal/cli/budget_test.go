//go:build unix

package cli_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/prompts"
)

// TestBudget estimates the cost of a run, repeats the run with a small budget until
// it is finished, and changes the embedding model.
func TestBudget(t *testing.T) {
	t.Parallel()
	p := programFor(t, neo4jtest.Server(t), "model")
	server := llmtest.New(llmtest.Options{Dimension: 384, Handler: func(r llmtest.Request) llmtest.Reply {
		reply := fakemodel.Handler(r)
		reply.TokensOut = 20_000 // as long as the limit allows
		if r.MaxTokens > 0 {
			reply.TokensOut = min(reply.TokensOut, int64(r.MaxTokens))
		}
		return reply
	}})
	t.Cleanup(server.Close)
	env := p.env
	env["NEORAG_CACHE"] = t.TempDir()
	docs := folder(t, "docs", novel)
	with := []string{
		"--base-url", server.URL(), "--model", "simulated", "--embedding-model", "vectors", "--quiet", "--json",
		"--price-in", "1", "--price-out", "1", "--embedding-price-in", "3",
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
		code, out, errs = command(t, env, append([]string{"index", docs, "--max-cost", "0.03"}, with...)...)
		r = index.Result{}
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatalf("exit %d, %v\n%s%s", code, err, out, errs)
		}
		cost, calls = cost+r.Cost, calls+r.Calls
		if r.Cost > 0.03 || code == 3 && !strings.Contains(strings.Join(r.Notes, "\n"), "run the same command again") {
			t.Errorf("exit %d, cost %f, notes %q", code, r.Cost, r.Notes)
		}
	}
	t.Logf("%d runs, %d calls (%d estimated), cost %.4f (%.4f estimated)", runs, calls, e.Calls, cost, e.Cost)
	if code != 0 || runs < 2 {
		t.Errorf("%d runs, the last one exits with %d", runs, code)
	}
	for _, req := range server.Requests() {
		want := 4096
		switch fakemodel.Task(req) {
		case fakemodel.Embed:
			want = 0
		case prompts.Extract, prompts.GleanList:
			want = 8192
		}
		if req.MaxTokens != want {
			t.Errorf("%s may answer with %d tokens, want %d", fakemodel.Task(req), req.MaxTokens, want)
		}
	}
	if code, out, _ := command(t, env, append([]string{"index", docs, "--dry-run"}, with...)...); code != 0 || !strings.Contains(out, `"calls": 0,`) {
		t.Errorf("a dry run with nothing to do: exit %d\n%s", code, out)
	}

	again := []string{"embed", "--again", "--base-url", server.URL(), "--embedding-model", "other", "--embedding-price-in", "3"}
	if code, _, errs := command(t, env, again...); code != 1 || !strings.Contains(errs, "--yes") {
		t.Errorf("a paid model without --yes: exit %d\n%s", code, errs)
	}
	if code, out, errs := command(t, env, append(again, "--yes")...); code != 0 || !strings.Contains(out, "Embedded ") || !strings.Contains(out, "cost 0.") {
		t.Errorf("another embedding model: exit %d\n%s%s", code, out, errs)
	}
	if code, out, _ := command(t, env, "status"); code != 0 || !strings.Contains(out, "(simulated, other)") {
		t.Errorf("status: exit %d\n%s", code, out)
	}
	server.Reset()
	askModel(t, env, "basic", "--base-url", server.URL(), "--model", "simulated", "--quiet", "--parameter", "max_completion_tokens=600")
	embeds := 0
	for _, req := range server.Requests() {
		if !req.Embeds() && (req.MaxTokens != 600 || strings.Contains(string(req.Body), `"max_tokens"`)) {
			t.Errorf("a parameter sets the token limit: got %d in %s", req.MaxTokens, req.Body)
		}
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
		t.Errorf("--max-cost without prices: exit %d\n%s", code, errs)
	}
}
