package textproc

import (
	"strings"
	"testing"
)

func TestHiddenAbbreviations(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		"What is ALL?":                        "ALL",
		"Is IT part of the WHO's work?":       "IT WHO",
		"Was ist ALL?":                        "ALL",
		"What is all this about?":             "",
		"What is RCC?":                        "", // full text finds it
		"WHAT IS ALL THIS ABOUT?":             "",
		"I saw All of it":                     "",
		"Was I right?":                        "",
		"¿Qué es ALL?":                        "ALL",
		"Compare ALL (adults) with ALL (all)": "ALL",
	} {
		if got := strings.Join(HiddenAbbreviations(question), " "); got != want {
			t.Errorf("%s: got %q, want %q", question, got, want)
		}
	}
}

func TestReplaceWord(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ text, want string }{
		{"What is ALL?", "What is leukemia?"},
		{"ALL, SMALL and ALLY: ALL", "leukemia, SMALL and ALLY: leukemia"},
		{"B-ALL or ALL", "B-ALL or leukemia"},
		{"none", "none"},
	} {
		if got := ReplaceWord(tc.text, "ALL", "leukemia"); got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.text, got, tc.want)
		}
	}
}
