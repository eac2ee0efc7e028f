package textproc

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestNamesInOtherLanguages: repeated phrases are the names of a script without capitals; German
// nouns are not all names; and articles are not part of French ones.
func TestNamesInOtherLanguages(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"Chinese", "王小明住在河边。昨天王小明去了市场，看见李大山。李大山卖鱼。王小明买鱼给母亲。后来李大山走了，王小明回家。众人都认识李大山。", "李大山|王小明"},
		{"Arabic", "كان سلامان يحب الجزيرة. وفي الليل خرج سلامان من بيته. ثم رأى أهل القرية سلامان عند البحر ولم يعرفوه.", "سلامان"},
		{"German", "Der Bauer ging mit Lotte in den Wald. Im Wald fand Lotte einen Stein. Der Stein war schwer, und der Bauer half. Da lachte Lotte über den Bauer und den Wald.", "Lotte"},
		{"French", "Le roi de l’Espagne est venu avec Charles à la ville. Il a dit que l'Espagne est loin, et Charles ne l'a pas cru.", "Charles|Espagne"},
		{"Spanish", "La señora Francisca vive en Cádiz con su marido. En la casa de Cádiz hay una urna de la Virgen que ella limpia.", "Cádiz|Francisca|Virgen"},
		{"none", "这里的天气很好。我们去了市场，买了一条鱼。", ""},
	} {
		if diff := cmp.Diff(tt.want, strings.Join(slices.Compact(slices.Sorted(slices.Values(namesOf(tt.text)))), "|")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestPhraseTokens: tokens of a text that is cut at phrases do not overlap, and leave out only space.
func TestPhraseTokens(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"王", "小明", "李大山", "的", "。", "，", " ", "the cat", "كان", "مدينة ", "\n"})).Draw(t, "parts"), "")
		a := Analyze(text)
		last := 0
		for _, s := range a.Sentences {
			for _, tok := range s.Tokens {
				if int(tok.Start) < last || tok.End <= tok.Start || text[tok.Start:tok.End] != tok.Text {
					t.Fatalf("%q: token %q at %d to %d after %d", text, tok.Text, tok.Start, tok.End, last)
				}
				last = int(tok.End)
			}
			for _, at := range a.Names(s) {
				if at.Start < 0 || at.End > len(s.Tokens) || at.Start >= at.End {
					t.Fatalf("%q: name at %v of %d tokens", text, at, len(s.Tokens))
				}
			}
		}
	})
}
