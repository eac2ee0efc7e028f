package query

import (
	"testing"

	"github.com/neorag/neorag/internal/text/language"
)

func TestCourtesies(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]language.Language{
		"thanks": language.English, "Thank you very much!": language.English, "ok": language.English, "ok, thanks": language.English,
		"Danke schön": language.German, "gracias": language.Spanish, "谢谢": language.Chinese,
		"thanks to whom was it built?": "", "Who is Ok?": "", "Hello World example": "", "": "",
	} {
		if got, is := courtesyOf(question); got != want || is != (want != "") {
			t.Errorf("%q is a courtesy in %q: %v, want %q", question, got, is, want)
		}
	}
}

// TestWordings expects that what an answer says is worded in each language that is detected.
func TestWordings(t *testing.T) {
	t.Parallel()
	for _, l := range language.All() {
		w := wordings[l]
		for name, text := range map[string]string{"nothing": w.nothing, "filtered": w.filtered, "closest": w.closest, "sections": w.sections, "spelled": w.spelled, "courtesy": w.courtesy} {
			if text == "" {
				t.Errorf("%s: nothing is worded for %s", l.Name(), name)
			}
		}
	}
	got := declines("Wer ist der Bürgermeister von Visby?", false, "Handbuch", []string{"Besuch", "Hafen"})
	want := "Nichts, was in diesem Korpus gefunden wurde, beantwortet die Frage. Das nächstliegende Dokument ist „Handbuch“. Es gibt Auskunft über “Besuch” und “Hafen”."
	if got != want {
		t.Errorf("declined in German: %s", got)
	}
}
