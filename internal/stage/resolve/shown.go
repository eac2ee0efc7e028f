package resolve

import (
	"cmp"
	"slices"
	"strings"
)

// NameRules are rules by which names are found, joined and shown. The zero value means the current ones.
type NameRules string

// EarlierNameRules are the rules of the third and fourth edition. By them, the most frequent spelling is shown,
// also if it is an abbreviation.
const EarlierNameRules NameRules = "fold-2"

// Version changes when the rules give other results.
func (r NameRules) Version() string { return cmp.Or(string(r), "fold-3") }

// shown returns the spelling to show of an entity with these spellings: the most frequent one of its full
// names in the singular, the first in byte order of several. A full form is shown however rare it is,
// because a count would let a new document rename an entity, and because who knows a name only by its
// abbreviation finds it by that too.
func (r NameRules) shown(spellings map[string]int) string {
	if r == EarlierNameRules || len(spellings) < 2 {
		return mostFrequent(spellings)
	}
	names := map[string][]string{} // spellings by normalised name
	for s := range spellings {
		n := Normalise(s)
		names[n] = append(names[n], s)
	}
	full := map[string]int{}
	for n, same := range names {
		if !isReduced(n, same, names) {
			for _, s := range same {
				full[s] = spellings[s]
			}
		}
	}
	if len(full) == 0 {
		full = spellings
	}
	return mostFrequent(full)
}

// isReduced reports whether a name is a short form or the plural of another one, or has its abbreviation in
// brackets.
func isReduced(name string, spellings []string, names map[string][]string) bool {
	if _, short := bracketed(name); short != "" {
		return true
	}
	for other := range names {
		if other == name {
			continue
		}
		if isPluralOf(name, other) || slices.ContainsFunc(spellings, func(s string) bool { return isShortForm(s, other) }) {
			return true
		}
	}
	return false
}

// isShortForm reports whether a spelling is a short form of a name: an abbreviation (RCC), the same words one
// of which is an abbreviation of several (clear cell RCC), or the same words without some in the middle (T
// lymphocyte for T-cell lymphocyte).
func isShortForm(short, long string) bool {
	if abbreviates(short, long) {
		return true
	}
	s, l := strings.Fields(replaceHyphens(short, " ")), strings.Fields(replaceHyphens(long, " "))
	first := 0
	for first < min(len(s), len(l)) && strings.EqualFold(s[first], l[first]) {
		first++
	}
	s, l = s[first:], l[first:]
	last := 0
	for last < min(len(s), len(l)) && equalOrPlural(s[len(s)-1-last], l[len(l)-1-last], last == 0) {
		last++
	}
	s, l = s[:len(s)-last], l[:len(l)-last]
	if len(s) == 0 {
		return len(l) > 0 && first > 0 && last > 0 && !hasDigit(l)
	}
	return len(s) == 1 && first+last > 0 && abbreviates(s[0], strings.Join(l, " "))
}

// equalOrPlural reports whether two words are equal, or, where plurals count, one is the other's plural.
func equalOrPlural(a, b string, plurals bool) bool {
	if a, b = strings.ToLower(a), strings.ToLower(b); a == b {
		return true
	}
	return plurals && (isPluralOf(a, b) || isPluralOf(b, a))
}

// hasDigit reports whether a word has a digit: numbers tell names apart.
func hasDigit(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.ContainsAny(w, "0123456789") })
}

// abbreviates reports whether a word is an abbreviation of all of a name.
func abbreviates(short, long string) bool {
	if strings.Contains(short, " ") || !looksShort(short) {
		return false
	}
	long = strings.ToLower(long)
	return fullForm(long, short) == long
}
