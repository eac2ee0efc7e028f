// Package resolve merges what chunks mention into the nodes of the graph: which
// names are one entity, which type and spelling it carries, what a relationship
// weighs, and how several descriptions become one.
//
// Nothing here depends on the order of records, chunks or time, so that an
// update gives the same graph as indexing from nothing.
package resolve

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// MaxName is the length in runes above which a normalised name is refused: it
// is a sentence, and too long for a key.
const MaxName = 200

// unescapeLimit is the size in bytes above which HTML entities stay as they
// are: such a text is refused as a name, and unescaping it over and over would
// be quadratic.
const unescapeLimit = 4096

// Normalise is the identity of an entity: two spellings with the same result
// are one entity. The name is brought to Unicode NFKC with HTML entities
// unescaped, double quotes taken out, single quotes taken off the ends, white
// space folded, invisible characters removed and case folded. Curly
// apostrophes become straight ones. The result is its own normalisation;
// "" means that nothing of a name is left.
func Normalise(name string) string {
	if plain(name) {
		return name
	}
	for range maxRounds {
		next := norm.NFKC.String(fold(norm.NFKC.String(Spelling(name))))
		if next == name {
			break
		}
		name = next
	}
	return name
}

// maxRounds bounds the way to a fixed point; every single rune needs at most three.
const maxRounds = 32

// fold folds case. The library's folding swaps the two cases of Cherokee, so
// its small letters become capitals first.
func fold(name string) string {
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

// Spelling is a name as it is shown: HTML entities unescaped, quotes around it
// stripped, white space folded, invisible characters removed; case and the
// form of characters stay as written.
func Spelling(name string) string {
	for {
		next := name
		if len(next) <= unescapeLimit {
			next = html.UnescapeString(next)
		}
		next = strings.Trim(strings.Map(visible, strings.ToValidUTF8(next, "\uFFFD")), " '")
		next = strings.Join(strings.Fields(next), " ")
		if next == name {
			return name
		}
		name = next
	}
}

// visible maps the runes of a name: control characters to a space, invisible
// ones and double quotes to nothing, apostrophes of all kinds to a straight one.
func visible(r rune) rune {
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

// plain reports whether a name is normalised for certain: lower case ASCII
// letters, digits, hyphens and single spaces between them.
func plain(name string) bool {
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

// check normalises a name for a key and counts the ones that cannot be one.
func (d *Dropped) check(name string) (normalised string, ok bool) {
	normalised = Normalise(name)
	switch {
	case normalised == "":
		d.EmptyNames++
		return "", false
	case utf8.RuneCountInString(normalised) > MaxName:
		d.LongNames++
		return "", false
	}
	return normalised, true
}
