package language

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
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
	stem := stemmerOf(l)
	switch {
	case l == Korean:
		return withoutParticle(word)
	case stem == nil:
		return word
	}
	env := snowballstem.NewEnv(word)
	stem(env)
	if env.Current() == "" {
		return word
	}
	return env.Current()
}

// stemmerOf returns the stemmer of a language, nil if there is none.
func stemmerOf(l Language) func(*snowballstem.Env) bool {
	switch l {
	case Unknown, English:
		return english.Stem
	case Arabic:
		return arabic.Stem
	case Danish:
		return danish.Stem
	case Dutch:
		return dutch.Stem
	case French:
		return french.Stem
	case German:
		return german.Stem
	case Italian:
		return italian.Stem
	case Norwegian:
		return norwegian.Stem
	case Portuguese:
		return portuguese.Stem
	case Russian:
		return russian.Stem
	case Spanish:
		return spanish.Stem
	case Swedish:
		return swedish.Stem
	}
	return nil
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
