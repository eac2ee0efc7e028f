package querygen_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/stage/querygen"
)

// modelOf returns a generator whose model answers as given, in turn.
func modelOf(t *testing.T, count int, answers ...string) (*querygen.Model, *llmtest.Server) {
	t.Helper()
	n := 0
	server := llmtest.New(llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply {
		n++
		return llmtest.Reply{Text: answers[min(n, len(answers))-1]}
	}})
	t.Cleanup(server.Close)
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "simulated"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return &querygen.Model{Options: querygen.Options{Count: count}, Chat: llm.New(llm.Config{Provider: client.Chat()})}, server
}

// TestModel: valid pairs are kept, and missing ones are asked for once more.
func TestModel(t *testing.T) {
	t.Parallel()
	a := querygen.QAPair{Query: "Who met Tobias?", Answer: "Clara"}
	b := querygen.QAPair{Query: "Where did they meet?", Answer: "in Glasgow"}
	list := func(pairs ...querygen.QAPair) string {
		var out []string
		for i, p := range pairs {
			out = append(out, fmt.Sprintf(`{"index": %d, "query": %q, "answer": %q}`, i, p.Query, p.Answer))
		}
		return "[" + strings.Join(out, ",") + "]"
	}
	object := func(pairs ...querygen.QAPair) string { return `{"pairs": ` + list(pairs...) + `}` }
	for _, tt := range []struct {
		name    string
		count   int
		answers []string
		want    []querygen.QAPair
		calls   int
	}{
		{"enough", 2, []string{object(a, b)}, []querygen.QAPair{a, b}, 1},
		{"too many", 1, []string{object(a, b)}, []querygen.QAPair{a}, 1},
		{"the rest is asked for once", 3, []string{object(a), object(a, b)}, []querygen.QAPair{a, b}, 2},
		{"repeated and empty ones do not count", 2, []string{object(a, a, querygen.QAPair{Query: "Who?"}), object(b)}, []querygen.QAPair{a, b}, 2},
		{"the second answer is unusable", 2, []string{object(a), "no"}, []querygen.QAPair{a}, 3},
		{"none", 2, []string{object(), object()}, nil, 2},
	} {
		m, server := modelOf(t, tt.count, tt.answers...)
		got, err := m.Pairs(t.Context(), "Clara met Tobias in Glasgow.")
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if calls := len(server.Requests()); calls != tt.calls {
			t.Errorf("%s: %d calls, want %d", tt.name, calls, tt.calls)
		}
	}
	m, _ := modelOf(t, 2, "I will not.")
	if _, err := m.Pairs(t.Context(), "Clara met Tobias."); err == nil {
		t.Error("an unusable answer is no error")
	}
}
