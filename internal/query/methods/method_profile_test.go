package methods_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
)

// TestTableOfMethods checks that docs/methods.md lists the methods as `neorag methods` does: those
// for daily use, and those of papers.
func TestTableOfMethods(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "..", "..", "docs", "methods.md")
	body, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	pages := strings.Split(string(body), "| method | reads |")
	if len(pages) != 3 {
		t.Fatalf("docs/methods.md has %d tables of methods, want 2", len(pages)-1)
	}
	var want strings.Builder
	want.WriteString(pages[0])
	for i, everyday := range []bool{true, false} {
		_, after, _ := strings.Cut(pages[i+1], "\n\n")
		want.WriteString(tableOfMethods(everyday) + "\n" + after)
	}
	if os.Getenv("NEORAG_UPDATE") == "1" {
		if err := os.WriteFile(path, []byte(want.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want.String(), string(body)); diff != "" {
		t.Errorf("run with NEORAG_UPDATE=1 (-want +got):\n%s", diff)
	}
}

// tableOfMethods returns the methods for daily use, or the others, as a table in Markdown.
func tableOfMethods(everyday bool) string {
	var b strings.Builder
	b.WriteString("| method | reads | use it for | needs | calls of a model | paper |\n|---|---|---|---|---|---|\n")
	for _, m := range query.Methods() {
		if m.Everyday() != everyday {
			continue
		}
		name, published := "`"+m.Name+"`", ""
		if m.Name == "auto" {
			name += " (default)"
		}
		needs := query.JoinArtifacts(m.Needs)
		if m.NeedsModel {
			needs = "a chat model"
		}
		if m.Paper.Name != "" {
			published = fmt.Sprintf("[%s](%s) %s", m.Paper.Name, m.Paper.URL, m.Paper.Section)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", name, m.Reads, m.Use, needs, m.Calls, published)
	}
	return b.String()
}

// costTolerance is how far a cost of a profile may be from what is measured.
const costTolerance = .25

// TestCostOfMethods measures the cost of every method that its profile gives.
func TestCostOfMethods(t *testing.T) {
	t.Parallel()
	handler, err := fakemodel.Counted()
	if err != nil {
		t.Fatal(err)
	}
	server := llmtest.New(llmtest.Options{Handler: handler})
	t.Cleanup(server.Close)
	store := open(t)
	sampleWhole.indexed(t, store)
	e := asking(t, store, sampleWhole.corpus, server)
	for _, m := range query.Methods() {
		var got query.Cost
		for i, q := range carolQuestions(t) {
			a, err := e.Ask(t.Context(), query.Question{Text: q.Question, Method: m.Name})
			if err != nil {
				t.Fatal(err)
			}
			widen(&got.Calls, i, a.Usage.Calls)
			widen(&got.TokensIn, i, a.Usage.TokensIn)
			widen(&got.TokensOut, i, a.Usage.TokensOut)
		}
		for what, r := range map[string][2]query.Range{
			"calls": {m.Cost.Calls, got.Calls}, "tokens in": {m.Cost.TokensIn, got.TokensIn}, "tokens out": {m.Cost.TokensOut, got.TokensOut},
		} {
			if !near(r[0].Least, r[1].Least) || !near(r[0].Most, r[1].Most) {
				t.Errorf("%s: %s are given as %v, measured as %v: Cost{Calls: Range{%d, %d}, TokensIn: Range{%d, %d}, TokensOut: Range{%d, %d}}", m.Name, what, r[0], r[1],
					got.Calls.Least, got.Calls.Most, got.TokensIn.Least, got.TokensIn.Most, got.TokensOut.Least, got.TokensOut.Most)
			}
		}
		if m.Reads == "" || m.Use == "" || m.Calls == "" || m.Paper.URL == "" && m.Name != "auto" && m.Name != "fused" {
			t.Errorf("%s: the profile lacks something: %+v", m.Name, m.Profile)
		}
	}
}

// widen widens a range by the ith value, from 0.
func widen(r *query.Range, i int, value int64) {
	n := int(value)
	if i == 0 {
		*r = query.Range{Least: n, Most: n}
	}
	r.Least, r.Most = min(r.Least, n), max(r.Most, n)
}

// near reports whether a given number is close to a measured one.
func near(given, measured int) bool {
	d := float64(given - measured)
	return max(d, -d) <= costTolerance*float64(measured)
}
