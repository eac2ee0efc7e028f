package cite

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text/textproc"
)

func TestSplitCited(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in   string
		want []citedText
	}{
		{"", nil},
		{"One [1]. Two. Three [2][3]", []citedText{{"One", []int{1}}, {"Two. Three", []int{2, 3}}}},
		{"One [1] [2]; rest", []citedText{{"One", []int{1, 2}}, {"rest", nil}}},
		{"A [year] is no reference [4].", []citedText{{"A [year] is no reference", []int{4}}}},
		{"[1]", nil},
		{"One [1.2][3.14].", []citedText{{"One", []int{1, 3}}}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, splitCited(tt.in), cmp.AllowUnexported(citedText{})); diff != "" {
			t.Errorf("splitCited(%q) (-want +got):\n%s", tt.in, diff)
		}
	}
}

// TestNumberGroups compares the groups with those of one expression, which takes many times as
// long.
func TestNumberGroups(t *testing.T) {
	t.Parallel()
	expression := regexp.MustCompile(`(?:\s*\[\d{1,6}(?:\.\d{1,4})?\])+`)
	part := rapid.SampledFrom([]string{" ", "\n", "\t ", "a", "é\u00a0", "[1]", "[12.3]", "[1234567]", "[x]", "[", "]", "[2", ".4]", "."})
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(part, 0, 12).Draw(t, "parts"), "")
		var want []textproc.Span
		for _, m := range expression.FindAllStringIndex(s, -1) {
			want = append(want, textproc.Span{Start: m[0], End: m[1]})
		}
		if got := numberGroups(s); !slices.Equal(got, want) {
			t.Errorf("groups of %q: got %v, want %v", s, got, want)
		}
		upper := func(group string) string { return "<" + group + ">" }
		if got, want := replaceGroups(s, upper), expression.ReplaceAllStringFunc(s, upper); got != want {
			t.Errorf("replaced in %q: got %q, want %q", s, got, want)
		}
	})
}

func TestMergeNumbers(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, other, want string }{
		{"Marley died [1].", "Marley died [2][3].", "Marley died [1][2][3]."},
		{"Marley died. [1]", "Marley died [1][4].", "Marley died. [1][4]"},
		{"Scrooge signed [2]. Marley died [1].", "Marley died [2.4][3].", "Scrooge signed [2]. Marley died [1][2.4][3]."},
		{"Marley died [1]. Scrooge signed [2].", "Marley had died [3]. Scrooge signed [4].", "Marley died [1][3]. Scrooge signed [2][4]."},
		{"Marley died [1]. Scrooge signed.", "Marley died [2]. It rained [3].", "Marley died [1][2]. Scrooge signed."},
		{"Marley died.", "Marley died [7].", "Marley died. [7]"},
		{"Marley died", "Marley died", "Marley died"},
		{"Who [1]?", "Who [2]?", "Who [1][2]?"},
		{"Marley died [1][2][3][4][5].", "Marley died [6].", "Marley died [1][2][3][4][5]."},
	}
	for _, tt := range tests {
		if got := MergeNumbers(tt.text, tt.other); got != tt.want {
			t.Errorf("%q with %q: got %q, want %q", tt.text, tt.other, got, tt.want)
		}
	}
}

func TestToData(t *testing.T) {
	t.Parallel()
	numbers := []graph.Reference{{N: 1, Kind: graph.KindReport}, {N: 2, Kind: graph.KindChunk}, {N: 3, Kind: graph.KindReport}}
	if got, want := ToData("A [1][2][3.4]. B [2.1][2.3]. C [9].", numbers), "A [Data: Reports (1, 3.4); Sources (2)]. B [Data: Sources (2.1, 2.3)]. C."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestStripSentences(t *testing.T) {
	t.Parallel()
	if got, want := StripSentences("A [1.2][1.3][2]. B [2.4]. C [3] d"), "A [1][2]. B [2]. C [3] d"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
