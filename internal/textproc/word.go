package textproc

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Shape says how a word is written.
type Shape uint16

// The shapes.
const (
	Capital     Shape = 1 << iota // the first letter is a capital
	SmallFirst                    // the first letter is lower case
	AllSmall                      // every cased letter is lower case
	AllCapital                    // every cased letter is a capital
	Letters                       // begins with a letter
	AllLetters                    // holds letters alone
	Digits                        // begins with a digit
	AllDigits                     // holds digits alone
	SingleMark                    // one mark, neither letter nor digit
	Verb                          // may be a verb, auxiliaries included
	VerbEnd                       // a verb by list or ending, auxiliaries excluded
	PossessiveS                   // 's
)

// A Word is one distinct spelling in a text, with what the lists and the text
// say of it. The counts belong to Base, which all spellings share that differ
// in case.
type Word struct {
	Text     string
	Lower    string // curly apostrophes straightened
	Singular string // of Lower
	Class    Class  // of Lower
	OneClass Class  // of Singular
	Shape    Shape
	Runes    int
	Base     *Word

	Small   int  // times it begins in lower case
	Mid     int  // times it has a capital where a capital says something
	After   int  // times it follows a determiner or a possessive, in lower case
	Acts    int  // times it follows a word that a verb follows
	Foreign int  // of Mid, those after a determiner or a noun's ending of another language
	Speaker bool // part of a speaker's name
}

// A Token is a word at its place.
type Token struct {
	*Word
	Start, End int // byte offsets in the text
}

// Is reports whether one of the classes holds the word.
func (w *Word) Is(c Class) bool { return w.Class&c != 0 }

// Has reports whether the word is written in one of the shapes.
func (w *Word) Has(s Shape) bool { return w.Shape&s != 0 }

// IsMark reports whether the word is that one-byte mark.
func (w *Word) IsMark(b byte) bool { return len(w.Text) == 1 && w.Text[0] == b }

// vocabulary interns the words of one text.
type vocabulary map[string]*Word

func (v vocabulary) word(s string) *Word {
	if w := v[s]; w != nil {
		return w
	}
	lower := strings.ReplaceAll(strings.ToLower(s), "’", "'")
	w := &Word{Text: s, Lower: lower, Singular: Singular(lower), Runes: utf8.RuneCountInString(s)}
	w.Class = classify(lower)
	w.OneClass = ClassOf(w.Singular)
	w.Shape = shapeOf(s) | verbShape(lower, w.Class)
	v[s] = w
	w.Base = w
	if lower != s {
		w.Base = v.word(lower)
	}
	return w
}

// classify is ClassOf with what no list can hold: nationalities by ending, and
// days and months with a full stop.
func classify(lower string) Class {
	c := ClassOf(lower)
	one := strings.TrimSuffix(lower, "s")
	if ClassOf(one)&Demonym != 0 || len(one) > 4 && (hasEnd(one, "ish", "ese") || ofPlace(one)) {
		c |= Demonym
	}
	if bare := strings.TrimRight(lower, "."); bare != lower {
		c |= ClassOf(bare) & Calendar
	}
	return c
}

// ofPlace reports whether a word is a known place with the ending of its people
// (Indonesian, Iraqi).
func ofPlace(w string) bool {
	for _, end := range []string{"n", "an", "ian", "i"} {
		if stem, ok := strings.CutSuffix(w, end); ok && (ClassOf(stem)|ClassOf(stem+"y")|ClassOf(stem+"a"))&KnownPlace != 0 && ClassOf(w)&(KnownPlace|GivenName) == 0 {
			return true
		}
	}
	return false
}

func shapeOf(s string) Shape {
	first, _ := utf8.DecodeRuneInString(s)
	var shape Shape
	switch {
	case unicode.IsUpper(first) || unicode.IsTitle(first):
		shape |= Capital
	case unicode.IsLower(first):
		shape |= SmallFirst
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
		{low && !up, AllSmall},
		{up && !low, AllCapital},
		{unicode.IsLetter(first), Letters},
		{!digits && !other, AllLetters},
		{unicode.IsDigit(first), Digits},
		{digits && !up && !low && !other, AllDigits},
		{other && utf8.RuneCountInString(s) == 1, SingleMark},
		{s == "'s" || s == "’s", PossessiveS},
	} {
		if x.is {
			shape |= x.shape
		}
	}
	return shape
}

// notPast are words in -ed that are no verbs.
const notPast = " hundred indeed speed breed naked wicked sacred "

func verbShape(w string, c Class) Shape {
	switch {
	case c&Auxiliary != 0:
		return Verb
	case c&(PastVerb|BaseVerb) != 0,
		len(w) > 4 && strings.HasSuffix(w, "ed") && !strings.Contains(notPast, " "+w+" "):
		return Verb | VerbEnd
	case len(w) > 2 && strings.HasSuffix(w, "s") && (ClassOf(w[:len(w)-1])|ClassOf(w[:len(w)-2]))&BaseVerb != 0:
		return Verb | VerbEnd
	}
	return 0
}

// Singular is the singular of an English noun in lower case, by its ending.
func Singular(w string) string {
	switch {
	case strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "s") && len(w) > 3 && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		return w[:len(w)-1]
	}
	return w
}

func isSpace(r rune) bool { return r == '_' || unicode.IsSpace(r) }

// inWord reports whether r may stand inside a word. Marks that combine belong
// to the letter before them.
func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// scan finds the next word at or after i: a word with its hyphens and
// contractions, an abbreviation with its full stop, a number, 's, or one mark.
// At the end start is len(s). The underscores of italics count as white space.
func scan(s string, i int) (start, end int) {
	var r rune
	n := 0
	for ; i < len(s); i += n {
		if r, n = utf8.DecodeRuneInString(s[i:]); !isSpace(r) {
			break
		}
	}
	switch {
	case i >= len(s):
		return len(s), len(s)
	case unicode.IsDigit(r):
		return i, numberEnd(s, i)
	case unicode.IsLetter(r):
		if end := dottedEnd(s, i); end > 0 {
			return i, end
		}
		return i, wordEnd(s, i+n)
	case r == '\'' || r == '’':
		if j := i + n; j < len(s) && s[j] == 's' && !wordAt(s, j+1) {
			return i, j + 1
		}
	}
	return i, i + n
}

func wordAt(s string, i int) bool {
	r, n := utf8.DecodeRuneInString(s[i:])
	return n > 0 && (r == '_' || inWord(r))
}

// numberEnd is the end of the number at i: digits with the marks between them,
// then a per cent sign.
func numberEnd(s string, i int) int {
	end := i
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		if unicode.IsDigit(r) {
			end = i
		} else if !strings.ContainsRune(".,:/-", r) {
			break
		}
	}
	if end < len(s) && s[end] == '%' {
		end++
	}
	return end
}

// wordEnd is the end of the word whose first letter ends at i.
func wordEnd(s string, i int) int {
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case inWord(r):
		case (r == '-' || r == '&') && i+n < len(s) && letterAt(s, i+n):
		case (r == '\'' || r == '’') && letterAt(s, i+n) && (s[i+n] != 's' || wordAt(s, i+n+1)):
		default:
			return i
		}
		i += n
	}
	return i
}

func letterAt(s string, i int) bool {
	r, n := utf8.DecodeRuneInString(s[i:])
	return n > 0 && inWord(r)
}

// dottedEnd is the end of an abbreviation or initial at i, full stop included, or 0.
func dottedEnd(s string, i int) int {
	j := i
	for j+1 < len(s) && 'A' <= s[j] && s[j] <= 'Z' && s[j+1] == '.' {
		j += 2
	}
	if j-i >= 4 { // U.S.
		return j
	}
	if j > i { // an initial
		if k := skipSpace(s, j); k > j && k < len(s) && 'A' <= s[k] && s[k] <= 'Z' {
			return j
		}
		return 0
	}
	if strings.HasPrefix(s[i:], "e.g.") || strings.HasPrefix(s[i:], "i.e.") {
		return abbreviationEnd(s, i, i+4)
	}
	for j < len(s) && j-i < 5 && 'a' <= s[j]|32 && s[j]|32 <= 'z' {
		j++
	}
	if j-i < 2 || j == len(s) || s[j] != '.' {
		return 0
	}
	if w := s[i : j+1]; ClassOf(strings.ToLower(w))&Abbreviation == 0 || w != "vs." && w != "etc." && s[i] >= 'a' {
		return 0
	}
	return abbreviationEnd(s, i, j+1)
}

// abbreviationEnd is j when white space or a comma follows. "No." is an
// abbreviation only before a number.
func abbreviationEnd(s string, i, j int) int {
	k := skipSpace(s, j)
	if k == len(s) || k == j && s[k] != ',' {
		return 0
	}
	if s[i:j] == "No." && (s[k] < '0' || s[k] > '9') {
		return 0
	}
	return j
}

func skipSpace(s string, i int) int {
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !isSpace(r) {
			break
		}
		i += n
	}
	return i
}
