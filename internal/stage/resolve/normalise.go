// Package resolve merges the mentions of all chunks into the nodes of the graph
// (entity resolution): which names are the same entity, which type and spelling
// it gets, the weight of a relationship, and one description out of several.
//
// Nothing depends on the order of records or chunks, or on time, so an update
// gives the same graph as indexing from scratch.
package resolve

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/neorag/neorag/internal/text"
)

// MaxNameRunes is the length in runes above which a normalised name is rejected: such a
// text is a sentence rather than a name, and too long for a key.
const MaxNameRunes = 200

// unescapeLimit is the size in bytes above which HTML entities are not unescaped:
// such a name is rejected anyway, and unescaping it repeatedly would take
// quadratic time.
const unescapeLimit = 4096

// Normalise returns the identity of an entity: two spellings with the same
// result are the same entity. It unescapes HTML entities, removes double quotes,
// invisible characters and single quotes at the ends, collapses white space,
// turns curly apostrophes into straight ones, and applies Unicode NFKC and case
// folding. Normalise is idempotent; "" means that nothing of the name is left.
func Normalise(name string) string {
	if isNormalised(name) {
		return name
	}
	for range maxRounds {
		next := norm.NFKC.String(foldCase(norm.NFKC.String(Spelling(name))))
		if next == name {
			break
		}
		name = next
	}
	return name
}

// maxRounds bounds the iterations to a fixed point; a single rune needs at most three.
const maxRounds = 32

// foldCase folds case. The library's folding swaps the two cases of Cherokee, so
// Cherokee small letters are turned into capitals first.
func foldCase(name string) string {
	return cases.Fold().String(strings.Map(func(r rune) rune {
		switch {
		case 0xAB70 <= r && r <= 0xABBF:
			return r - 0xAB70 + 0x13A0
		case 0x13F8 <= r && r <= 0x13FD:
			return r - 8
		}
		return r
	}, name))
}

// Spelling returns a name as it is shown: HTML entities unescaped, surrounding
// quotes stripped, white space collapsed and invisible characters removed. Case
// and the Unicode form of characters are kept.
func Spelling(name string) string {
	for {
		next := name
		if len(next) <= unescapeLimit {
			next = html.UnescapeString(next)
		}
		next = strings.Trim(strings.Map(cleanRune, strings.ToValidUTF8(next, "\uFFFD")), " '")
		next = text.OneLine(next)
		if next == name {
			return name
		}
		name = next
	}
}

// cleanRune maps the runes of a name: control characters and white space to a
// space, apostrophes of all kinds to a straight one. It returns -1 for runes to
// remove: invisible ones and double quotes.
func cleanRune(r rune) rune {
	switch r {
	case '"', '“', '”', '„', '‟', '«', '»', '〝', '〞', '＂':
		return -1
	case '‘', '’', '‚', '‛', '‹', '›', '`', '´', 'ʼ', '＇':
		return '\''
	}
	switch {
	case unicode.IsSpace(r) || unicode.Is(unicode.Cc, r):
		return ' '
	case unicode.Is(unicode.Cf, r):
		return -1
	}
	return r
}

// isNormalised is a quick check: it reports whether a name consists of lower case
// ASCII letters, digits, hyphens and single spaces between them. Other names may
// be normalised too.
func isNormalised(name string) bool {
	for i := range len(name) {
		c := name[i]
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '-':
		case c == ' ' && i > 0 && i < len(name)-1 && name[i-1] != ' ':
		default:
			return false
		}
	}
	return true
}

// pronouns name nothing in lower case. In capitals, some are abbreviations.
const pronouns = " i we us you he him she her it they them who whom "

// checkName normalises a name for a key, and counts names that cannot be a key.
func (d *Dropped) checkName(name string) (normalised string, ok bool) {
	normalised = Normalise(name)
	switch {
	case normalised == "", normalised == name && strings.Contains(pronouns, " "+name+" "):
		d.EmptyNames++
		return "", false
	case utf8.RuneCountInString(normalised) > MaxNameRunes:
		d.LongNames++
		return "", false
	}
	return normalised, true
}
