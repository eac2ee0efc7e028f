package report_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/stage/report"
	"github.com/neorag/neorag/internal/text/tokens"
)

// writeReport asks a server that gives the answers in order.
func writeReport(t *testing.T, limit int, answers ...string) (graph.Report, error) {
	t.Helper()
	server := llmtest.New(llmtest.Options{})
	t.Cleanup(server.Close)
	for _, a := range answers {
		server.Enqueue(llmtest.Reply{Text: a})
	}
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	counter, err := tokens.Get("")
	if err != nil {
		t.Fatal(err)
	}
	w := report.Model{Options: report.Options{MaxTokens: limit}, Counter: counter, Chat: llm.New(llm.Config{Provider: client.Chat(), Retry: llm.Retry{FirstWait: time.Millisecond}})}
	in := report.Input{
		Community:     graph.Community{Key: "c/k", Members: []string{"c/a", "c/b"}, Final: true},
		Entities:      []graph.Entity{{Key: "c/a", Name: "A", Type: "person", Description: "A is one."}, {Key: "c/b", Name: "B", Type: "person", Description: "B is two."}},
		Relationships: []graph.Relationship{{Key: "c/r", Source: "c/a", Target: "c/b", SourceName: "A", TargetName: "B", Description: "A met B.", Weight: 1}},
	}
	return w.Report(t.Context(), in, report.Pack(in, report.Options{}, counter))
}

func TestModel(t *testing.T) {
	t.Parallel()
	good := `{"title": "A and B [Data: Entities (1)]", "summary": "They met [Data: Relationships (1); Entities (2, 77)].", "rating": "8/10", "rating_explanation": "So.",
"findings": [{"summary": "First", "explanation": "A is one [Data: Entities (2)].", "more": true}, "B is two [Data: Entities (1)]."], "date_range": ["x"]}`
	got, err := writeReport(t, 0, good)
	if err != nil {
		t.Fatal(err)
	}
	if got.Title != "A and B" || got.Summary != "They met [1][2]." || got.Rating != 8 || got.Model != "m" || got.NTokens == 0 {
		t.Errorf("got %+v", got)
	}
	if diff := cmp.Diff([]graph.Finding{{Summary: "First", Explanation: "A is one [2]."}, {Summary: "Finding 2", Explanation: "B is two [3]."}}, got.Findings); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if len(got.References) != 3 || got.References[0].Kind != graph.KindRelationship || got.References[1].N != 2 {
		t.Errorf("references %+v", got.References)
	}
	if got, err := writeReport(t, 0, "Not a word of JSON.", good); err != nil || got.Title != "A and B" {
		t.Errorf("valid JSON only when asked again: got %+v, %v", got, err)
	}
	if _, err := writeReport(t, 0, `{"title": "A"}`, `{"title": "", "summary": "x"}`); err == nil || !strings.Contains(err.Error(), "A") {
		t.Errorf("no report: got %v", err)
	}
}

// TestModelTooLong checks that a report that is too long loses its last findings.
func TestModelTooLong(t *testing.T) {
	t.Parallel()
	long := map[string]any{"title": "T", "summary": "S [Data: Entities (1)].", "rating": 3, "rating_explanation": ""}
	findings := []map[string]string{}
	for i := range 9 {
		findings = append(findings, map[string]string{"summary": fmt.Sprintf("F%d", i), "explanation": strings.Repeat("word ", 60) + "[Data: Entities (2)]."})
	}
	long["findings"] = findings
	b, err := json.Marshal(long)
	if err != nil {
		t.Fatal(err)
	}
	got, err := writeReport(t, 200, string(b))
	if err != nil || got.NTokens > 200 || len(got.Findings) == 0 || len(got.Findings) == 9 {
		t.Errorf("got %d tokens and %d findings, %v", got.NTokens, len(got.Findings), err)
	}
}
