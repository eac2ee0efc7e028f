package llm_test

import (
	"testing"

	"github.com/neorag/neorag/internal/llm"
)

func TestParseYesNo(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string][2]bool{
		"YES": {true, true}, "Yes, it does.": {true, true}, "**Y**": {true, true}, "yep": {true, true}, "I think so: yes.": {true, true},
		"NO": {false, true}, "\"no.\"": {false, true}, "None of it.": {false, true}, "The answer is no.": {false, true},
		"": {}, "?": {}, "Perhaps.": {}, "It is yes and no.": {}, "はい": {},
	} {
		if yes, ok := llm.ParseYesNo(answer); yes != want[0] || ok != want[1] {
			t.Errorf("%q: yes %t, ok %t, want %v", answer, yes, ok, want)
		}
	}
}
