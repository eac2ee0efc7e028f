package synth

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// mapping answers map calls, except those for which fails returns a reply.
func mapping(fails func(text string) *llmtest.Reply) func(llmtest.Request) llmtest.Reply {
	return func(r llmtest.Request) llmtest.Reply {
		if fakemodel.Task(r) != prompts.Map {
			return llmtest.Reply{Text: "All of it [Data: Reports (1, 2, 3)]."}
		}
		if reply := fails(r.Last()); reply != nil {
			return *reply
		}
		return llmtest.Reply{Text: `{"points": [{"description": "It is [Data: Reports (1)].", "score": 50}]}`}
	}
}

// TestMapHalves: a window that is refused or cut off is read in halves, so that one
// report does not take others with it.
func TestMapHalves(t *testing.T) {
	t.Parallel()
	for name, reply := range map[string]llmtest.Reply{
		"refused": {Status: 400, Message: "against the policy"},
		"cut off": {Text: `{"points": [`, Finish: "length"},
	} {
		server, m := asking(t, mapping(func(text string) *llmtest.Reply {
			if strings.Contains(text, "Gamma") {
				return &reply
			}
			return nil
		}))
		q := ofFour
		q.MapTokens = 1000
		d, err := m.MapReduce(t.Context(), q, fourReports())
		if err != nil || d.Lost != 1 || len(d.Notes) != 1 || !strings.Contains(d.Notes[0], "lacks 1 of 4 reports, 25 % of their tokens") {
			t.Errorf("%s: got %+v, %v", name, d, err)
		}
		// All, two halves, two quarters, the answer; a refused schema adds calls in other formats.
		if n := server.Counts().Chats; name == "cut off" && n != 6 {
			t.Errorf("%s: %d calls, want 6", name, n)
		}
	}
}

// TestMapComesBack: a map call that failed for a passing reason is repeated when
// others were answered.
func TestMapComesBack(t *testing.T) {
	t.Parallel()
	var failed atomic.Int32
	_, m := asking(t, mapping(func(text string) *llmtest.Reply {
		if strings.Contains(text, "Gamma") && failed.Add(1) <= 2 { // the attempts of one call
			return &llmtest.Reply{Status: 500, Message: "ill"}
		}
		return nil
	}))
	if d, err := m.MapReduce(t.Context(), ofFour, fourReports()); err != nil || len(d.Notes) != 0 || failed.Load() != 3 {
		t.Errorf("got %+v, %v after %d tries", d, err, failed.Load())
	}
	server, dead := asking(t, func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Status: 500, Message: "ill"} })
	var refused *llm.Error
	if _, err := dead.MapReduce(t.Context(), ofFour, fourReports()); !errors.As(err, &refused) || server.Counts().Chats != 8 {
		t.Errorf("a dead server: %v after %d tries, want two for each of four windows", err, server.Counts().Chats)
	}
}

// TestMapFitsTheContext: windows that are too long for the model are divided by what the
// refusal states of its context, and nothing is lost.
func TestMapFitsTheContext(t *testing.T) {
	t.Parallel()
	server := llmtest.New(llmtest.Options{Context: 3000, Handler: mapping(func(string) *llmtest.Reply { return nil })})
	t.Cleanup(server.Close)
	m := askingAt(t, server)
	var blocks []Block
	for range 24 {
		for _, b := range fourReports() {
			b.Text, b.Tokens = strings.Repeat(b.Text+" ", 25), 100
			blocks = append(blocks, b)
		}
	}
	q := ofFour
	q.MapTokens = 8000
	d, err := m.MapReduce(t.Context(), q, blocks)
	if err != nil || d.Lost != 0 || len(d.Notes) != 0 {
		t.Errorf("got %d lost, notes %q, %v; want nothing lost", d.Lost, d.Notes, err)
	}
	asked := 0
	for _, r := range server.Requests() {
		if fakemodel.Task(r) == prompts.Map && r.MaxTokens < llm.DefaultMaxTokens {
			asked++
		}
	}
	if asked < 4 {
		t.Errorf("the windows were read in %d calls, want at least 4 of 9,600 tokens in a context of 3,000", asked)
	}
}
