package textproc

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/text"
)

// A Shape is a set of properties of a word's spelling.
type Shape uint16

// The properties.
const (
	Capital     Shape = 1 << iota // the first letter is a capital
	LowerFirst                    // the first letter is lower case
	AllLower                      // every cased letter is lower case
	AllUpper                      // every cased letter is a capital
	Letters                       // starts with a letter
	AllLetters                    // consists of letters
	Digits                        // starts with a digit
	AllDigits                     // consists of digits
	Symbol                        // one character that is neither letter nor digit
	Verb                          // may be a verb, auxiliaries included
	MainVerb                      // a verb by list or ending, auxiliaries excluded
	PossessiveS                   // 's
)

// A Word is one spelling of a word in a text. Spellings that differ in case only share
// a Base, the one in lower case, which has the counts.
type Word struct {
	Text          string
	Lower         string // curly apostrophes straightened
	Singular      string // of Lower
	Class         Class  // of Lower
	SingularClass Class  // of Singular
	Shape         Shape
	Runes         int
	Base          *Word
	Speaker       bool // of Base: part of a speaker's name
	CommonNoun    bool // of Base: a German common noun
	InCode        int  // occurrences of this spelling in code

	// Occurrences in running text, of Base.
	Lowercase       int // in lower case
	Capitalized     int // with a capital that is not due to its position
	AfterDeterminer int // in lower case, after a determiner or a possessive
	AfterVerbCue    int // in lower case, after a word that precedes verbs
	AfterForeign    int // of Capitalized, those after a foreign determiner or a German ending
}

// A Token is an occurrence of a word. A long text has millions, so that they are small.
type Token struct {
	*Word
	Start, End int32 // byte offsets in the text
}

// Is reports whether the word is in one of the classes.
func (w *Word) Is(c Class) bool { return w.Class&c != 0 }

// Has reports whether the word has one of the properties.
func (w *Word) Has(s Shape) bool { return w.Shape&s != 0 }

// IsOneOf reports whether the word, in lower case, is in a list with spaces around each word.
func (w *Word) IsOneOf(list string) bool { return strings.Contains(list, " "+w.Lower+" ") }

// IsSymbol reports whether the word is the single byte b.
func (w *Word) IsSymbol(b byte) bool { return len(w.Text) == 1 && w.Text[0] == b }

// A vocabulary holds the words of one text by their spelling.
type vocabulary map[string]*Word

// word returns the word with a spelling, and adds it if it is new.
func (v vocabulary) word(s string) *Word {
	if w := v[s]; w != nil {
		return w
	}
	lower := strings.ReplaceAll(strings.ToLower(s), "’", "'")
	w := &Word{Text: s, Lower: lower, Singular: Singular(lower), Runes: utf8.RuneCountInString(s)}
	w.Class = classOfWord(lower)
	w.SingularClass = ClassOf(w.Singular)
	w.Shape = shapeOf(s) | verbShape(lower, w.Class)
	if w.Has(LowerFirst) && !w.Has(AllLower) && w.Is(KnownConcept|KnownOrganization) { // iPhone, eBay
		w.Shape ^= Capital | LowerFirst
	}
	v[s] = w
	w.Base = w
	if lower != s {
		w.Base = v.word(lower)
	}
	return w
}

// classOfWord is ClassOf plus what is recognized by form: nationalities by their
// ending, and abbreviated days and months.
func classOfWord(lower string) Class {
	c := ClassOf(lower)
	one := strings.TrimSuffix(lower, "s")
	if ClassOf(one)&Demonym != 0 || len(one) > 4 && (text.HasAnySuffix(one, "ish", "ese") || isFromPlace(one)) {
		c |= Demonym
	}
	if bare := strings.TrimRight(lower, "."); bare != lower {
		c |= ClassOf(bare) & Calendar
	}
	return c
}

// isFromPlace reports whether a word is a known place with an ending for its people
// (Indonesian, Iraqi).
func isFromPlace(w string) bool {
	for _, end := range []string{"n", "an", "ian", "i"} {
		if stem, ok := strings.CutSuffix(w, end); ok && (ClassOf(stem)|ClassOf(stem+"y")|ClassOf(stem+"a"))&KnownPlace != 0 && ClassOf(w)&(KnownPlace|GivenName) == 0 {
			return true
		}
	}
	return false
}

// shapeOf returns the shape of a spelling without Verb and MainVerb.
func shapeOf(s string) Shape {
	first, _ := utf8.DecodeRuneInString(s)
	var shape Shape
	switch {
	case unicode.IsUpper(first) || unicode.IsTitle(first):
		shape |= Capital
	case unicode.IsLower(first):
		shape |= LowerFirst
	}
	var up, low, other, digits bool
	for _, r := range s {
		switch {
		case unicode.IsUpper(r):
			up = true
		case unicode.IsLower(r):
			low = true
		case unicode.IsDigit(r):
			digits = true
		case !unicode.IsLetter(r):
			other = true
		}
	}
	for _, x := range []struct {
		is    bool
		shape Shape
	}{
		{low && !up, AllLower},
		{up && !low, AllUpper},
		{unicode.IsLetter(first), Letters},
		{!digits && !other, AllLetters},
		{unicode.IsDigit(first), Digits},
		{digits && !up && !low && !other, AllDigits},
		{other && utf8.RuneCountInString(s) == 1, Symbol},
		{s == "'s" || s == "’s", PossessiveS},
	} {
		if x.is {
			shape |= x.shape
		}
	}
	return shape
}

// notVerbs are words in -ed that are not verbs.
const notVerbs = " hundred indeed speed breed naked wicked sacred "

// verbShape returns Verb and MainVerb as they apply to a word in lower case.
func verbShape(w string, c Class) Shape {
	switch {
	case c&Auxiliary != 0:
		return Verb
	case c&(PastVerb|BaseVerb) != 0,
		len(w) > 4 && strings.HasSuffix(w, "ed") && !strings.Contains(notVerbs, " "+w+" "):
		return Verb | MainVerb
	case len(w) > 2 && strings.HasSuffix(w, "s") && (ClassOf(w[:len(w)-1])|ClassOf(w[:len(w)-2]))&BaseVerb != 0:
		return Verb | MainVerb
	}
	return 0
}
