package textproc_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/text/textproc"
)

func TestStatements(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, text string
		want       []string
	}{
		{"sentences", "Clara Hale met Tobias Reed. They talked about the fire.", []string{"Clara Hale met Tobias Reed.", "They talked about the fire."}},
		{"headings state nothing", "# The fire\n\nThe museum burnt down in the night.\n\nContents\n", []string{"The museum burnt down in the night."}},
		{"items of a list", "They brought these things:\n\n- a lamp\n- two books\n", []string{"They brought these things:", "a lamp", "two books"}},
		{
			"messages", "Time: 2026-01-05 10:00\n\nAnn: I left early. It rained.\nBob: 👍\n  Ann: See you.\n",
			[]string{"Ann: I left early. It rained.", "Bob: 👍", "Ann: See you."},
		},
		{"a row of a table", "Product: Kayak. Price (EUR): 1,200.50. In stock: yes.", []string{"Product: Kayak. Price (EUR): 1,200.50. In stock: yes."}},
		{"a row with a long value", "A list.\n\nIt is.\nName: Mia. Notes: Speaks Danish. Works on Monday.\n", []string{"A list.", "It is.", "Name: Mia. Notes: Speaks Danish. Works on Monday."}},
		{"speech", "He said: Go. She said: No.", []string{"He said: Go.", "She said: No."}},
		{"steps", "Step 1: Open the box. Step 2: Close the box.", []string{"Step 1: Open the box.", "Step 2: Close the box."}},
		{"a row that is too long", "Name: " + strings.Repeat("a", 300) + ". Notes: " + strings.Repeat("b", 300) + ". Place: Kiel.", []string{"Name: " + strings.Repeat("a", 300) + ".", "Notes: " + strings.Repeat("b", 300) + ". Place: Kiel."}},
		{"a wrapped message", "Ann: Who paid? My father\npaid for it.\n\nBob: I see.\nand she?", []string{"Ann: Who paid? My father\npaid for it.", "Bob: I see.", "and she?"}},
		{"a line of a chat without a word", "Ann: Good.\nBob: Yes.\n---\n", []string{"Ann: Good.", "Bob: Yes."}},
		{"nothing", " \n", nil},
	} {
		var got []string
		for _, at := range textproc.Statements(tc.text) {
			got = append(got, tc.text[at.Start:at.End])
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}
