package cite

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSayings: a citation belongs to the words before it, at least to what is a statement.
func TestSayings(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, answer string
		want         []saying
		uncited      int
	}{
		{"sentences", "Marley died in 1836 [1]. Scrooge signed the register [2][3].", []saying{
			{"Marley died in 1836", "", []mark{{1, 0}}}, {"Scrooge signed the register", "", []mark{{2, 0}, {3, 0}}},
		}, 0},
		{"clauses", "Marley died in December 1836 [1], and Scrooge signed the register [2].", []saying{
			{"Marley died in December 1836", "", []mark{{1, 0}}}, {"and Scrooge signed the register", "", []mark{{2, 0}}},
		}, 0},
		{"a clause that says little", "It rained. Marley died in December [1] and Scrooge [2].", []saying{
			{"It rained. Marley died in December", "", []mark{{1, 0}}}, {"Marley died in December and Scrooge", "", []mark{{2, 0}}},
		}, 0},
		{"a list", "## People\n\nIn the counting-house work:\n\n- **Scrooge** [1.2]\n- Bob Cratchit, his clerk [1.3].\n", []saying{
			{"Scrooge", "In the counting-house work:", []mark{{1, 2}}}, {"Bob Cratchit, his clerk", "In the counting-house work:", []mark{{1, 3}}},
		}, 0},
		{"a table", "| Person | Fate |\n|---|---|\n| Marley | died in December [1] |\n| Scrooge | [2] |\n", []saying{
			{"Marley, died in December", "", []mark{{1, 0}}}, {"Scrooge", "", []mark{{2, 0}}},
		}, 0},
		{"behind the end of a line", "Marley died in December.\n[1]\n", []saying{{"Marley died in December.", "", []mark{{1, 0}}}}, 0},
		{"two groups", "Marley died in December [1]. [2]", []saying{{"Marley died in December", "", []mark{{1, 0}, {2, 0}}}}, 0},
		{"the last three sentences", "One man came early. Two men came later. Three men stayed home. Four men went away [1].", []saying{
			{"Two men came later. Three men stayed home. Four men went away", "", []mark{{1, 0}}},
		}, 1},
		{"what is not said", "Marley died in December [1]. The records do not say when Scrooge was born.", []saying{{"Marley died in December", "", []mark{{1, 0}}}}, 0},
		{"without citations", "# The mill of the valley today\n\nMarley died in December of 1836. Did Scrooge sign the old register?\n\nThese people mourned old Marley:\n\n- Yes.\n", nil, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got, uncited := sayings(tc.answer)
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(saying{}, mark{})); diff != "" || len(uncited) != tc.uncited {
				t.Errorf("uncited %q, want %d (-want +got):\n%s", uncited, tc.uncited, diff)
			}
		})
	}
}

func TestIsQuestion(t *testing.T) {
	t.Parallel()
	for sentence, want := range map[string]bool{
		"Did Scrooge sign the old register?": true,
		"“Is it cold?”":                      true,
		"He asked, 'Is it cold?'":            true,
		"Nobody ever stopped him in the street to say, with gladsome looks, 'My dear Scrooge, how are you?": false,
		"The ghost of Marley cried out: “Do you believe in me or not?”":                                     false,
		"It is cold.": false,
	} {
		if got := isQuestion(sentence); got != want {
			t.Errorf("%q: got %v", sentence, got)
		}
	}
}
