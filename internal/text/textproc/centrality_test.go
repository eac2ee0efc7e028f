package textproc_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/text/textproc"
)

func TestCentrality(t *testing.T) {
	t.Parallel()
	if got := textproc.Centrality(nil); got != nil {
		t.Errorf("no sentences: got %v, want nil", got)
	}
	got := textproc.Centrality([]string{
		"The river flooded the town in spring.",
		"The flooded town lost its bridge over the river.",
		"A bridge was built again in the town.",
		"Elephants eat peanuts.",
	})
	if top := slices.Index(got, slices.Max(got)); top != 1 {
		t.Errorf("sentence %d is the most central, want 1: %v", top, got)
	}
	if low := slices.Index(got, slices.Min(got)); low != 3 {
		t.Errorf("sentence %d is the least central, want 3: %v", low, got)
	}
	if diff := cmp.Diff([]float64{.5, .5}, textproc.Centrality([]string{"!", "of the"}), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Errorf("sentences without terms (-want +got):\n%s", diff)
	}
}

// sentencesOf generates sentences with common words.
func sentencesOf(t *rapid.T) []string {
	word := rapid.SampledFrom([]string{"river", "town", "bridge", "flood", "king", "the", "of", "Anna", "1900", "!", ""})
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(word, 0, 8).Draw(t, "words"), " ")
	}), 1, 12).Draw(t, "sentences")
}

func TestCentralityIsADistribution(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sentences := sentencesOf(t)
		got := textproc.Centrality(sentences)
		sum := 0.
		for _, x := range got {
			if !(x > 0) {
				t.Fatalf("score %g in %v, want it above 0", x, got)
			}
			sum += x
		}
		if len(got) != len(sentences) || math.Abs(sum-1) > 1e-9 {
			t.Fatalf("%d scores for %d sentences with the sum %g, want the sum 1", len(got), len(sentences), sum)
		}
		if diff := cmp.Diff(got, textproc.Centrality(sentences)); diff != "" {
			t.Fatalf("a second call gives other scores:\n%s", diff)
		}
		slices.Reverse(sentences)
		back := textproc.Centrality(sentences)
		slices.Reverse(back)
		if diff := cmp.Diff(got, back, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
			t.Fatalf("the order of the sentences changes the scores:\n%s", diff)
		}
	})
}
