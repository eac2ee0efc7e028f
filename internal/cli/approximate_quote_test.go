//go:build unix

package cli_test

import (
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestApproximateQuoteIsMarked lets a model repeat a sentence, rephrase one, and write what
// no sentence says: only the second quote is marked, in text, in JSON, in trace and in the
// stored answer, and the third answer quotes nothing.
func TestApproximateQuoteIsMarked(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	p.ok("index", "--offline", folder(t, "novel", map[string]string{"one.txt": novel["one.txt"]}))
	var answer atomic.Value
	server := llmtest.New(llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: answer.Load().(string)} }})
	t.Cleanup(server.Close)
	ask := []string{"query", "--method", "basic", question, "--base-url", server.URL(), "--model", "simulated"}
	for _, tt := range []struct {
		text, quote, shown string
		approximate        bool
	}{
		{"Tobias Reed kept the books of the Harbour Museum [Data: Sources (1)].", "Tobias Reed kept the books of the Harbour Museum.", "one.txt, line 1, bytes ", false},
		{"A certain Reed was the keeper of its books [Data: Sources (1)].", "Tobias Reed kept the books of the Harbour Museum.", "one.txt, approximately line 1, bytes ", true},
		{"Nadie lo sabe [Data: Sources (1)].", "", "one.txt, no matching sentence", false},
	} {
		answer.Store(tt.text)
		p.env["NEORAG_CACHE"] = t.TempDir()
		if out := p.ok(ask...).stdout; !strings.Contains(out, tt.shown) {
			t.Errorf("%q is shown as\n%s", tt.text, out)
		}
		for _, marked := range []string{p.ok("trace", "1").stdout, p.ok("trace", "1", "--json").stdout} {
			if strings.Contains(marked, "approximate") != tt.approximate {
				t.Errorf("%q: trace prints\n%s", tt.text, marked)
			}
		}
		var a query.Answer
		if err := json.Unmarshal([]byte(p.ok(append(ask, "--json")...).stdout), &a); err != nil || len(a.References) != 1 {
			t.Fatalf("%v, %+v", err, a)
		}
		if r := a.References[0]; r.Quote != tt.quote || r.Approximate != tt.approximate {
			t.Errorf("%q: got %+v, want the quote %q, approximate %v", tt.text, r, tt.quote, tt.approximate)
		}
	}
}
