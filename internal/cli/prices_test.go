//go:build unix

package cli_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/prices"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestListedPrices estimates runs and questions at OpenAI, without calls: the cost is by the built-in
// list, and the output says of which day. Then it limits what a question may cost.
func TestListedPrices(t *testing.T) {
	t.Parallel()
	p := programFor(t, neo4jtest.Server(t), "model")
	env := p.env
	env["OPENAI_API_KEY"], env["NEORAG_CACHE"] = openAIKey, t.TempDir()
	docs := folder(t, "docs", novel)
	code, out, errs := command(t, env, "index", docs, "--dry-run")
	if code != 0 || !strings.Contains(errs, "the cost is in USD, by the list prices of "+prices.Date) || strings.Contains(errs, "unknown") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	var e struct {
		Cost      float64
		PriceDate string `json:"price_date"`
	}
	code, out, errs = command(t, env, "index", docs, "--dry-run", "--json", "--max-cost", "5")
	if err := json.Unmarshal([]byte(out), &e); err != nil || code != 0 || e.Cost <= 0 || e.PriceDate != prices.Date {
		t.Errorf("exit %d, %v, %+v\n%s%s", code, err, e, out, errs)
	}
	code, out, errs = command(t, env, "index", docs, "--dry-run", "--model", "gpt-unlisted")
	if code != 0 || !strings.Contains(errs, "the cost of gpt-unlisted is unknown") {
		t.Errorf("a model that is not listed: exit %d\n%s%s", code, out, errs)
	}
	if code, _, errs := command(t, env, "index", docs, "--model", "gpt-unlisted", "--max-cost", "5"); code != 2 || !strings.Contains(errs, "models.chat.price_in") {
		t.Errorf("a limit without a price: exit %d, %s", code, errs)
	}

	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Dimension: 384})
	t.Cleanup(server.Close)
	maps.Copy(env, map[string]string{"OPENAI_API_KEY": "", "NEORAG_BASE_URL": server.URL(), "NEORAG_MODEL": "simulated", "NEORAG_EMBEDDING_MODEL": "vectors"})
	if code, out, errs := command(t, env, "index", docs, "--quiet"); code != 0 || strings.Contains(out, "USD") {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	server.Reset()
	priced := []string{"--price-in", "1", "--price-out", "2", "--embedding-price-in", "1"}
	code, out, errs = command(t, env, append([]string{"query", "--dry-run"}, priced...)...)
	if code != 0 || !strings.Contains(out, "calls") || !strings.Contains(out, "cost 0.") || strings.Contains(out+errs, "USD") || server.Counts().Requests != 0 {
		t.Errorf("exit %d, %d requests\n%s%s", code, server.Counts().Requests, out, errs)
	}
	if code, out, _ := command(t, env, "query", "--dry-run", "--offline"); code != 0 || strings.Contains(out, "calls") {
		t.Errorf("offline: exit %d\n%s", code, out)
	}
	ask := append([]string{"query", "--method", "basic", "--quiet", "Who kept the books?"}, priced...)
	if code, out, errs := command(t, env, append(ask, "--max-cost", "0.00001")...); code == 0 || !strings.Contains(errs, "the budget for model calls is spent") {
		t.Errorf("a question that costs too much: exit %d\n%s%s", code, out, errs)
	}
	if n := server.Counts().Chats; n != 0 {
		t.Errorf("%d calls beyond the limit", n)
	}
	if code, out, errs := command(t, env, append(ask, "--max-cost", "1")...); code != 0 {
		t.Errorf("a question within the limit: exit %d\n%s%s", code, out, errs)
	}
	if code, _, errs := command(t, env, "query", "--max-cost", "1", "Who?"); code != 2 || !strings.Contains(errs, "--max-cost: give the prices") {
		t.Errorf("a limit without prices: exit %d, %s", code, errs)
	}
}
