package textproc

import (
	"testing"

	"github.com/neorag/neorag/internal/text/language"
)

// TestNearForms compares words that stems do not join: forms of a verb, parts of compounds, and other words.
func TestNearForms(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		language   language.Language
		word, text string
		near       bool
	}{
		{language.German, "baute", "gebaut", true},
		{language.German, "gebaut", "baute", true},
		{language.German, "Wärter", "Leuchtturmwärter", true},
		{language.German, "Leuchtturmwärter", "Wärter", false},
		{language.German, "Turm", "Sturm", false},
		{language.German, "Kapitel", "Kapital", false},
		{language.German, "Ufer", "Rufer", false},
		{language.Dutch, "bouwde", "gebouwd", true},
		{language.Danish, "byggede", "bygget", true},
		{language.Norwegian, "bygde", "bygget", true},
		{language.Norwegian, "bil", "bok", false},
		{language.Portuguese, "construiu", "construída", true},
		{language.Spanish, "contar", "cantar", false},
		{language.Korean, "바뀌었습니까", "바뀌었습니다", true},
		{language.Hindi, "बनवाई", "बनवाया", true},
		{language.English, "build", "building", true},  // by its stem
		{language.English, "construct", "cons", false}, // not read
	} {
		terms := TermSetIn(tt.language, tt.text)
		query := ReadQuestionIn(tt.language, tt.word)
		terms.AddNearForms(tt.language, query.Terms)
		if _, near := terms[query.Terms[0].Term]; near != tt.near {
			t.Errorf("%s: %s is a form of %s: %v, want %v", tt.language, tt.word, tt.text, near, tt.near)
		}
	}
}
