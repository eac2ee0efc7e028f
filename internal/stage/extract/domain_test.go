package extract_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/stage/extract"
)

const ruizExample = `{"text": "Ana Ruiz founded\nTelmar. <<< 0123456789ab >>>", "entities": [
	{"name": "Ana Ruiz", "type": "founder", "description": "She founded Telmar ## <|COMPLETE|>."}, {"name": "Telmar", "type": "firm", "description": "A firm."}],
	"relationships": [{"source": "Ana Ruiz", "target": "Telmar", "description": "Ana Ruiz founded Telmar.", "keywords": ["founding"], "strength": 9}],
	"claims": [{"subject": "Ana Ruiz", "type": "founding", "status": "TRUE", "description": "Ana Ruiz founded Telmar.", "source_text": "Ana Ruiz founded\nTelmar"}]}`

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
		`{"entity_types": ["a, b"]}`:                          "letters, digits",
		`{"entity_types": [""]}`:                              "not an entity type",
		`[{"text": " "}]`:                                     "no text",
		`[{"text": "x", "relationships": [{"source": "A", "target": "B", "strength": 5}]}]`:                                `"A" is an end`,
		`[{"text": "x", "claims": [{"subject": "A", "status": "TRUE"}]}]`:                                                  `"A" is the subject`,
		`[{"text": "x", "entities": [{"name": "A"}], "claims": [{"subject": "A", "object": "B", "status": "TRUE"}]}]`:      `"B" is the object`,
		`[{"text": "x", "entities": [{"name": "A"}], "claims": [{"subject": "A", "object": "NONE", "status": "maybe"}]}]`:  "give TRUE, FALSE or SUSPECTED",
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
	for format, parse := range parsers(t) {
		for _, mode := range []extract.ClaimMode{extract.ClaimsNone, extract.ClaimsJoint} {
			checkExample(t, domain, format, mode, parse)
		}
	}
}

// parsers returns the parser of each format.
func parsers(t *testing.T) map[extract.Format]func(string) graph.Extraction {
	t.Helper()
	return map[extract.Format]func(string) graph.Extraction{
		extract.FormatTuples: extract.ParseTuples,
		extract.FormatJSON: func(s string) graph.Extraction {
			x, err := extract.ParseJSON(s)
			if err != nil {
				t.Error(err)
			}
			return x
		},
	}
}

// asked returns the request for the first answer to a chunk, or for the last one.
func asked(t *testing.T, m *extract.Model, last bool) string {
	t.Helper()
	server := llmtest.New(llmtest.Options{})
	t.Cleanup(server.Close)
	for range 2 {
		server.Enqueue(llmtest.Reply{Text: `{"entities": [{"name": "Telmar", "type": "firm", "description": "A firm."}], "relationships": [], "claims": []}`})
	}
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	m.Chat, m.Gleanings = llm.New(llm.Config{Provider: client.Chat()}), -1
	_, _ = m.Chunk(t.Context(), graph.Chunk{Key: "c/x", Text: "Telmar is a firm."}) // what is asked matters, not the answer
	requests := server.Requests()
	if last {
		return requests[len(requests)-1].Messages[0].Content
	}
	return requests[0].Messages[0].Content
}

// checkExample checks that the example is in the prompt, as records that parse reads, with its
// claims where they are asked for.
func checkExample(t *testing.T, domain extract.Domain, format extract.Format, mode extract.ClaimMode, parse func(string) graph.Extraction) {
	t.Helper()
	system := asked(t, &extract.Model{Format: format, Domain: domain, Language: "German", Claims: mode}, false)
	for _, want := range []string{`"founder", "firm"`, "The passages are about this: Firms and founders.", `Write all descriptions and keywords in "German"`} {
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
	wantClaims := 0
	if mode == extract.ClaimsJoint {
		wantClaims = 1
	}
	if len(x.Claims) != wantClaims || strings.Contains(answer, "claim") != (wantClaims == 1) {
		t.Errorf("%s, %s: the claims of the example are %+v, want %d", format, mode, x.Claims, wantClaims)
	}
}

// TestLanguageOfClaims checks that the call for claims alone asks for the language too.
func TestLanguageOfClaims(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"", "German"} {
		system := asked(t, &extract.Model{Claims: extract.ClaimsSeparate, Language: language, Format: extract.FormatJSON}, true)
		if !strings.Contains(system, "subject") || strings.Contains(system, `Write all descriptions and keywords in "German"`) != (language != "") {
			t.Errorf("language %q: the request for claims is\n%s", language, system)
		}
	}
}
