package query

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/textproc"
)

func TestSplitCited(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in   string
		want []cited
	}{
		{"", nil},
		{"One [1]. Two. Three [2][3]", []cited{{"One", []int{1}}, {"Two. Three", []int{2, 3}}}},
		{"One [1] [2]; rest", []cited{{"One", []int{1, 2}}, {"rest", nil}}},
		{"A [year] is no reference [4].", []cited{{"A [year] is no reference", []int{4}}}},
		{"[1]", nil},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, splitCited(tt.in), cmp.AllowUnexported(cited{})); diff != "" {
			t.Errorf("splitCited(%q) (-want +got):\n%s", tt.in, diff)
		}
	}
}

func TestLocate(t *testing.T) {
	t.Parallel()
	text := "He said:\n  'Marley was\r\ndead, to begin with.'\t There is no doubt — none."
	tests := []struct {
		quote, want string
	}{
		{"Marley was dead, to begin with.", "Marley was\r\ndead, to begin with."},
		{"There is no doubt — none.", "There is no doubt — none."},
		{"to begin with.' There is…", "to begin with.'\t There is"},
		{"Scrooge", ""},
		{"  ", ""},
	}
	for _, tt := range tests {
		at, ok := locate(text, tt.quote)
		if got := text[at.start:at.end]; ok != (tt.want != "") || got != tt.want {
			t.Errorf("locate(%q): got %q, %v, want %q", tt.quote, got, ok, tt.want)
		}
	}
}

func TestLocateFindsWhatIsThere(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[a-zé—]{1,6}`), 1, 12).Draw(t, "words")
		spaces := rapid.SampledFrom([]string{" ", "\n", "  \t", "\u00a0"})
		var text strings.Builder
		for _, w := range words {
			text.WriteString(spaces.Draw(t, "space"))
			text.WriteString(w)
		}
		i := rapid.IntRange(0, len(words)-1).Draw(t, "from")
		j := rapid.IntRange(i, len(words)-1).Draw(t, "to")
		quote := strings.Join(words[i:j+1], " ")
		at, ok := locate(text.String(), quote)
		if !ok {
			t.Fatalf("locate(%q, %q): not found", text.String(), quote)
		}
		if got := foldSpace(text.String()[at.start:at.end]); got != quote {
			t.Fatalf("locate(%q, %q): got %q", text.String(), quote, got)
		}
		if !utf8.ValidString(text.String()[at.start:at.end]) {
			t.Fatalf("locate(%q, %q) cuts a rune", text.String(), quote)
		}
	})
}

func TestParseLevel(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in   string
		want int
		ok   bool
	}{
		{"", 2, true},
		{"0", 0, true},
		{"root", 0, true},
		{"C3", 3, true},
		{"c1", 1, true},
		{"leaf", deepest, true},
		{"-1", 0, false},
		{"deep", 0, false},
		{"99999999999999999999", 0, false},
	}
	for _, tt := range tests {
		got, err := ParseLevel(tt.in)
		if (err == nil) != tt.ok || tt.ok && got.Number() != tt.want {
			t.Errorf("ParseLevel(%q): got %d, %v, want %d", tt.in, got.Number(), err, tt.want)
		}
	}
}

func TestIsOverview(t *testing.T) {
	t.Parallel()
	tests := []struct {
		question string
		want     bool
	}{
		{"What are the main themes of the story?", true},
		{"Who are the most important people?", true},
		{"Summarize the collection", true},
		{"What happens to Tiny Tim?", false},
		{"Which main themes does Marley stand for?", false},
	}
	for _, tt := range tests {
		if got := isOverview(textproc.ReadQuestion(tt.question)); got != tt.want {
			t.Errorf("isOverview(%q): got %v, want %v", tt.question, got, tt.want)
		}
	}
}

func TestChoose(t *testing.T) {
	t.Parallel()
	s := func(text, group string, score float64) statement {
		return statement{text: text, group: group, score: score, target: graph.Reference{Key: group}}
	}
	all := []statement{
		s("The old clock struck one at night", "a", 50),
		s("Marley rattled his chain of cash boxes", "a", 90),
		s("At night, the old clock struck one", "b", 60),
		s("Fezziwig gave a ball for apprentices", "a", 80),
		s("Nothing of interest", "c", 1),
		s("Unrelated", "c", 0),
	}
	var got []string
	for _, c := range choose(all, func(string) int { return 10 }, 100, 2) {
		got = append(got, c.text)
	}
	want := []string{"Marley rattled his chain of cash boxes", "Fezziwig gave a ball for apprentices", "At night, the old clock struck one"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("choose: two of a group, no repetition, nothing far below the best (-want +got):\n%s", diff)
	}
	if got := choose(all, func(string) int { return 10 }, 10, 2); len(got) != 1 {
		t.Errorf("choose within one statement's tokens: got %d, want 1", len(got))
	}
}

// TestReduceDoesNotDependOnOrder shuffles the points that the maps gave.
func TestReduceDoesNotDependOnOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "n")
		points := make([]statement, n)
		for i := range points {
			points[i] = statement{
				text:  rapid.StringMatching(`[a-f]{3,5}( [a-f]{3,5}){1,5}`).Draw(t, "text"),
				group: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "group"),
				score: float64(rapid.IntRange(0, 5).Draw(t, "score")),
			}
			points[i].target.Key = points[i].group
		}
		want := reduce(points, Question{}.withDefaults())
		got := reduce(rapid.Permutation(points).Draw(t, "order"), Question{}.withDefaults())
		if diff := cmp.Diff(texts(want), texts(got)); diff != "" {
			t.Fatalf("reduce (-want +got):\n%s", diff)
		}
	})
}

func texts(statements []statement) []string {
	var out []string
	for _, s := range statements {
		out = append(out, s.group+": "+s.text)
	}
	return out
}
