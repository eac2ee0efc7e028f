package report

import (
	"testing"

	"github.com/neorag/neorag/internal/text/language"
)

func TestCleanSentence(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"the pilot _boards_ at **berth 2** , then waits .":               "The pilot boards at berth 2, then waits.",
		"Set HARBOUR_PILOT_FEE to `*.csv` files":                         "Set HARBOUR_PILOT_FEE to `*.csv` files.",
		"macOS keeps the file":                                           "macOS keeps the file.",
		"[Tipp] Die Ansicht öffnet ein Suchfeld.":                        "Die Ansicht öffnet ein Suchfeld.",
		"[Warnung] | Beachten Sie, dass sich das nicht umkehren lässt.":  "Beachten Sie, dass sich das nicht umkehren lässt.",
		"| %Dx | grows by x if the picture changed | %Cx | otherwise | ": "",
		"To start it, run the following:":                                "",
		"次の手順を実行します：":                                                    "",
		"for (i = 0; i < n; i++) { x[i] += 2; }":                         "",
		"Quel est le prix ?":                                             "Quel est le prix ?",
		"":                                                               "",
	} {
		if got := cleanSentence(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestIsRunOn(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"The field is checked against the version of the tool The command can now bump it.":      true,
		"If you only need it on one system when running you could do: For example, install it.":  true,
		"Der Bericht ist in der Ablage Die Ansicht zeigt nur die Liste der Namen.":               true,
		"The Hague is where the court of the union has its seat.":                                false,
		"Note: The pilot waits at the berth until the tide turns.":                               false,
		"Aktivieren Sie die Maske, indem Sie auf den Knopf klicken, den Ihnen der Dialog zeigt.": false,
		"He told the clerk of The Times about the tide.":                                         false,
	} {
		if got := isRunOn(text); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}

// A sentence that points to the one before it says less alone, in each language with such words.
func TestSelfContained(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		language     language.Language
		alone, needs string
	}{
		{language.English, "The pilot boards the ship at the berth.", "This boards the ship at the berth."},
		{language.German, "Der Lotse geht am Kai an Bord.", "Dadurch geht er am Kai an Bord."},
		{language.French, "Le pilote monte à bord au quai.", "Ceux montent à bord au quai."},
		{language.Spanish, "El piloto sube a bordo en el muelle.", "Esto sube a bordo en el muelle."},
		{language.Russian, "Лоцман поднимается на борт у причала.", "Он поднимается на борт у причала."},
		{language.German, "Der Lotse geht am Kai an Bord.", "Näheres steht in Abschnitt 3.1.2, „Lotsen am Kai“."},
		{language.English, "The pilot boards the ship at the berth.", "The pilot boards the ship at the…"},
		{language.English, "The pilot boards the ship at the berth.", "The pilot<NAME boards the ship at the berth."},
	} {
		if a, b := selfContained(tt.language, tt.alone), selfContained(tt.language, tt.needs); a <= b {
			t.Errorf("%q is rated %g, %q %g", tt.alone, a, tt.needs, b)
		}
	}
}
