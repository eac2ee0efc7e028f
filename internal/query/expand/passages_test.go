package expand

import (
	"fmt"
	"strings"
	"testing"
)

func TestParsePassages(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range 12 {
		many = append(many, fmt.Sprintf("%q", fmt.Sprint("passage ", i)))
	}
	for _, tt := range []struct {
		name, answer string
		n, want      int
		fails        bool
	}{
		{name: "one", answer: `{"passages": ["Scrooge was a miser."]}`, n: 1, want: 1},
		{name: "more than asked for", answer: `{"passages": ["Scrooge was a miser.", "He was old."]}`, n: 1, want: 1},
		{name: "the same twice, and nothing", answer: `{"passages": [" It snowed.\n", "it snowed.", "", "\u0007"]}`, n: 8, want: 1},
		{name: "many", answer: `{"passages": [` + strings.Join(many, ",") + `]}`, n: MaxPassages, want: MaxPassages},
		{name: "none", answer: `{"passages": []}`, n: 1, fails: true},
		{name: "text", answer: `Scrooge was a miser.`, n: 1, fails: true},
		{name: "another form", answer: `{"passages": "Scrooge"}`, n: 1, fails: true},
	} {
		got, err := parsePassages(tt.answer, tt.n)
		if (err != nil) != tt.fails || len(got) != tt.want {
			t.Errorf("%s: %q, %v", tt.name, got, err)
		}
	}
	got, err := parsePassages(`{"passages": ["`+strings.Repeat("ü", passageBytes)+`"]}`, 1)
	if err != nil || len(got) != 1 || len(got[0]) != passageBytes {
		t.Errorf("a long passage: %d, %v", len(got), err)
	}
}
