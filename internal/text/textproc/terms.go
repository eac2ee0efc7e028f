package textproc

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/neorag/neorag/internal/text/language"
)

// maxTerm is the longest term in bytes. Longer ones, mostly encoded data, are cut, in
// the index as in questions.
const maxTerm = 64

// Terms returns the terms of a text in the language that it is detected to be in. A
// text that is too short to tell is read as English; texts that are compared are read in
// the same language by TermsIn.
func Terms(text string) []string { return TermsIn(language.Of(text), text) }

// TermsIn returns the terms of a text in a language, in order, as index and questions use
// them: JaneDoe is two words, accents are removed, 1,000 becomes 1000, letters become
// lower case, a final 's and stop words are dropped, and words are stemmed. Chinese and
// Japanese, which do not separate words, give overlapping pairs of characters.
func TermsIn(l language.Language, text string) []string {
	out := make([]string, 0, len(text)/10+1)
	scanTerms(l, text, func(term string, _, _ int) { out = append(out, term) })
	return out
}

// TermPairs returns the unordered pairs of terms at a distance of one or two, as "a~b" with
// a before b in byte order. Pairs at distance one come first. A pair is repeated as often
// as it occurs.
func TermPairs(terms []string) []string {
	if len(terms) < 2 {
		return nil
	}
	out := make([]string, 0, 2*len(terms))
	for gap := 1; gap <= 2; gap++ {
		for i := 0; i+gap < len(terms); i++ {
			a, b := terms[i], terms[i+gap]
			if a != b {
				out = append(out, min(a, b)+"~"+max(a, b))
			}
		}
	}
	return out
}

// scanTerms calls emit with every term of a text in a language and the bytes that it came from.
func scanTerms(l language.Language, text string, emit func(term string, start, end int)) {
	s := termScanner{language: l, text: text, emit: emit}
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			s.ascii(text, i, c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		s.rune(text, i, r, size)
		i += size
	}
	s.flush()
}

// A termScanner holds the current word or run of ideographs.
type termScanner struct {
	language   language.Language
	text       string
	emit       func(term string, start, end int)
	word       [maxTerm]byte // folded, lower case
	n          int           // bytes of word
	start, end int           // its place in the text
	quoted     bool          // the word has an apostrophe; it may have one
	lower      bool          // the last character was a lower-case letter
	ideograph  rune          // the last one of the run, 0 outside a run
	single     bool          // the run has one ideograph so far
	folded     bool          // the word has accents or letters other than ASCII
}

func (s *termScanner) ascii(text string, i int, c byte) {
	switch {
	case 'a' <= c && c <= 'z':
		s.put(c, i)
		s.lower = true
	case '0' <= c && c <= '9':
		s.put(c, i)
		s.lower = false
	case 'A' <= c && c <= 'Z':
		if s.lower {
			s.flush()
		}
		s.put(c|0x20, i)
		s.lower = false
	case c == '\'':
		s.apostrophe(text, i, 1)
	case c == ',' && isThousandsComma(text, i):
		s.lower = false
	default:
		s.flush()
	}
}

func (s *termScanner) rune(text string, i int, r rune, size int) {
	switch {
	case r == '’':
		s.apostrophe(text, i, size)
		return
	case isInvisibleJoiner(r):
		return
	case r == utf8.RuneError, '\u2000' <= r && r < '\u2070': // spaces, dashes, quotation marks
		s.flush()
		return
	}
	props := norm.NFKD.PropertiesString(text[i:])
	if folded := props.Decomposition(); folded != nil {
		for len(folded) > 0 {
			d, n := utf8.DecodeRune(folded)
			s.fold(d, norm.NFKD.Properties(folded).CCC(), i, i+size, unicode.IsUpper(r))
			folded = folded[n:]
		}
		return
	}
	s.fold(r, props.CCC(), i, i+size, unicode.IsUpper(r))
}

// fold adds one character of a decomposition. The original is at start to end.
func (s *termScanner) fold(r rune, class uint8, start, end int, upper bool) {
	switch {
	case class != 0: // an accent
		if s.n > 0 {
			s.end, s.folded = end, true
		}
	case isIdeographic(r):
		s.ideographAt(r, start, end)
	case isWordRune(r), s.n > 0 && unicode.IsMark(r):
		if upper && s.lower {
			s.flush()
		}
		s.lower = unicode.IsLower(r) && !upper
		s.putRune(unicode.ToLower(r), start, end)
	case unicode.IsMark(r):
	default:
		s.flush()
	}
}

// extend makes the word include the bytes from start to end.
func (s *termScanner) extend(start, end int) {
	if s.ideograph != 0 {
		s.flush()
	}
	if s.n == 0 {
		s.start = start
	}
	s.end = end
}

func (s *termScanner) put(c byte, at int) {
	s.extend(at, at+1)
	if s.n < maxTerm {
		s.word[s.n] = c
		s.n++
	}
}

func (s *termScanner) putRune(r rune, start, end int) {
	s.extend(start, end)
	s.folded = true
	if s.n+utf8.RuneLen(r) <= maxTerm {
		s.n += utf8.EncodeRune(s.word[s.n:], r)
	}
}

func (s *termScanner) apostrophe(text string, i, size int) {
	next, _ := utf8.DecodeRuneInString(text[i+size:])
	if s.n == 0 || s.quoted || !isWordRune(next) {
		s.flush()
		return
	}
	s.quoted, s.lower = true, false
	s.put('\'', i)
}

func (s *termScanner) ideographAt(r rune, start, end int) {
	if s.n > 0 {
		s.flush()
	}
	if s.ideograph != 0 {
		s.emit(string(s.ideograph)+string(r), s.start, end)
		s.single = false
	} else {
		s.single = true
	}
	s.ideograph, s.start, s.end = r, start, end
}

// flush ends the current word or run.
func (s *termScanner) flush() {
	if s.n > 0 {
		word := s.word[:s.n]
		if n := len(word); n > 2 && word[n-2] == '\'' && word[n-1] == 's' {
			word = word[:n-2]
		}
		if term := s.term(word); term != "" {
			s.emit(term, s.start, s.end)
		}
	} else if s.ideograph != 0 && s.single {
		s.emit(string(s.ideograph), s.start, s.end)
	}
	s.n, s.quoted, s.lower, s.ideograph, s.folded = 0, false, false, 0, false
}

// term returns the term of the current word. Stems of English need no accents, stems of other
// languages do.
func (s *termScanner) term(word []byte) string {
	if !s.folded || s.language == language.English || s.language == language.Unknown {
		return stemWord(s.language, word)
	}
	return stemWord(s.language, strings.Map(func(r rune) rune {
		switch {
		case isInvisibleJoiner(r):
			return -1
		case r == '’':
			return '\''
		}
		return unicode.ToLower(r)
	}, norm.NFC.String(s.text[s.start:s.end])))
}

// isThousandsComma reports whether the comma at i separates thousands.
func isThousandsComma(text string, i int) bool {
	return i > 0 && i+3 < len(text) && isASCIIDigit(text[i-1]) && isASCIIDigit(text[i+1]) && isASCIIDigit(text[i+2]) && isASCIIDigit(text[i+3])
}

func isASCIIDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9'
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r))
}

// isInvisibleJoiner reports whether r is invisible and occurs inside words.
func isInvisibleJoiner(r rune) bool {
	return r == 0xAD || r == 0x200C || r == 0x200D || r == 0x2060 || r == 0xFEFF
}

// isIdeographic reports whether r belongs to a script without spaces between words:
// Chinese characters, the Japanese syllabaries and Thai.
func isIdeographic(r rune) bool {
	return 0x0E01 <= r && r <= 0x0E4E || 0x3400 <= r && r <= 0x9FFF || 0x3041 <= r && r <= 0x30FF && r != 0x30FB ||
		0xF900 <= r && r <= 0xFAFF || 0x20000 <= r && r <= 0x3FFFF
}
