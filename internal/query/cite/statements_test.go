package cite_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/query/cite"
)

func TestStatements(t *testing.T) {
	t.Parallel()
	const answer = "# Partners\n\n" +
		"Scrooge and Marley were **partners** for many years. [1] Marley died. [2]\n\n" +
		"These are their traits:\n\n" +
		"- Scrooge was a tight-fisted hand at the grindstone. [1][3]\n" +
		"- Who signed the register?\n" +
		"- Their firm traded at the Exchange in London; nobody painted out the name\n" +
		"- Marley died. [2]\n\n" +
		"The corpus does not mention their age.\n"
	want := []string{
		"Scrooge and Marley were partners for many years.", "Marley died.", "Scrooge was a tight-fisted hand at the grindstone.",
		"Their firm traded at the Exchange in London; nobody painted out the name",
	}
	if diff := cmp.Diff(want, cite.Statements(answer)); diff != "" {
		t.Errorf("statements (-want +got):\n%s", diff)
	}
	all := cite.AnswerSentences(answer)
	if len(all) != 9 || all[0] != "Partners" || all[2] != "Marley died." {
		t.Errorf("sentences %q", all)
	}
}
