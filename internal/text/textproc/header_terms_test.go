package textproc_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

func TestLead(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, title, about, text, date, want string }{
		{"nothing", "", "", "words", "", ""},
		{"title", "The Long Winters", "", "# Another\nwords", "", "long winter"},
		{"first heading", " ", "", "words\n# The Long Winters\n# More", "", "long winter"},
		{"title and date", "Winters", "", "", "2026-01-05T11:00:00Z", "winter 20260105 januari 2026"},
		{"title, author and tags", "Winters", "Anna Berg snow, ice", "", "2026-01-05", "winter anna berg snow ice 20260105 januari 2026"},
		{"first message", "20260410_1100", "", chatLog, "", "li hua dinner tomorrow 20260410 april 2026"},
		{"date given", "", "", chatLog, "2025-12-24", "li hua dinner tomorrow 20251224 decemb 2025"},
		{"no date", "Winters", "", "", "sometime in 2026", "winter"},
	} {
		if diff := cmp.Diff(tc.want, textproc.HeaderTerms(language.English, tc.title, tc.about, tc.text, tc.date)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

// A question about a day has the same term as the header of a log of that day.
func TestLeadAndQuestionShareTheTermOfADay(t *testing.T) {
	t.Parallel()
	lead := textproc.HeaderTerms(language.English, "", "", chatLog, "")
	for _, q := range []string{"on 20260410", "on 2026-04-10", "on 2026/4/10"} {
		found := false
		for _, w := range textproc.ReadQuestion(q).Terms {
			found = found || w.Weight == textproc.DateWeight && w.Term == "20260410"
		}
		if !found {
			t.Errorf("%q does not have the term of the day in the lead %q", q, lead)
		}
	}
}
