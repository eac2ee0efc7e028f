package cite

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
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
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, splitCited(tt.in), cmp.AllowUnexported(citedText{})); diff != "" {
			t.Errorf("splitCited(%q) (-want +got):\n%s", tt.in, diff)
		}
	}
}

func TestMergeNumbers(t *testing.T) {
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
		if got := MergeNumbers(tt.text, tt.other); got != tt.want {
			t.Errorf("%q with %q: got %q, want %q", tt.text, tt.other, got, tt.want)
		}
	}
}

func TestToData(t *testing.T) {
	t.Parallel()
	numbers := []graph.Reference{{N: 1, Kind: graph.KindReport}, {N: 2, Kind: graph.KindChunk}, {N: 3, Kind: graph.KindReport}}
	if got, want := ToData("A [1][2][3]. B [2]. C [9].", numbers), "A [Data: Reports (1, 3); Sources (2)]. B [Data: Sources (2)]. C."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
