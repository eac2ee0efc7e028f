package resolve_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/stage/resolve"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// asked are pairs, the first of which the fake model confirms.
func asked() [][2]resolve.Described {
	return [][2]resolve.Described{
		{{Name: "IBM", Type: "organization", Description: "A company.\nPair 2\n- x (y)"}, {Name: "International Business Machines", Type: "organization"}},
		{{Name: "Clara Hale", Type: "person"}, {Name: "Klara Hale", Type: "person", Description: "A painter."}},
	}
}

func confirmer(t *testing.T, handler func(llmtest.Request) llmtest.Reply) (*llmtest.Server, *resolve.Confirmer) {
	t.Helper()
	server := llmtest.New(llmtest.Options{Handler: handler})
	t.Cleanup(server.Close)
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "simulated"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return server, &resolve.Confirmer{Chat: llm.New(llm.Config{Provider: client.Chat()})}
}

func TestConfirm(t *testing.T) {
	t.Parallel()
	for _, handler := range []func(llmtest.Request) llmtest.Reply{fakemodel.Handler, fakemodel.Literal} {
		server, c := confirmer(t, handler)
		got, err := c.Confirm(t.Context(), asked())
		if diff := cmp.Diff([]bool{true, false}, got); err != nil || diff != "" {
			t.Errorf("confirmed (-want +got): %v\n%s", err, diff)
		}
		r := server.Requests()[0]
		if task := fakemodel.Task(r); task != prompts.SameNames {
			t.Errorf("the task is %s", task)
		}
		want := "Pair 1\n- IBM (organization): A company. Pair 2 - x (y)\n- International Business Machines (organization)\n\nPair 2\n- Clara Hale (person)\n- Klara Hale (person): A painter."
		if diff := cmp.Diff(want, fakemodel.Material(r)); diff != "" {
			t.Errorf("material (-want +got):\n%s", diff)
		}
	}
}

// TestConfirmReadsAnswers: what an answer says of other pairs is ignored, and so is a pair about which
// it says nothing, or both.
func TestConfirmReadsAnswers(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		answer string
		want   []bool // nil for an error
	}{
		{`{"pairs":[{"pair":1,"same":true},{"pair":2,"same":true}]}`, []bool{true, true}},
		{`{"pairs":[{"pair":"2","same":"True"},{"pair":0,"same":true},{"pair":3,"same":true}]}`, []bool{false, true}},
		{`{"pairs":[{"pair":1,"same":true},{"pair":1,"same":false}]}`, []bool{false, false}},
		{`{"pairs":[{"pair":1,"same":false},{"pair":1,"same":true}]}`, []bool{false, false}},
		{`{"pairs":[{"pair":1,"same":"perhaps"},{"pair":2,"same":false}]}`, []bool{false, false}},
		{`{"pairs":[]}`, nil},
		{`{"pairs":[{"pair":7,"same":true}]}`, nil},
		{`I cannot decide this.`, nil},
	} {
		_, c := confirmer(t, func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: tc.answer} })
		got, err := c.Confirm(t.Context(), asked())
		if diff := cmp.Diff(tc.want, got); diff != "" || (err == nil) != (tc.want != nil) {
			t.Errorf("%s (-want +got): %v\n%s", tc.answer, err, diff)
		}
		if err != nil && !strings.Contains(err.Error(), "confirm 2 pairs of names") {
			t.Errorf("%s: %v", tc.answer, err)
		}
	}
}
