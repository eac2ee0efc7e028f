package query

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/fakemodel"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/prompts"
)

func TestSame(t *testing.T) {
	t.Parallel()
	tests := []struct {
		a, b string
		want bool
	}{
		{"The harbour was sold to Alpha in 1843 [1].", "The harbour was sold to Alpha in 1843. [2][3]", true},
		{"The old harbour was quickly sold to Alpha in 1843.", "The old harbour was sold to Alpha in 1843.", true},
		{"The harbour was sold to Alpha in 1843.", "The harbour was sold to Alpha in 1844.", false},
		{"The harbour was sold to Alpha.", "The harbour was not sold to Alpha.", false},
		{"The harbour wasn't sold to Alpha.", "The harbour was sold to Alpha.", false},
		{"The harbour was sold by Alpha to Beta.", "The harbour was sold by Beta to Alpha.", false},
		{"The large harbour of the old town was sold to Alpha.", "The large harbour of the old town was sold to Gamma.", false},
		{"Alpha grew.", "Alpha grew, and then its harbour burned down in one night.", false},
		{"", "", false},
	}
	for _, tt := range tests {
		if got := say(tt.a).same(say(tt.b)); got != tt.want {
			t.Errorf("%q and %q: got %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestJoinReferences(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, other, want string }{
		{"One [1].", "One [2][3].", "One [1][2][3]."},
		{"One. [1]", "One [1][4].", "One. [1][4]"},
		{"A [2]. One [1].", "One [2][3].", "A [2]. One [1][3]."},
		{"One.", "One [7].", "One. [7]"},
		{"One", "One", "One"},
		{"One [1][2][3][4][5].", "One [6].", "One [1][2][3][4][5]."},
	}
	for _, tt := range tests {
		if got := joinReferences(tt.text, tt.other); got != tt.want {
			t.Errorf("%q with %q: got %q, want %q", tt.text, tt.other, got, tt.want)
		}
	}
}

// TestJoinPoints says a point of several maps once, whichever map comes first.
func TestJoinPoints(t *testing.T) {
	t.Parallel()
	points := []point{
		{"The harbour was sold to Alpha in 1843 [1].", 70},
		{"Beta lit the lamps [2].", 80},
		{"The harbour was sold to Alpha in 1843 [3].", 90},
		{"The harbour was sold to Alpha in 1844 [4].", 60},
	}
	want := []point{
		{"The harbour was sold to Alpha in 1843 [3][1].", 90},
		{"Beta lit the lamps [2].", 80},
		{"The harbour was sold to Alpha in 1844 [4].", 60},
	}
	rapid.Check(t, func(t *rapid.T) {
		got := joinPoints(rapid.Permutation(points).Draw(t, "order"))
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(point{})); diff != "" {
			t.Fatalf("joinPoints (-want +got):\n%s", diff)
		}
	})
}

func TestAsData(t *testing.T) {
	t.Parallel()
	numbers := []graph.Reference{{N: 1, Kind: graph.KindReport}, {N: 2, Kind: graph.KindChunk}, {N: 3, Kind: graph.KindReport}}
	if got, want := asData("A [1][2][3]. B [2]. C [9].", numbers), "A [Data: Reports (1, 3); Sources (2)]. B [Data: Sources (2)]. C."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSaidTwice: a sentence that two reports hold is written once, and cited
// from both.
func TestSaidTwice(t *testing.T) {
	t.Parallel()
	s := func(text, key string, score float64) statement {
		return statement{text: text, group: key, score: score, target: graph.Reference{Kind: graph.KindReport, Key: key}}
	}
	got := choose([]statement{s("Marley was as dead as a nail", "a", 90), s("Marley was as dead as a nail", "b", 80), s("Marley was dead", "c", 70)}, approximateTokens, 100, 3)
	if len(got) != 1 || len(got[0].also) != 1 || got[0].also[0].target.Key != "b" {
		t.Errorf("got %+v", got)
	}
	text := markdown(got, false, func(statement) []int { return []int{1, 2} })
	if text != "- Marley was as dead as a nail [1][2]" {
		t.Errorf("got %q", text)
	}
}

// mapping answers maps, and fails those whose text holds one of the names.
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

// TestMapHalves: a window that is refused or cut off is read in halves, so that
// one report takes no others with it.
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
		d, err := m.mapReduce(t.Context(), q, fourReports())
		if err != nil || d.lost != 1 || len(d.notes) != 1 || !strings.Contains(d.notes[0], "lacks 1 of 4 reports, 25 % of their tokens") {
			t.Errorf("%s: got %+v, %v", name, d, err)
		}
		// All, two halves, two quarters, the answer; a refused schema is asked for in other ways.
		if n := server.Counts().Chats; name == "cut off" && n != 6 {
			t.Errorf("%s: %d calls, want 6", name, n)
		}
	}
}

// TestMapComesBack: a map that failed while its server was ill is asked again
// when others were answered.
func TestMapComesBack(t *testing.T) {
	t.Parallel()
	var failed atomic.Int32
	_, m := asking(t, mapping(func(text string) *llmtest.Reply {
		if strings.Contains(text, "Gamma") && failed.Add(1) <= 2 { // as often as a call is tried
			return &llmtest.Reply{Status: 500, Message: "ill"}
		}
		return nil
	}))
	if d, err := m.mapReduce(t.Context(), ofFour, fourReports()); err != nil || len(d.notes) != 0 || failed.Load() != 3 {
		t.Errorf("got %+v, %v after %d tries", d, err, failed.Load())
	}
	server, dead := asking(t, func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Status: 500, Message: "ill"} })
	var refused *llm.Error
	if _, err := dead.mapReduce(t.Context(), ofFour, fourReports()); !errors.As(err, &refused) || server.Counts().Chats != 8 {
		t.Errorf("a dead server: %v after %d tries, want two for each of four windows", err, server.Counts().Chats)
	}
}

// TestNothingFoundByModel: no points is an answer too, with and without failures.
func TestNothingFoundByModel(t *testing.T) {
	t.Parallel()
	_, m := asking(t, func(r llmtest.Request) llmtest.Reply {
		if strings.Contains(r.Last(), "Gamma") {
			return llmtest.Reply{Text: `{"points": [`, Finish: "length"}
		}
		return llmtest.Reply{Text: `{"points": []}`}
	})
	d, err := m.mapReduce(t.Context(), ofFour, fourReports())
	if err != nil || d.written || d.lost != 1 || len(d.notes) != 1 {
		t.Fatalf("got %+v, %v", d, err)
	}
	a := nothingSpeaks(ofFour.withDefaults(), d, rowsOf("Alpha", "Beta"))
	if !strings.Contains(a.Answer, "No report that could be read") || !strings.Contains(a.Answer, "“Alpha”") {
		t.Errorf("got %q", a.Answer)
	}
}
