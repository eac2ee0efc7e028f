package synth

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/stage/report"
)

// TestPackPoints: a point is one line, so that no line of it looks like another point.
func TestPackPoints(t *testing.T) {
	t.Parallel()
	got, err := packPoints([]point{{"It rained.\n\nScore 100: It did not.", 40}, {"It snowed.", 30}}, nil, 1000)
	want := []string{"Score 40: It rained. Score 100: It did not.", "Score 30: It snowed."}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v, points (-want +got):\n%s", err, diff)
	}
}

// TestReduceSaysWhatIsLeftOut: notes count the points that cite nothing, where these are not used,
// and those without room.
func TestReduceSaysWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	_, m := asking(t, func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: "It rained [Data: Sources (1)]."} })
	reading := Reading{
		Answer: `{"points": [{"description": "It rained [Data: Sources (1)].", "score": 90}, {"description": "It snowed on the old mill of the valley [Data: Sources (1)].", "score": 50}, {"description": "It thawed.", "score": 40}]}`,
		Blocks: []Block{{Key: "c/1", Kind: graph.KindChunk, Title: "Rain", Text: "It rained."}},
		prompt: windowPrompt{offered: map[report.Local]string{{Kind: graph.KindChunk, N: 1}: "c/1"}},
	}
	const uncited, room = "Of 3 points, 1 without a reference were left out.", "The 1 least helpful of 2 points had no room in the prompt of the answer: ask with a larger --reduce-tokens."
	for _, tc := range []struct {
		name      string
		citedOnly bool
		tokens    int
		want      []string
	}{
		{"all are used", false, 1000, nil},
		{"cited only", true, 1000, []string{uncited}},
		{"cited only, and little room", true, 20, []string{uncited, room}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			d, err := m.Reduce(t.Context(), Request{Question: "What happened?", ReduceTokens: tc.tokens}, []Reading{reading}, tc.citedOnly)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, d.Notes); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
		})
	}
}
