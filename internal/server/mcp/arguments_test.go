package mcp

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/neorag/neorag/internal/server/servertest"
)

// TestHostileArguments calls tools with arguments that they do not take: each is an error that says what to do,
// and the server answers the next call.
func TestHostileArguments(t *testing.T) {
	t.Parallel()
	s, corpus := sample(t)
	long := strings.Repeat("x", maxQuestion+1)
	many := make([]string, maxCorpora+1)
	for i := range many {
		many[i] = corpus
	}
	onEach(t, func(t *testing.T, connect func(*testing.T, *Server) *sdk.ClientSession) {
		session := connect(t, s)
		for _, tt := range []struct {
			tool      string
			arguments any
			want      string
		}{
			{"context", nil, "question"},
			{"context", map[string]any{}, "question"},
			{"context", map[string]any{"question": ""}, "question"},
			{"context", map[string]any{"question": "  "}, "question"},
			{"context", map[string]any{"question": 7}, "question"},
			{"context", map[string]any{"question": []string{"a"}}, "question"},
			{"context", map[string]any{"question": nil}, "question"},
			{"context", map[string]any{"question": long}, "question"},
			{"context", map[string]any{"question": partner, "max_tokens": 1e9}, "max_tokens"},
			{"context", map[string]any{"question": partner, "max_tokens": 1e300}, "max_tokens"},
			{"context", map[string]any{"question": partner, "max_tokens": -1}, "max_tokens"},
			{"context", map[string]any{"question": partner, "max_tokens": 1.5}, "max_tokens"},
			{"context", map[string]any{"question": partner, "max_tokens": "many"}, "max_tokens"},
			{"context", map[string]any{"question": partner, "corpora": 1}, "corpora"},
			{"context", map[string]any{"question": partner, "corpora": []any{1}}, "corpora"},
			{"context", map[string]any{"question": partner, "corpora": map[string]any{"a": 1}}, "corpora"},
			{"context", map[string]any{"question": partner, "corpora": many}, "corpora"},
			{"context", map[string]any{"question": partner, "corpora": []string{""}}, "no corpus"},
			{"context", map[string]any{"question": partner, "corpora": "../" + corpus}, "no corpus"},
			{"context", map[string]any{"question": partner, "corpora": corpus + "') MATCH (n) DETACH DELETE n //"}, "no corpus"},
			{"context", map[string]any{"question": partner, "method": "none"}, "method"},
			{"context", map[string]any{"question": partner, "method": "drift"}, "context"},
			{"context", map[string]any{"question": partner, "filter": "documents"}, "filter"},
			{"context", map[string]any{"question": partner, "filter": map[string]any{"after": "yesterday"}}, "yesterday"},
			{"context", map[string]any{"question": partner, "filter": map[string]any{"unknown": 1}}, "unknown"},
			{"context", map[string]any{"question": partner, "filter": map[string]any{"documents": "nothing"}}, "no document matches"},
			{"context", map[string]any{"question": partner, "corpus": corpus}, "corpus"},
			{"context", map[string]any{"question": partner, "server": "bolt://evil.example"}, "server"},
			{"context", []string{"question"}, "arguments"},
			{"context", "question", "arguments"},
			{"read", map[string]any{}, "name one"},
			{"read", map[string]any{"document": "a", "entity": "b"}, "name one"},
			{"read", map[string]any{"document": "none.md"}, "none.md"},
			{"read", map[string]any{"document": strings.Repeat("x", maxName+1)}, "document"},
			{"read", map[string]any{"document": "/etc/passwd"}, "document"},
			{"read", map[string]any{"document": document(t, session), "start": -1}, "start"},
			{"read", map[string]any{"document": document(t, session), "start": 1e18}, "start"},
			{"read", map[string]any{"document": document(t, session), "max_tokens": 13000}, "max_tokens"},
			{"read", map[string]any{"report": "C9_99"}, "C9_99"},
			{"read", map[string]any{"entity": "qqqqxxxx"}, "qqqqxxxx"},
			{"read", map[string]any{"entity": "x", "corpus": "none"}, "no corpus none"},
			{"corpora", map[string]any{"corpus": "none"}, "no corpus none"},
			{"corpora", map[string]any{"corpus": 3}, "corpus"},
		} {
			result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tt.tool, Arguments: tt.arguments})
			if err != nil {
				t.Errorf("%s %v: %v, want an error of the tool", tt.tool, tt.arguments, err)
				continue
			}
			text := result.Content[0].(*sdk.TextContent).Text //nolint:forcetypeassert // fails the test
			if !result.IsError || !strings.Contains(text, tt.want) || !strings.Contains(text, "What to do: ") || utf8.RuneCountInString(text) > maxError {
				t.Errorf("%s %.100v: error %v: %.600s, want %q", tt.tool, tt.arguments, result.IsError, text, tt.want)
			}
			if result.StructuredContent != nil {
				t.Errorf("%s %.100v: the error has a value", tt.tool, tt.arguments)
			}
		}
		if _, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "drop"}); err == nil {
			t.Error("an unknown tool answers")
		}
		if text, result := call(t, session, "corpora", nil); result.IsError {
			t.Errorf("corpora: %s", text)
		}
	})
}

// TestClearIntentions calls tools with arguments in forms that models write.
func TestClearIntentions(t *testing.T) {
	t.Parallel()
	s, corpus := sample(t)
	session := overPipes(t, s, eras[1])
	list := []string{corpus}
	for _, group := range [][]map[string]any{
		{
			{"question": partner, "corpora": list},
			{"question": partner, "corpora": corpus},
			{"question": partner, "corpora": `["` + corpus + `"]`},
			{"question": partner, "corpora": nil, "method": nil, "filter": nil, "max_tokens": nil},
			{"question": partner, "corpora": "", "filter": ""},
			{"question": partner, "corpora": []string{}, "filter": map[string]any{}},
		}, {
			{"question": partner, "filter": map[string]any{"documents": []string{"stave-1.txt"}}},
			{"question": partner, "filter": map[string]any{"documents": "stave-1.txt"}},
			{"question": partner, "filter": `{"documents": ["stave-1.txt"]}`},
		},
	} {
		want, _ := ok[contextOutput](t, session, "context", group[0])
		for _, arguments := range group[1:] {
			if got, _ := ok[contextOutput](t, session, "context", arguments); got.Text != want.Text {
				t.Errorf("%v: another context: %.200s", arguments, got.Text)
			}
		}
	}
}

// TestHiddenCorpus asks for a corpus that exists and is not shown, in every way: the errors are those of a
// corpus that does not exist.
func TestHiddenCorpus(t *testing.T) {
	t.Parallel()
	hidden := servertest.Index(t, map[string]string{"secret.md": "# Secret\n\nTobias Reed met Anna Hale in York.\n"})
	s, corpus := sample(t)
	session := overPipes(t, s, eras[1])
	const missing = "nothere"
	for _, tt := range []struct {
		tool      string
		arguments func(corpus string) map[string]any
	}{
		{"corpora", func(c string) map[string]any { return map[string]any{"corpus": c} }},
		{"context", func(c string) map[string]any { return map[string]any{"question": partner, "corpora": c} }},
		{"context", func(c string) map[string]any {
			return map[string]any{"question": partner, "corpora": []string{corpus, c}}
		}},
		{"read", func(c string) map[string]any { return map[string]any{"corpus": c, "document": "secret.md"} }},
		{"read", func(c string) map[string]any { return map[string]any{"document": c + "/secret.md"} }},
		{"read", func(c string) map[string]any { return map[string]any{"corpus": c, "entity": "Tobias Reed"} }},
		{"read", func(c string) map[string]any { return map[string]any{"corpus": c, "report": "C0_1"} }},
		{"read", func(c string) map[string]any { return map[string]any{"corpus": corpus, "document": c + "/secret.md"} }},
	} {
		a, first := call(t, session, tt.tool, tt.arguments(hidden))
		b, second := call(t, session, tt.tool, tt.arguments(missing))
		if !first.IsError || !second.IsError || strings.ReplaceAll(a, hidden, missing) != b {
			t.Errorf("%s %v: %s\nwant as for a corpus that does not exist: %s", tt.tool, tt.arguments(hidden), a, b)
		}
	}
	if _, text := ok[corporaOutput](t, session, "corpora", nil); strings.Contains(text, hidden) {
		t.Errorf("the list has a corpus that is not shown: %s", text)
	}
}

// TestFenceOfMCP sends requests that the fence of the server refuses.
func TestFenceOfMCP(t *testing.T) {
	t.Parallel()
	s, _ := sample(t)
	address := serve(t, s) + "/mcp"
	for name, tt := range map[string]struct {
		header map[string]string
		want   int
	}{
		"no token":            {nil, http.StatusUnauthorized},
		"a wrong token":       {map[string]string{"Authorization": "Bearer wrong"}, http.StatusUnauthorized},
		"a foreign page":      {map[string]string{"Authorization": "Bearer " + testToken, "Origin": "https://evil.example"}, http.StatusForbidden},
		"a page of a sibling": {map[string]string{"Authorization": "Bearer " + testToken, "Sec-Fetch-Site": "same-site"}, http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodPost, address, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "application/json, text/event-stream")
			for name, value := range tt.header {
				r.Header.Set(name, value)
			}
			response, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			_ = response.Body.Close()
			if response.StatusCode != tt.want {
				t.Errorf("status %d, want %d", response.StatusCode, tt.want)
			}
		})
	}
}
