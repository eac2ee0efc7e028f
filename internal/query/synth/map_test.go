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
