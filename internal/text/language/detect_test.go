package language_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/text/language"
)

// sentences are one text for each language.
var sentences = map[language.Language]string{
	language.Arabic:     "كان الملك يجلس في قصره مع وزيره كل يوم",
	language.Chinese:    "这座城市在河的南岸，有三座桥",
	language.Danish:     "Han vidste ikke, hvad hun havde sagt til sin bror efter middagen",
	language.Dutch:      "De burgemeester van de stad heeft het niet aan zijn vrouw verteld",
	language.English:    "The mayor of the town had not told his wife about it",
	language.French:     "Le maire de la ville ne l'avait pas dit à sa femme",
	language.German:     "Der Bürgermeister der Stadt hatte es seiner Frau nicht gesagt",
	language.Greek:      "Ο δήμαρχος της πόλης δεν το είχε πει στη γυναίκα του",
	language.Hebrew:     "ראש העיר לא סיפר על כך לאשתו",
	language.Hindi:      "उस शहर के राजा ने अपनी रानी को यह नहीं बताया था",
	language.Italian:    "Il sindaco della città non lo aveva detto a sua moglie",
	language.Japanese:   "この町の市長はそれを妻に話さなかった",
	language.Korean:     "그 도시의 시장은 아내에게 말하지 않았다",
	language.Norwegian:  "Han visste ikke hva hun hadde sagt til sin bror etter middagen",
	language.Portuguese: "O prefeito da cidade não o tinha dito à sua mulher",
	language.Russian:    "Мэр этого города не сказал об этом своей жене",
	language.Spanish:    "El alcalde de la ciudad no se lo había dicho a su mujer",
	language.Swedish:    "Borgmästaren i staden hade inte sagt det till sin hustru",
	language.Thai:       "นายกเทศมนตรีของเมืองไม่ได้บอกภรรยาของเขา",
}

func TestOf(t *testing.T) {
	t.Parallel()
	for _, l := range language.All() {
		text, ok := sentences[l]
		if !ok {
			t.Errorf("%s has no sentence", l)
		}
		for _, text := range []string{text, strings.Repeat(text+". ", 400), strings.ToUpper(text)} {
			if got := language.Of(text); got != l {
				t.Errorf("%.60s: got %q, want %q", text, got, l)
			}
		}
	}
	for text, want := range map[string]language.Language{
		"Who is Tiny Tim?":             language.English,
		"Wer ist Tiny Tim?":            language.German,
		"Qui est le roi ?":             language.French,
		"¿Quién es el rey?":            language.Spanish,
		"谁是国王？":                        language.Chinese,
		"من هو الملك؟":                 language.Arabic,
		"":                             language.Unknown,
		"Die Hard":                     language.Unknown,
		"Der Spiegel":                  language.Unknown,
		"El Niño":                      language.Unknown,
		"Tobias Reeds":                 language.Unknown, // reeds is a function word of Dutch
		"Welche Personen kennt Lotte?": language.German,  // by one function word
		"Scrooge, Marley, Cratchit":    language.Unknown,
		"42 + 1":                       language.Unknown,
		"این شهر در کنار رود است و سه پل دارد": language.Unknown, // Persian
		"Місто стоїть на березі річки":         language.Unknown, // Ukrainian
		// At the least lead, whatever the sums of many words are rounded to.
		"scrooge these und mayor":                        language.English,
		strings.Repeat("scrooge these und mayor. ", 300): language.English,
		// The language of most of the text.
		sentences[language.English] + strings.Repeat(". "+sentences[language.German], 300): language.German,
	} {
		if got := language.Of(text); got != want {
			t.Errorf("%.60q: got %q, want %q", text, got, want)
		}
	}
}

// TestRepeatedText checks that a text that is repeated, and still read as a whole, is in the
// language of the text.
func TestRepeatedText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom(strings.Fields("the of and was with scrooge ghost had not been these which der die und mayor town")), 1, 80).Draw(t, "words")
		text := strings.Join(words, " ") + " "
		once, repeated := language.Of(text), language.Of(strings.Repeat(text, 12_000/len(text)))
		if once != language.Unknown && repeated != once {
			t.Errorf("%q: %q once, %q repeated", text, once, repeated)
		}
	})
}

func FuzzOf(f *testing.F) {
	for _, text := range sentences {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got := language.Of(text); got != language.Of(strings.Clone(text)) {
			t.Errorf("%q: not always %q", text, got)
		}
	})
}
