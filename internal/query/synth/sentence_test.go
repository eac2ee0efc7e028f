package synth

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/cite"
)

func sentence(text, target string, score float64) Sentence {
	return Sentence{Item: cite.Item{Statement: cite.Statement{Text: text, Target: graph.Reference{Kind: graph.KindReport, Key: target}}}, Score: score}
}

func TestSelect(t *testing.T) {
	t.Parallel()
	all := []Sentence{
		sentence("The old clock struck one at night", "a", 50),
		sentence("Marley rattled his chain of cash boxes", "a", 90),
		sentence("At night, the old clock struck one", "b", 60),
		sentence("Fezziwig gave a ball for apprentices", "a", 80),
		sentence("Nothing of interest", "c", 1),
		sentence("Unrelated", "c", 0),
	}
	var got []string
	for _, c := range Select(all, 100, 2) {
		got = append(got, c.Text)
	}
	want := []string{"Marley rattled his chain of cash boxes", "Fezziwig gave a ball for apprentices", "At night, the old clock struck one"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Select: two of a target, no repetition, nothing far below the best score (-want +got):\n%s", diff)
	}
	if got := Select(all, 10, 2); len(got) != 1 {
		t.Errorf("Select within one statement's tokens: got %d, want 1", len(got))
	}
}

// TestSummarizeIgnoresOrder: the order of the sentences does not matter.
func TestSummarizeIgnoresOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "n")
		sentences := make([]Sentence, n)
		for i := range sentences {
			sentences[i] = sentence(
				rapid.StringMatching(`[a-f]{3,5}( [a-f]{3,5}){1,5}`).Draw(t, "text"),
				rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "target"),
				float64(rapid.IntRange(0, 5).Draw(t, "score")),
			)
		}
		r := Request{AnswerTokens: 400, ReduceTokens: 8000}
		want := Summarize(r, sentences)
		got := Summarize(r, rapid.Permutation(sentences).Draw(t, "order"))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("Summarize (-want +got):\n%s", diff)
		}
	})
}

// TestSelectCitesTogether: a sentence that two reports hold is chosen once, and
// cited from both.
func TestSelectCitesTogether(t *testing.T) {
	t.Parallel()
	got := Select([]Sentence{
		sentence("Marley was as dead as a nail", "a", 90), sentence("Marley was as dead as a nail", "b", 80), sentence("Marley was dead", "c", 70),
	}, 100, 3)
	if len(got) != 1 || len(got[0].Also) != 1 || got[0].Also[0].Target.Key != "b" {
		t.Errorf("got %+v", got)
	}
}
