package language

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
)

// Term returns the stem of a word in lower case, or "" for a stop word. In a language without stems it
// is the word. Words and stems may have accents. Unknown has the stop words and stems of English, and
// so has a word in Latin letters in a language without them.
func (l Language) Term(word string) string {
	if word != "" && word[0] < utf8.RuneSelf && !l.IsLatin() {
		l = English
	}
	word = withoutElision(l, word)
	if l.IsStopWord(word) {
		return ""
	}
	at := placeOf(cmp.Or(l, English))
	switch {
	case l == Korean:
		return withoutParticle(word)
	case at < 0 || all[at].stem == nil:
		return word
	}
	env := snowballstem.NewEnv(word)
	all[at].stem(env)
	if env.Current() == "" {
		return word
	}
	return env.Current()
}

// What may precede an apostrophe in French and Italian without being part of the word.
var (
	frenchElisions  = []string{"c", "d", "j", "jusqu", "l", "lorsqu", "m", "n", "puisqu", "qu", "quelqu", "quoiqu", "s", "t"}
	italianElisions = []string{"all", "c", "d", "dall", "dell", "l", "m", "nell", "quell", "quest", "s", "sull", "t", "un", "v"}
)

// withoutElision returns a word without what is joined to it by an apostrophe, as in l'homme.
func withoutElision(l Language, word string) string {
	before, rest, found := strings.Cut(word, "'")
	if !found || rest == "" {
		return word
	}
	if l == French && slices.Contains(frenchElisions, before) || l == Italian && slices.Contains(italianElisions, before) {
		return rest
	}
	return word
}

// particles of Korean that follow a noun, the longest first.
var particles = []string{
	"에게서", "에서는", "으로는", "에서", "에게", "으로", "부터", "까지", "처럼", "보다", "은", "는", "이", "가", "을", "를", "의", "에", "로", "와", "과", "도", "만",
}

// withoutParticle returns a Korean word without its particle if two syllables remain.
func withoutParticle(word string) string {
	for _, p := range particles {
		if rest, found := strings.CutSuffix(word, p); found && utf8.RuneCountInString(rest) > 1 {
			return rest
		}
	}
	return word
}
