package cite

import (
	"testing"
)

func TestMostSimilarSentence(t *testing.T) {
	t.Parallel()
	source := "Marley was dead. The chief mourner signed. Scrooge knew he was dead."
	for quote, want := range map[string]string{
		"the mourner had signed it": "The chief mourner signed.",
		"nothing of it":             source,
	} {
		at := mostSimilarSentence(source, quote)
		if got := source[at.Start:at.End]; got != want {
			t.Errorf("mostSimilarSentence(%q): got %q, want %q", quote, got, want)
		}
	}
}
