package cite

import (
	"testing"

	"github.com/neorag/neorag/internal/graph"
)

func TestList(t *testing.T) {
	t.Parallel()
	item := func(text, title string) Item {
		return Item{Statement: Statement{Text: text, Title: title, Target: graph.Reference{Kind: graph.KindReport, Key: title}}}
	}
	one := []Item{item("Marley was as dead as a nail", "a")}
	if got, want := list(one, false, [][]int{{1, 2}}), "- Marley was as dead as a nail [1][2]"; got != want {
		t.Errorf("list without headings: got %q, want %q", got, want)
	}
	three := []Item{item("One.", "A"), item("Two.", "A"), item("Three.", "B")}
	if got, want := list(three, true, [][]int{{1}, {2}, {1, 3}}), "**A**\n\n- One. [1]\n- Two. [2]\n\n**B**\n\n- Three. [1][3]"; got != want {
		t.Errorf("list with headings: got %q, want %q", got, want)
	}
	three[0].Bold, three[1].Text, three[1].Bold = "One", "Two *stars*.", "Two"
	if got, want := list(three[:2], false, [][]int{{1}, {2}}), "- **One**. [1]\n- Two *stars*. [2]"; got != want {
		t.Errorf("list with words in bold: got %q, want %q", got, want)
	}
	three[2].Label = "Marley (2 sources)"
	if got, want := list(three[2:], false, [][]int{{1}}), "- **Marley (2 sources)**: Three. [1]"; got != want {
		t.Errorf("list with a label: got %q, want %q", got, want)
	}
}
