package language

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A text is detected by samples: whole if it is short, else windows of sampleBytes from its start,
// its middle and its end.
const sampleBytes = 4096

// What a text needs to be in a language with a script that others share. Words that several
// languages have count for each in part.
const (
	leastWords  = 2    // function words
	leastScore  = 1.2  // their sum
	telling     = 5    // letters of a function word of one language that counts twice, so that one is enough
	leastTold   = 4    // words of a text for which one is enough: fewer may be a name
	leastLead   = 1.2  // times the score of the second language
	rounding    = 1e-9 // of a sum of scores, relative to it: more than the errors of a million additions
	leastShare  = .1   // function words among all words, of more than fewWords
	fewWords    = 20
	leastKana   = .05 // of the letters of Japanese; Chinese has none
	mostForeign = .02 // letters that a language does not have, such as those of Persian in Arabic
)

// Of detects the language of a text. It is Unknown if the text is too short to tell, or in a
// language that is not detected.
func Of(text string) Language {
	var v votes
	switch n := len(text); {
	case n <= 3*sampleBytes:
		v.read(text)
	default:
		middle := characterStart(text, n/2)
		v.read(text[:characterStart(text, sampleBytes)])
		v.read(text[middle:characterStart(text, middle+sampleBytes)])
		v.read(text[characterStart(text, n-sampleBytes):])
	}
	return v.language()
}

// characterStart returns the first place from at on that starts a character.
func characterStart(text string, at int) int {
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	return at
}

// The scripts that are counted.
const (
	latinScript = iota
	arabicScript
	cyrillicScript
	devanagariScript
	greekScript
	hanScript
	hangulScript
	hebrewScript
	kanaScript
	thaiScript
	scripts
)

// votes count what a text has of each language.
type votes struct {
	letters [scripts]int
	foreign int // letters of Persian or Urdu, Ukrainian or Bulgarian
	words   int
	score   [32]float64
	of      [32]int // function words of each language
	twice   [32]int // of these, the words that count twice
}

// joiners are characters next to the words of addresses and codes, which are not of a language.
const joiners = "/._-@=&%#0123456789"

// read counts the letters and words of a text.
func (v *votes) read(text string) {
	text = norm.NFC.String(text)
	var word [32]byte
	n := 0
	joined := false // the word, or what follows it, is part of an address or code
	put := func(r rune) {
		if n+utf8.RuneLen(r) > len(word) {
			n = len(word) + 1 // too long for a function word
			return
		}
		n += utf8.EncodeRune(word[n:], r)
	}
	end := func(by byte) {
		isJoiner := strings.IndexByte(joiners, by) >= 0
		if n > 0 && n <= len(word) && !joined && (!isJoiner || by == '.') {
			v.word(word[:n])
		}
		n, joined = 0, isJoiner
	}
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			i++
			switch {
			case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
				v.letters[latinScript]++
				put(rune(c | 0x20))
			default:
				end(c)
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch {
		case unicode.IsLetter(r):
			v.letter(r)
			put(unicode.ToLower(r))
		case unicode.IsMark(r) && n > 0:
			put(r)
		default:
			end(' ')
		}
	}
	end(' ')
}

// letter counts a letter that is not ASCII.
func (v *votes) letter(r rune) {
	switch {
	case r < 0x250:
		v.letters[latinScript]++
	case 0x370 <= r && r < 0x400:
		v.letters[greekScript]++
	case 0x400 <= r && r < 0x530:
		v.letters[cyrillicScript]++
		switch unicode.ToLower(r) {
		case 'і', 'ї', 'є', 'ґ', 'ў', 'ј', 'љ', 'њ', 'ћ', 'ђ', 'џ':
			v.foreign++
		}
	case 0x590 <= r && r < 0x600:
		v.letters[hebrewScript]++
	case 0x600 <= r && r < 0x780:
		v.letters[arabicScript]++
		switch r {
		case 'پ', 'چ', 'ژ', 'گ', 'ک', 'ی', 'ٹ', 'ڈ', 'ڑ', 'ے', 'ں', 'ہ':
			v.foreign++
		}
	case 0x900 <= r && r < 0x980:
		v.letters[devanagariScript]++
	case 0xE00 <= r && r < 0xE80:
		v.letters[thaiScript]++
	case 0x3041 <= r && r < 0x3100:
		v.letters[kanaScript]++
	case unicode.Is(unicode.Han, r):
		v.letters[hanScript]++
	case 0xAC00 <= r && r < 0xD7B0:
		v.letters[hangulScript]++
	}
}

// word counts a word in lower case.
func (v *votes) word(w []byte) {
	if len(w) == 1 && !strings.ContainsRune("aeioy", rune(w[0])) {
		return // what an apostrophe separates, as in John's
	}
	v.words++
	languages := functionWords()[string(w)]
	if languages == 0 {
		return
	}
	n := bits.OnesCount32(languages)
	weight := 1 / float64(n)
	if n == 1 && len(w) >= telling {
		weight = leastScore
		at := bits.TrailingZeros32(languages)
		v.of[at], v.twice[at] = v.of[at]+1, v.twice[at]+1
	}
	for rest := languages; rest != 0; rest &= rest - 1 {
		at := bits.TrailingZeros32(rest)
		v.of[at]++
		v.score[at] += weight
	}
}

// language returns the language that most of what was read is in.
func (v *votes) language() Language {
	letters := v.letters
	for _, s := range []int{hanScript, kanaScript, hangulScript} { // whose characters are syllables or words
		letters[s] *= 3
	}
	most := latinScript
	for s, n := range letters {
		if n > letters[most] {
			most = s
		}
	}
	switch most {
	case hanScript, kanaScript:
		if float64(v.letters[kanaScript]) > leastKana*float64(v.letters[hanScript]+v.letters[kanaScript]) {
			return Japanese
		}
		return Chinese
	case hangulScript:
		return Korean
	case greekScript:
		return Greek
	case hebrewScript:
		return Hebrew
	case thaiScript:
		return Thai
	case devanagariScript:
		return v.mainly(Hindi, devanagariScript)
	case arabicScript:
		return v.mainly(Arabic, arabicScript)
	case cyrillicScript:
		return v.mainly(Russian, cyrillicScript)
	}
	return v.byFunctionWords()
}

// mainly returns the main language of a script unless letters or words show that it is another one.
func (v *votes) mainly(l Language, script int) Language {
	if float64(v.foreign) > mostForeign*float64(v.letters[script]) {
		return Unknown
	}
	if v.words > fewWords && float64(v.of[placeOf(l)]) < leastShare/2*float64(v.words) {
		return Unknown
	}
	return l
}

// byFunctionWords returns the language of the Latin script with most function words.
func (v *votes) byFunctionWords() Language {
	best, second := 0, 0.
	for i := range all {
		if v.score[i] > v.score[best] {
			best = i
		}
	}
	for i := range all {
		if i != best {
			second = max(second, v.score[i])
		}
	}
	enough := v.of[best] >= leastWords && v.score[best] >= leastScore && v.score[best]*(1+rounding) >= leastLead*second
	if v.words < leastTold && v.of[best]-v.twice[best] < leastWords {
		return Unknown
	}
	if !enough || v.words > fewWords && float64(v.of[best]) < leastShare*float64(v.words) {
		return Unknown
	}
	return all[best].language
}
