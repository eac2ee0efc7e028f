package main

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWordsOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"empty", " \n", nil},
		{"case and punctuation", "The Cat (sat), twice!", []string{"the", "cat", "sat", "twice"}},
		{"normal form", "ﬁne x² Zoe\u0308", []string{"fine", "x2", "zoë"}},
		{"Markdown", "# Title\n- *a*b\n| c | d |\n|---|---|\n`do`-loop", []string{"title", "ab", "c", "d", "doloop"}},
		{"labels of notes", "A[^1] b [2].\n\n[^1]: Note\n\n[2] Other", []string{"a", "b", "note", "other"}},
		{"divided word", "infor-\nmation, well-known, soft\u00ad\nware", []string{"information", "wellknown", "software"}},
		{"dashes are no hyphens", "one -- two -three", []string{"one", "two", "three"}},
		{"unknown character", "o\ufffdce", []string{"o", "ce"}},
		{"Chinese", "数据base 库", []string{"数", "据", "base", "库"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, wordsOf(tt.text)); diff != "" {
				t.Errorf("wordsOf(%q) (-want +got):\n%s", tt.text, diff)
			}
		})
	}
}

func TestShare(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, ours, theirs     string
		found, invented, order float64
	}{
		{"equal", "a b c", "a b c", 1, 0, 1},
		{"both empty", "", "", 1, 0, 1},
		{"all lost", "", "a b", 0, 0, 0},
		{"all invented", "a b", "", 1, 1, 1},
		{"words are counted", "a a b", "a b b b", .5, 1. / 3, 1. / 3},
		{"other order", "c d a b", "a b c d", 1, 0, 2. / 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := share(wordsOf(tt.ours), wordsOf(tt.theirs))
			got := []float64{s.found(), s.invented(), s.order()}
			if want := []float64{tt.found, tt.invented, tt.order}; !slices.Equal(got, want) {
				t.Errorf("share(%q, %q): got found, invented and order %v, want %v", tt.ours, tt.theirs, got, want)
			}
		})
	}
}

func TestWithoutHeads(t *testing.T) {
	t.Parallel()
	page := func(head, body, foot string) pdfPage {
		return pdfPage{Height: 100, Lines: []pdfLine{{head, 2, 5}, {body, 50, 55}, {foot, 95, 98}}}
	}
	pages := []pdfPage{page("Manual 1", "same", "first"), page("Manual 22", "same", "second"), page("manual iv", "same", "Manual 5")}
	want := "same\nfirst\nsame\nsecond\nsame\nManual 5\n"
	if got := withoutHeads(pages); got != want {
		t.Errorf("withoutHeads: got %q, want %q", got, want)
	}
}

func TestMostFrequent(t *testing.T) {
	t.Parallel()
	got := mostFrequent(count([]string{"b", "c", "c", "a"}), 2)
	if diff := cmp.Diff([]string{"c", "a"}, got); diff != "" {
		t.Errorf("mostFrequent (-want +got):\n%s", diff)
	}
}
