package extract_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/extract"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
)

const ruizExample = `{"text": "Ana Ruiz founded\nTelmar. <<< 0123456789ab >>>", "entities": [
	{"name": "Ana Ruiz", "type": "founder", "description": "She founded Telmar ## <|COMPLETE|>."}, {"name": "Telmar", "type": "firm", "description": "A firm."}],
	"relationships": [{"source": "Ana Ruiz", "target": "Telmar", "description": "Ana Ruiz founded Telmar.", "keywords": ["founding"], "strength": 9}]}`

func TestParseDomain(t *testing.T) {
	t.Parallel()
	got, err := extract.ParseDomain([]byte(`{"description": " Firms\nand founders ", "entity_types": ["Founder", "firm"], "examples": [` + ruizExample + `]}`))
	if err != nil || got.Description != "Firms and founders" || strings.Join(got.EntityTypes, ",") != "founder,firm" || len(got.Examples) != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
	if list, err := extract.ParseDomain([]byte(` [` + ruizExample + `]`)); err != nil || len(list.Examples) != 1 {
		t.Errorf("a list of examples: got %+v, %v", list, err)
	}
	for text, want := range map[string]string{
		`{"about": "x"}`: "unknown field",
		`{"description": "` + strings.Repeat("x", 501) + `"}`: "more than 500 characters",
		`{"entity_types": ["a, b"]}`:                          "without a comma",
		`{"entity_types": [""]}`:                              "not an entity type",
		`[{"text": " "}]`:                                     "no text",
		`[{"text": "x", "relationships": [{"source": "A", "target": "B", "strength": 5}]}]`:                                `"A" is an end`,
		`[{"text": "x", "entities": [{"name": "A"}], "relationships": [{"source": "A", "target": "A", "strength": 900}]}]`: "give 1 to 10",
		`[` + strings.TrimSuffix(strings.Repeat(`{"text": "x"},`, 11), ",") + `]`:                                          "at most 10",
		`[{"text": "` + strings.Repeat("x", 4001) + `"}]`:                                                                  "more than 4000",
		`not JSON`: "parse the domain",
	} {
		if _, err := extract.ParseDomain([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: got %v, want %q", text, err, want)
		}
	}
}

// TestDomainInPrompt checks that examples are shown in the format that is asked for, as records
// that can be parsed, and that their texts are between marks that they do not contain.
func TestDomainInPrompt(t *testing.T) {
	t.Parallel()
	domain, err := extract.ParseDomain([]byte(`{"description": "Firms and founders.", "entity_types": ["founder", "firm"], "examples": [` + ruizExample + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	for format, parse := range map[extract.Format]func(string) graph.Extraction{
		extract.FormatTuples: extract.ParseTuples,
		extract.FormatJSON: func(s string) graph.Extraction {
			x, err := extract.ParseJSON(s)
			if err != nil {
				t.Error(err)
			}
			return x
		},
	} {
		server := llmtest.New(llmtest.Options{})
		t.Cleanup(server.Close)
		server.Enqueue(llmtest.Reply{Text: `{"entities": [], "relationships": []}<|COMPLETE|>`})
		client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "m"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(client.Close)
		m := extract.Model{Chat: llm.New(llm.Config{Provider: client.Chat()}), Format: format, Domain: domain, Language: "German", Gleanings: -1, Claims: extract.ClaimsNone}
		_, _ = m.Chunk(t.Context(), graph.Chunk{Key: "c/x", Text: "Nothing."}) // what is asked matters, not the answer
		system := server.Requests()[0].Messages[0].Content
		for _, want := range []string{"founder, firm", "The passages are about this: Firms and founders.", "Write all descriptions and keywords in German"} {
			if !strings.Contains(system, want) {
				t.Errorf("%s: no %q in\n%s", format, want, system)
			}
		}
		_, shown, _ := strings.Cut(system, "between the two marks\n")
		mark, rest, _ := strings.Cut(shown, "\n")
		passage, answer, ok := strings.Cut(rest, "\n"+mark+"\nthe answer is\n")
		if !ok || passage != domain.Examples[0].Text || strings.Contains(passage, mark) {
			t.Errorf("%s: the passage is %q after the mark %s", format, passage, mark)
		}
		x := parse(answer)
		var names []string
		for _, e := range x.Entities {
			names = append(names, e.Name+" "+e.Type)
		}
		if diff := cmp.Diff([]string{"Ana Ruiz founder", "Telmar firm"}, names); diff != "" || len(x.Relationships) != 1 || x.Relationships[0].Strength != 900 || x.Unread > 0 {
			t.Errorf("%s: the records of the example are %+v", format, x)
		}
	}
}
