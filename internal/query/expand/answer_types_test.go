package expand

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseAnswerTypes(t *testing.T) {
	t.Parallel()
	pool := []string{"person", "location", "ship", "event"}
	for _, tt := range []struct {
		name, answer string
		want         AnswerType
		fails        bool
	}{
		{
			name: "types of the pool", answer: `{"types": ["Person", " ship ", "unicorn"], "entities": ["Ann Lee"]}`,
			want: AnswerType{Types: []string{"person", "ship"}, Entities: []string{"Ann Lee"}, By: "model"},
		},
		{
			name: "too much", answer: `{"types": ["event", "ship", "person", "location"], "entities": ["a", "b", "A", "c", "d", "e", "f"]}`,
			want: AnswerType{Types: []string{"event", "ship", "person"}, Entities: []string{"a", "b", "c", "d", "e"}, By: "model"},
		},
		{name: "nothing", answer: `{}`, want: AnswerType{Types: []string{}, By: "model"}},
		{name: "text", answer: `person`, fails: true},
		{name: "another form", answer: `{"types": "person"}`, fails: true},
	} {
		got, err := parseAnswerTypes(tt.answer, pool)
		if diff := cmp.Diff(tt.want, got); (err != nil) != tt.fails || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", tt.name, err, diff)
		}
	}
}

func TestAnswerTypesByRules(t *testing.T) {
	t.Parallel()
	pool := []string{"person", "location", "ship", "organization"}
	for question, want := range map[string][]string{
		"Who sailed to Rome?":               {"person", "organization"},
		"On which ships did Ann sail?":      {"ship"},
		"Where, and with whom, is Ann?":     {"location"},
		"When did it snow?":                 {},
		"":                                  {},
		"Which location did the ship leave": {"location"},
	} {
		if diff := cmp.Diff(want, AnswerTypesByRules(question, pool)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", question, diff)
		}
	}
}
