package textproc_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/textproc"
)

func TestCentral(t *testing.T) {
	t.Parallel()
	if got := textproc.Central(nil); got != nil {
		t.Errorf("no sentences give %v", got)
	}
	got := textproc.Central([]string{
		"The river flooded the town in spring.",
		"The flooded town lost its bridge over the river.",
		"A bridge was built again in the town.",
		"Elephants eat peanuts.",
	})
	if top := slices.Index(got, slices.Max(got)); top != 1 {
		t.Errorf("sentence %d is the most central: %v", top, got)
	}
	if low := slices.Index(got, slices.Min(got)); low != 3 {
		t.Errorf("sentence %d is the least central: %v", low, got)
	}
	if diff := cmp.Diff([]float64{.5, .5}, textproc.Central([]string{"!", "of the"}), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Errorf("sentences without terms (-want +got):\n%s", diff)
	}
}

// sentencesOf draws sentences that share words.
func sentencesOf(t *rapid.T) []string {
	word := rapid.SampledFrom([]string{"river", "town", "bridge", "flood", "king", "the", "of", "Anna", "1900", "!", ""})
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(word, 0, 8).Draw(t, "words"), " ")
	}), 1, 12).Draw(t, "sentences")
}

func TestCentralIsADistribution(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sentences := sentencesOf(t)
		got := textproc.Central(sentences)
		sum := 0.
		for _, x := range got {
			if !(x > 0) {
				t.Fatalf("score %g in %v", x, got)
			}
			sum += x
		}
		if len(got) != len(sentences) || math.Abs(sum-1) > 1e-9 {
			t.Fatalf("%d scores of %d sentences sum to %g", len(got), len(sentences), sum)
		}
		if diff := cmp.Diff(got, textproc.Central(sentences)); diff != "" {
			t.Fatalf("a second call differs:\n%s", diff)
		}
		slices.Reverse(sentences)
		back := textproc.Central(sentences)
		slices.Reverse(back)
		if diff := cmp.Diff(got, back, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
			t.Fatalf("the order of sentences changes scores:\n%s", diff)
		}
	})
}

func TestRelevance(t *testing.T) {
	t.Parallel()
	q := textproc.ReadQuestion("When did Hailey bake bread with Yuriko?")
	ranked := []string{
		"Hailey will bake the bread with Yuriko on Sunday.",
		"Hailey and Yuriko like bread.",
		"Hailey is away.",
		"The plumber came.",
	}
	last := 1.
	for i, s := range ranked {
		got := textproc.Relevance(q, s)
		if got < 0 || got >= last {
			t.Errorf("sentence %d has %.3f after %.3f", i, got, last)
		}
		last = got
	}
	if last != 0 {
		t.Errorf("a sentence without a term of the question has %g", last)
	}
}

func TestFocusPrefersRareTerms(t *testing.T) {
	t.Parallel()
	q := textproc.ReadQuestion("Hailey's umbrella")
	sentences := []string{"Hailey sings.", "Hailey cooks.", "Hailey runs.", "An umbrella stands there."}
	f := textproc.NewFocus(q, sentences)
	if common, rare := f.Score(sentences[0]), f.Score(sentences[3]); common <= 0 || rare <= common {
		t.Errorf("common term %.3f, rare term %.3f", common, rare)
	}
	if got := textproc.NewFocus(textproc.Query{}, sentences).Score(sentences[0]); got != 0 {
		t.Errorf("no question gives %g", got)
	}
}

func TestFocusStaysInRange(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sentences := sentencesOf(t)
		q := textproc.ReadQuestion(sentences[0])
		f := textproc.NewFocus(q, sentences)
		for _, s := range sentences {
			for _, got := range []float64{f.Score(s), textproc.Relevance(q, s)} {
				if !(got >= 0 && got <= 1) {
					t.Fatalf("score %g", got)
				}
			}
		}
	})
}
