package textproc

import (
	"strings"
	"unicode"
)

// A Reading is one text read for its names: sentences, words, and how the text
// writes each word. What it says depends on the whole text.
type Reading struct {
	Sentences []Sentence
	Speakers  []string // names before the messages of a conversation, in order of appearance
	Chat      bool     // the text is a conversation
	English   bool

	text       string // as read: cleaned where it is a web page
	vocabulary vocabulary
	speaker    map[string]bool
}

// englishShare is the share of determiners, prepositions, conjunctions and auxiliaries
// above which a text counts as English, in hundredths. A text of fewer than
// fewWords words is English unless the words of other languages prevail.
const (
	englishShare = 15
	fewWords     = 40
)

// Read reads a text. Web pages are cleaned first; all offsets are those of text.
func Read(text string) *Reading {
	r := &Reading{Chat: IsChat(text), vocabulary: make(vocabulary, len(text)/64), speaker: map[string]bool{}}
	if !r.Chat && strings.Contains(text, "](") {
		text = blank(text)
	}
	r.text = text
	arena := make([]Token, 0, len(text)/5+16)
	for _, b := range blocksOf(text, r.Chat) {
		if b.speaker != "" && !r.speaker[b.speaker] {
			r.speaker[b.speaker] = true
			r.Speakers = append(r.Speakers, b.speaker)
		}
		cutBlock(text, b, r.vocabulary, &arena, func(s Sentence) { r.Sentences = append(r.Sentences, s) })
	}
	for _, name := range r.Speakers {
		for part := range strings.FieldsSeq(SplitCamel(name)) {
			r.vocabulary.word(part).Base.Speaker = true
		}
	}
	r.mend()
	r.count()
	return r
}

// mend reads capitalised words that a line's end has broken (Ameri-can) as the
// whole word, where the text has that too.
func (r *Reading) mend() {
	for _, w := range r.vocabulary {
		head, rest, ok := strings.Cut(w.Text, "-")
		if !ok || !w.Has(Capital) || len(rest) < 2 || strings.ToLower(rest) != rest || strings.Contains(rest, "-") {
			continue
		}
		if whole := r.vocabulary[head+rest]; whole != nil {
			*w = *whole
		}
	}
}

// blank is text with everything that Clean leaves out as white space, so that
// what is left stands where it stood.
func blank(text string) string {
	out := make([]byte, len(text))
	for i := range out {
		out[i] = ' '
		if text[i] == '\n' {
			out[i] = '\n'
		}
	}
	for _, line := range Clean(text, false) {
		for i := range len(line.Text) {
			if at := line.at(i); at < len(out) && out[at] != '\n' {
				out[at] = line.Text[i]
			}
		}
	}
	return string(out)
}

// Phrase is what stands at a span, in one line, without the marks of italics.
func (r *Reading) Phrase(at Span) string {
	s := r.text[at.Start:at.End]
	var b strings.Builder
	b.Grow(len(s))
	inside, gap := false, false // after a character of a word, after white space
	for i, c := range s {
		if unicode.IsSpace(c) || c == '_' && (!inside || !letterAt(s, i+1)) {
			gap = gap || c != '_'
			inside = false
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
		}
		gap, inside = false, inWord(c)
		b.WriteRune(c)
	}
	return b.String()
}

// count counts how the running text writes each word.
func (r *Reading) count() {
	function, foreign, words := 0, 0, 0
	var starts []bool
	for _, s := range r.Sentences {
		for i, t := range s.Tokens {
			if t.Has(Letters) {
				words++
				if t.Is(Determiner | Preposition | Conjunction | Auxiliary) {
					function++
				} else if t.Is(ForeignDeterminer) {
					foreign++
				}
			}
			if s.Fragment {
				continue
			}
			if i == 0 {
				starts = Starts(s.Tokens, starts[:0])
			}
			if t.Has(SmallFirst) {
				countSmall(s.Tokens, i)
			} else if t.Has(Capital) && !starts[i] {
				t.Base.Mid++
				if p := s.Tokens[i-1]; p.Is(ForeignDeterminer) || foreignEnd(p.Text) {
					t.Base.Foreign++
				}
			}
		}
	}
	r.English = 100*function > englishShare*words || words < fewWords && foreign <= function
}

func countSmall(toks []Token, i int) {
	b := toks[i].Base
	b.Small++
	if i == 0 {
		return
	}
	p := toks[i-1]
	if p.Is(Determiner) && p.Lower != "that" || Owns(toks, i-1) {
		b.After++
	}
	if p.Is(BeforeVerb) {
		b.Acts++
	}
}

// Owns reports whether token i is the 's of a possessive, not of "it's" or "let's".
func Owns(toks []Token, i int) bool {
	return i > 0 && toks[i].Has(PossessiveS) && !toks[i-1].Is(StopClass) && toks[i-1].Lower != "let"
}

func foreignEnd(s string) bool {
	if len(s) < 2 {
		return false
	}
	switch s[len(s)-2:] {
	case "en", "er", "es", "em":
		return true
	}
	return false
}

// A word starts something new after beforeStart, and after an apostrophe that
// ends no word.
const (
	beforeStart = "“\"‘:•*!?…—."
	apostrophes = "'’"
)

// Starts appends, for each token, whether a capital says nothing there: the
// first word, and those after an opening quote, a bullet, a colon or a dash.
func Starts(toks []Token, into []bool) []bool {
	fresh := true
	for i, t := range toks {
		word := t.Has(Letters | Digits)
		into = append(into, word && fresh)
		if word {
			fresh = false
		} else if strings.Contains(beforeStart, t.Text) || strings.Contains(apostrophes, t.Text) && (i == 0 || !toks[i-1].Has(Letters|Digits)) {
			fresh = true
		}
	}
	return into
}

// SplitCamel separates the words of a name such as LiHua.
func SplitCamel(s string) string {
	var b strings.Builder
	small := false
	for _, r := range s {
		if small && unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		small = unicode.IsLower(r)
		b.WriteRune(r)
	}
	return b.String()
}

// nameTails end compounds whose first part is the name (Tokyo-based).
var nameTails = []string{"-based", "-style", "-led", "-era", "-like", "-born", "-backed"}

// Join is the name that tokens spell.
func (r *Reading) Join(toks []Token) string {
	if len(toks) == 1 {
		return r.spell(trimTail(toks[0].Text))
	}
	var b strings.Builder
	for i, t := range toks {
		if i > 0 && !t.Has(PossessiveS) && (!t.Has(SingleMark) || t.Start > toks[i-1].End) {
			b.WriteByte(' ')
		}
		b.WriteString(t.Text)
	}
	return r.spell(trimTail(b.String()))
}

func (r *Reading) spell(s string) string {
	if r.speaker[s] {
		return SplitCamel(s)
	}
	return s
}

func trimTail(s string) string {
	if strings.IndexByte(s, '-') < 0 {
		return s
	}
	for _, tail := range nameTails {
		if t, ok := strings.CutSuffix(s, tail); ok && t != "" {
			return t
		}
	}
	return s
}

// Small is how often the running text writes a word with a small first letter.
func (r *Reading) Small(word string) int {
	if w := r.vocabulary[word]; w != nil {
		return w.Base.Small
	}
	return 0
}
