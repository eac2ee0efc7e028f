package resolve

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/text/textproc"
)

// A form is a name in the parts that are compared.
type form struct {
	titles  []string // before the name of a person
	words   []string // without titles, numbers, articles and small words, in order
	all     []string // without titles, and articles at the beginning
	numbers string   // in order, Roman ones as Arabic ones
	letters string   // all words joined
}

// smallWords are words inside names that may be left out, besides articles.
const smallWords = " of for in on at to from by with and de des du der den von van la le el und et y e "

// formOf returns the form of a normalised name.
func formOf(name string) *form {
	long, _ := bracketed(name)
	words := strings.Fields(withSpaces(long))
	for i, w := range words {
		words[i] = strings.TrimFunc(w, unicode.IsPunct)
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	f := &form{}
	for len(words) > 1 && textproc.ClassOf(words[0])&textproc.Determiner != 0 {
		words = words[1:]
	}
	for len(words) > 1 && textproc.ClassOf(words[0])&textproc.Title != 0 {
		f.titles, words = append(f.titles, words[0]), words[1:]
	}
	f.all = words
	var numbers []string
	for i, w := range words {
		switch n := numberOf(w, i > 0 && i == len(words)-1); {
		case n != "":
			numbers = append(numbers, n)
		case len(words) == 1 || textproc.ClassOf(w)&textproc.Determiner == 0 && !strings.Contains(smallWords, " "+w+" "):
			f.words = append(f.words, w)
		}
	}
	f.numbers, f.letters = strings.Join(numbers, " "), strings.Join(words, "")
	return f
}

// numberOf returns what a word is as a number, "" for any other word. One Roman digit is only a
// number at the end of a name: before, it is the initial of a person.
func numberOf(w string, last bool) string {
	switch {
	case strings.ContainsFunc(w, unicode.IsDigit), textproc.ClassOf(w)&textproc.NumberWord != 0:
		return w
	case utf8.RuneCountInString(w) > 1 || last:
		return fromRoman(w)
	}
	return ""
}

// fromRoman returns a Roman number of up to 39 as an Arabic one, "" for any other word.
func fromRoman(w string) string {
	tens := len(w) - len(strings.TrimLeft(w, "x"))
	rest := w[tens:]
	ones := slices.Index([]string{"", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"}, rest)
	if tens > 0 && rest == "ix" {
		ones = 9
	}
	if w == "" || tens > 3 || ones < 0 {
		return ""
	}
	return strconv.Itoa(10*tens + ones)
}

// Lengths of what the keys of a name are made of.
const (
	minWord      = 3 // runes of a word that selects pairs
	edge         = 5 // runes of the beginning and the ending of a name
	maxInitials  = 6
	minEdited    = 5  // runes of a name whose spelling is compared
	maxEdited    = 60 // runes
	minLikeness  = .85
	maxDifferent = 3 // runes by which the lengths differ
)

// keys returns what two names share that are compared.
func (f *form) keys() []string {
	var out []string
	add := func(key string) {
		if !slices.Contains(out, key) {
			out = append(out, key)
		}
	}
	for _, w := range f.words {
		if utf8.RuneCountInString(w) >= minWord {
			add("word " + w)
		}
	}
	if len(f.all) == 1 && f.isShort() {
		add("initials " + f.letters)
	}
	for _, i := range f.initials() {
		add("initials " + i)
	}
	if runes := []rune(f.letters); len(runes) >= minEdited {
		add("start " + string(runes[:edge]))
		add("end " + string(runes[len(runes)-edge:]))
		add("consonants " + consonants(f.letters))
	}
	return out
}

// isShort reports whether a name may be the initials of another one.
func (f *form) isShort() bool {
	n := utf8.RuneCountInString(f.letters)
	return len(f.all) == 1 && n > 1 && n <= maxInitials && !strings.ContainsFunc(f.letters, func(r rune) bool { return !unicode.IsLetter(r) })
}

// initials returns the initials of a name of several words, with and without its small words.
func (f *form) initials() []string {
	var out []string
	for _, words := range [][]string{f.all, f.words} {
		if len(words) < 2 {
			continue
		}
		var b strings.Builder
		for _, w := range words {
			r, _ := utf8.DecodeRuneInString(w)
			b.WriteRune(r)
		}
		if !slices.Contains(out, b.String()) {
			out = append(out, b.String())
		}
	}
	return out
}

// consonants returns a text without vowels and repeated letters.
func consonants(s string) string {
	var b strings.Builder
	last := rune(-1)
	for _, r := range s {
		if r != last && !strings.ContainsRune("aeiouy", r) {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// similarity returns how similar two names are, from 0, which is not similar, to 1. Only of named
// entities, a part of a name is similar to the whole.
func (f *form) similarity(o *form, named bool) float64 {
	switch {
	case sameWords(f.words, o.words):
		return .97
	case f.isInitialsOf(o) || o.isInitialsOf(f):
		return .95
	}
	s := likeness(f.letters, o.letters)
	if named {
		s = max(s, partOf(f, o), partOf(o, f))
	}
	return s
}

func (f *form) isInitialsOf(o *form) bool {
	return f.isShort() && slices.Contains(o.initials(), f.letters)
}

// sameWords reports whether two names have the same words in any order.
func sameWords(a, b []string) bool {
	if len(a) == 0 || len(a) != len(b) {
		return false
	}
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// commonNoun are words that name nothing alone, so that the girl is not the girl next door.
const commonNoun = textproc.TypedNoun | textproc.EverydayNoun | textproc.GenericNoun | textproc.ConceptNoun | textproc.BodyPart | textproc.CommonWord

// partOf returns how similar a name is to one that has all its words, 0 for any other. An initial
// is a word that begins with it.
func partOf(part, whole *form) float64 {
	isNoun := len(part.words) == 1 && len(part.titles) == 0 && textproc.ClassOf(part.words[0])&commonNoun != 0
	if len(part.words) == 0 || len(part.words) > len(whole.words) || isNoun {
		return 0
	}
	left, equal := slices.Clone(whole.words), false
	for _, w := range part.words {
		i := slices.Index(left, w)
		if equal = equal || i >= 0 && utf8.RuneCountInString(w) >= minWord; i < 0 {
			i = slices.IndexFunc(left, func(o string) bool { return isInitial(w, o) || isInitial(o, w) })
		}
		if i < 0 {
			return 0
		}
		left = slices.Delete(left, i, i+1)
	}
	if !equal {
		return 0
	}
	return .7 + .2*float64(len(part.words))/float64(len(whole.words))
}

func isInitial(short, word string) bool {
	return utf8.RuneCountInString(short) == 1 && strings.HasPrefix(word, short)
}

// likeness returns the share of the letters of two names that stay if one is edited into the
// other, 0 below minLikeness.
func likeness(a, b string) float64 {
	x, y := []rune(a), []rune(b)
	longest := max(len(x), len(y))
	if min(len(x), len(y)) < minEdited || longest > maxEdited || max(len(x)-len(y), len(y)-len(x)) > maxDifferent {
		return 0
	}
	if s := 1 - float64(edits(x, y))/float64(longest); s >= minLikeness {
		return s
	}
	return 0
}

// edits returns how many letters have to be added, removed or replaced.
func edits(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		before := row[0]
		row[0] = i + 1
		for j, y := range b {
			replaced := before
			if x != y {
				replaced++
			}
			before = row[j+1]
			row[j+1] = min(replaced, before+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// maleTitles are titles of men only.
const maleTitles = " mr sir lord king prince duke earl count baron emperor uncle brother father monsieur signor herr "

// otherGender reports whether one name has the title of a woman and the other one the title of a man.
func otherGender(a, b *form) bool { return a.isFemale() && b.isMale() || a.isMale() && b.isFemale() }

func (f *form) isFemale() bool {
	return slices.ContainsFunc(f.titles, func(t string) bool { return textproc.ClassOf(t)&textproc.FemaleWord != 0 || t == "mme" || t == "frau" })
}

func (f *form) isMale() bool {
	return slices.ContainsFunc(f.titles, func(t string) bool { return strings.Contains(maleTitles, " "+t+" ") })
}
