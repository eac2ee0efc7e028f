package expand

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseRefinement(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, answer string
		want         Refinement
		fails        bool
	}{
		{name: "decompose", answer: `{"kind": "decompose", "questions": ["Who is Bob?", "Who is\nTim?", "who is bob?"]}`, want: Refinement{"decompose", []string{"Who is Bob?", "Who is Tim?"}}},
		{name: "at most four", answer: `{"kind": "disambiguate", "questions": ["a", "b", "c", "d", "e"]}`, want: Refinement{"disambiguate", []string{"a", "b", "c", "d"}}},
		{name: "none with a question", answer: `{"kind": "none", "questions": ["Who is Bob?"]}`, want: Refinement{"none", []string{}}},
		{name: "a kind without questions", answer: `{"kind": "rewrite", "questions": [" "]}`, want: Refinement{"none", []string{}}},
		{name: "an unknown kind", answer: `{"kind": "translate", "questions": ["Wer ist Bob?"]}`, fails: true},
		{name: "text", answer: `Who is Bob?`, fails: true},
		{name: "another form", answer: `{"kind": "rewrite", "questions": "Who?"}`, fails: true},
	} {
		got, err := parseRefinement(tt.answer)
		if diff := cmp.Diff(tt.want, got); (err != nil) != tt.fails || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", tt.name, err, diff)
		}
	}
}
