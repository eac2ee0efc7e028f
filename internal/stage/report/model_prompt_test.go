package report_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/stage/report"
	"github.com/neorag/neorag/internal/text/tokens"
)

var asked = regexp.MustCompile(`at most (\d+) insights|at most (\d+) words`)

// TestWhatIsAskedForFits: a report of as many words and findings as the prompt asks for, with
// references, keeps all its findings.
func TestWhatIsAskedForFits(t *testing.T) {
	t.Parallel()
	counter, err := tokens.Get("")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		limit, findings int
		entities        int
		language, usual string
		want            string
	}{
		{0, 5, 6, "", "", "the language of the records"},
		{400, 3, 6, "", "German", "German"},
		{2000, 10, 6, "French", "German", `"French"`},
		{0, 0, 5, "", "", "the language of the records"},
	} {
		findings, words := -1, 0
		server := llmtest.New(llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
			system := r.Messages[0].Content
			for _, m := range asked.FindAllStringSubmatch(system, -1) {
				if n, err := strconv.Atoi(m[1]); err == nil {
					findings = n
				}
				if n, err := strconv.Atoi(m[2]); err == nil {
					words = n
				}
			}
			if !strings.Contains(system, "Write in "+tt.want+".") {
				t.Errorf("no %q in\n%s", tt.want, system)
			}
			if findings < 0 || words == 0 {
				return llmtest.Reply{Status: 400, Message: "no numbers"}
			}
			each := words / (findings + 1)
			var phrases strings.Builder
			for i := range each / 6 {
				fmt.Fprintf(&phrases, "mill %d along rivers brought work ", i)
			}
			said := phrases.String()
			var list []string
			for i := range findings {
				list = append(list, fmt.Sprintf(`{"summary": "Work came %d", "explanation": "%s[Data: Entities (1); Relationships (1)]."}`, i, said))
			}
			if limit := fmt.Sprintf(`"maxItems":%d`, findings); !strings.Contains(string(r.Body), limit) {
				t.Errorf("no %s in %s", limit, r.Body)
			}
			return llmtest.Reply{Text: fmt.Sprintf(`{"title": "Mills and towns", "summary": "%s[Data: Entities (1, 2)].", "rating": 5, "rating_explanation": "Many worked there.", "findings": [%s]}`, said, strings.Join(list, ","))}
		}})
		t.Cleanup(server.Close)
		client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "m"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(client.Close)
		m := report.Model{Options: report.Options{MaxTokens: tt.limit}, Counter: counter, Chat: llm.New(llm.Config{Provider: client.Chat()}), Language: tt.language, Usual: tt.usual}
		in := report.Input{
			Entities:      []graph.Entity{{Key: "c/a", Name: "A", Description: "A."}, {Key: "c/b", Name: "B", Description: "B."}},
			Relationships: []graph.Relationship{{Key: "c/r", Source: "c/a", Target: "c/b", SourceName: "A", TargetName: "B", Description: "A met B."}},
		}
		for i := len(in.Entities); i < tt.entities; i++ {
			in.Entities = append(in.Entities, graph.Entity{Key: fmt.Sprintf("c/%d", i), Name: "More", Description: "More."})
		}
		got, err := m.Report(t.Context(), in, report.Pack(in, report.Options{}, counter))
		if err != nil {
			t.Fatal(err)
		}
		if findings != tt.findings || got.DroppedFindings != 0 || len(got.Findings) != findings || got.DroppedReferences != 0 {
			t.Errorf("limit %d: asked for %d findings in %d words; the report has %d tokens and lost %d findings, %d references", tt.limit, findings, words, got.NTokens, got.DroppedFindings, got.DroppedReferences)
		}
		t.Logf("limit %d: %d words, %d findings, %d tokens", tt.limit, words, findings, got.NTokens)
		other := m
		if other.Usual = "Dutch"; other.Fingerprint() != m.Fingerprint() {
			t.Error("the usual language changes the fingerprint")
		}
		if other.Language = "Dutch"; other.Fingerprint() == m.Fingerprint() {
			t.Error("the language does not change the fingerprint")
		}
	}
}
