package language_test

import (
	"testing"

	"github.com/neorag/neorag/internal/text/language"
)

// TestTerm: forms of a word have one term, and stop words have none.
func TestTerm(t *testing.T) {
	t.Parallel()
	for l, groups := range map[language.Language][][]string{
		language.Arabic:     {{"الملك", "ملك"}, {"الكتاب", "كتاب"}},
		language.Danish:     {{"huset", "huse"}},
		language.Dutch:      {{"boek", "boeken"}},
		language.English:    {{"library", "libraries"}, {"walked", "walking"}},
		language.French:     {{"cheval", "l'cheval"}, {"chanté", "chanter", "chantée"}, {"homme", "l'homme", "d'hommes"}},
		language.German:     {{"könig", "königs", "könige"}, {"häuser", "haus"}, {"kind", "kinder", "kindern"}},
		language.Italian:    {{"libro", "libri"}, {"arte", "dell'arte"}},
		language.Korean:     {{"시장은", "시장을", "시장"}, {"서울에서", "서울"}},
		language.Norwegian:  {{"huset", "huser"}},
		language.Portuguese: {{"livro", "livros"}},
		language.Russian:    {{"город", "города", "городом"}},
		language.Spanish:    {{"libro", "libros"}, {"canción", "canciones"}},
		language.Swedish:    {{"flicka", "flickor"}},
		language.Unknown:    {{"library", "libraries"}},
		language.Greek:      {{"πόλη"}},
		language.Chinese:    {{"library", "libraries"}},
	} {
		for _, forms := range groups {
			for _, form := range forms {
				if got, want := l.Term(form), l.Term(forms[0]); got != want || got == "" {
					t.Errorf("%s: the term of %s is %q, that of %s %q", l, form, got, forms[0], want)
				}
			}
		}
	}
	for l, word := range map[language.Language]string{
		language.Arabic: "هذا", language.English: "the", language.French: "qu'il", language.German: "über", language.Hindi: "में",
		language.Italian: "della", language.Russian: "что", language.Spanish: "más", language.Unknown: "the",
	} {
		if got := l.Term(word); got != "" {
			t.Errorf("%s: the term of %s is %q, want none", l, word, got)
		}
	}
}
