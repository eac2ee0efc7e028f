package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/neorag/neorag/internal/text/tokens"
)

// price is the price of a million tokens, in and out.
const price = 10

// A meter passes requests to the simulated model, reports usage in another form, and
// counts what the calls really cost.
type meter struct {
	*httptest.Server
	mu          sync.Mutex
	calls       int
	spent, most float64
}

// newMeter starts a meter. usage is what it reports; with keep it reports the true usage, and
// with nil none.
func (t *trial) newMeter(usage any, keep bool) *meter {
	counter, err := tokens.Get("o200k_base")
	if err != nil {
		t.fail(err)
	}
	m := &meter{}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client is gone
		}
		answer, status, err := t.passed(r, body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		if choices, ok := answer["choices"].([]any); ok && len(choices) > 0 {
			in, out := counter.Count(contents(body)), counter.Count(fmt.Sprint(choices[0].(map[string]any)["message"].(map[string]any)["content"]))
			m.count(float64(in+out) * price / 1e6)
			switch {
			case keep:
				answer["usage"] = map[string]any{"prompt_tokens": in, "completion_tokens": out, "total_tokens": in + out}
			case usage == nil:
				delete(answer, "usage")
			default:
				answer["usage"] = usage
			}
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(answer) // the client may be gone
	}))
	return m
}

// passed passes a request to the simulated model.
func (t *trial) passed(r *http.Request, body []byte) (answer map[string]any, status int, err error) {
	req, err := http.NewRequestWithContext(r.Context(), http.MethodPost, strings.TrimSuffix(t.model.URL(), "/v1")+r.URL.Path, bytes.NewReader(body))
	if err != nil {
		return nil, 0, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = resp.Body.Close() }()
	return answer, resp.StatusCode, json.NewDecoder(resp.Body).Decode(&answer)
}

// contents returns the texts of the messages of a request.
func contents(body []byte) string {
	var b struct {
		Messages []struct{ Content string } `json:"messages"`
	}
	_ = json.Unmarshal(body, &b) // it has no messages then
	var all strings.Builder
	for _, m := range b.Messages {
		all.WriteString(m.Content + "\n")
	}
	return all.String()
}

func (m *meter) count(cost float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	m.spent += cost
	m.most = max(m.most, cost)
}

// totals returns the number of calls, what they cost, and the cost of the most expensive.
func (m *meter) totals() (calls int, spent, most float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.calls, m.spent, m.most
}

// maxCost is more than the most that one call may cost, and less than all calls cost.
const maxCost = 0.3

// usageCases are limits of the cost, under all forms of usage.
func usageCases() (cases []testCase) {
	for _, c := range []struct {
		name  string
		usage any
	}{
		{"true", nil},
		{"none", nil},
		{"zero", map[string]any{"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}},
		{"null", map[string]any{"prompt_tokens": nil, "completion_tokens": nil}},
		{"string", map[string]any{"prompt_tokens": "12", "completion_tokens": "3"}},
		{"float", map[string]any{"prompt_tokens": 1200.5, "completion_tokens": 3.5}},
		{"negative", map[string]any{"prompt_tokens": -1200, "completion_tokens": -30}},
		{"huge", map[string]any{"prompt_tokens": 1_000_000_000_000, "completion_tokens": 1_000_000_000_000}},
	} {
		cases = append(cases, testCase{
			kind: "max-cost", name: "usage " + c.name, right: fmt.Sprintf("index stops at %.1f, at most one call later", maxCost),
			run: func(ctx context.Context, t *trial) (string, bool) {
				m := t.newMeter(c.usage, c.name == "true")
				defer m.Close()
				o := t.run(ctx, command{args: t.paid(ctx, m), limit: 2 * time.Minute})
				o.stderr = withoutProgress(o.stderr)
				calls, spent, most := m.totals()
				return fmt.Sprintf("%d calls, %.2f spent; %s", calls, spent, o.brief()), o.code > 0 && o.stopped == "" && calls > 0 && spent <= maxCost+most
			},
		})
	}
	return append(cases, testCase{kind: "max-cost", name: "one figure", right: "message and summary name the same cost", run: oneFigure},
		testCase{kind: "max-cost", name: "query", right: "a question stops before its second call", run: limitedQuery})
}

// paid returns the arguments of an index run with a limit.
func (t *trial) paid(ctx context.Context, m *meter) []string {
	return []string{
		"index", "--corpus", t.corpus(ctx, hashed), "--concurrency", "1", "--max-cost", fmt.Sprint(maxCost), "--price-in", strconv.Itoa(price),
		"--price-out", strconv.Itoa(price), "--without", "reports", "--base-url", m.URL + "/v1", "--model", "sim", filepath.Join(t.examples, "stave-1.txt"),
	}
}

var (
	summed  = regexp.MustCompile(`[^y] cost (\d+\.\d+)`) // not "may cost"
	claimed = regexp.MustCompile(`(\d+\.\d+) (?:of \d+\.\d+ )?(?:are|is|was|were) spent`)
)

// oneFigure compares the two costs that a run without usage prints.
func oneFigure(ctx context.Context, t *trial) (string, bool) {
	m := t.newMeter(nil, false)
	defer m.Close()
	o := t.run(ctx, command{args: t.paid(ctx, m), limit: 2 * time.Minute})
	o.stderr = withoutProgress(o.stderr)
	text := o.text()
	all := append(summed.FindAllStringSubmatch(text, -1), claimed.FindAllStringSubmatch(text, -1)...)
	figures := []string{}
	least, most := 0., 0.
	for _, f := range all {
		v, _ := strconv.ParseFloat(f[1], 64) // it has the form of a number
		figures = append(figures, strings.TrimSpace(f[0]))
		if least == 0 || v < least {
			least = v
		}
		most = max(most, v)
	}
	return fmt.Sprintf("%s: %s", strings.Join(figures, ", "), o.brief()), o.code > 0 && len(all) > 0 && most <= least*1.01+0.0001
}

func limitedQuery(ctx context.Context, t *trial) (string, bool) {
	if !t.has(ctx, "query", "--max-cost") {
		return "query has no --max-cost", false
	}
	m := t.newMeter(nil, false)
	defer m.Close()
	o := t.neorag(ctx, "query", "--corpus", t.tales, "--method", "global", "--level", "0", "--max-cost", "0.001", "--price-in", "10", "--price-out", "10",
		"--base-url", m.URL+"/v1", "--model", "sim", "What are the main themes?")
	calls, _, _ := m.totals()
	return fmt.Sprintf("%d calls; %s", calls, o.brief()), o.code != 0 && calls <= 1
}
