package textproc

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Span is a range of bytes of a text.
type Span struct{ Start, End int }

// A Sentence is one sentence of a Reading, trimmed of white space.
type Sentence struct {
	Span
	Tokens    []Token
	Paragraph int    // sentences of one paragraph, and of one message, share it
	Speaker   string // as written, where the text is a conversation
	Fragment  bool   // a heading, menu or row of a table: no evidence
}

const (
	maxSentence = 90 // words and marks; a longer sentence is cut
	wrapped     = 40 // letters of a line that is likely to go on in the next
)

// Sentences finds the sentences of a text in order. Lines that look wrapped are
// joined; an empty line ends a sentence. Abbreviations, initials and closing
// quotes do not. White space and text without a letter belong to no sentence.
func Sentences(text string) []Span {
	var out []Span
	v := vocabulary{}
	for _, b := range blocksOf(text, IsChat(text)) {
		cutBlock(text, b, v, nil, func(s Sentence) { out = append(out, s.Span) })
	}
	return out
}

// A block is a paragraph, or one message of a conversation.
type block struct {
	Span
	speaker   string
	paragraph int
}

// noSpeaker are labels that look like speakers.
const noSpeaker = " Time Note Source Title Author "

// blocksOf cuts a text into paragraphs and messages.
func blocksOf(text string, chat bool) []block {
	var out []block
	var cur block
	open, last, paragraph := false, 0, 0
	flush := func() {
		if open {
			cur.paragraph = paragraph
			out = append(out, cur)
			paragraph++
		}
		open = false
	}
	pos := 0
	for line := range strings.Lines(text) {
		start := pos + len(line) - len(strings.TrimLeftFunc(line, unicode.IsSpace))
		s := strings.TrimSpace(line)
		pos += len(line)
		name, rest := "", 0
		if chat {
			name, rest = speakerOf(s)
		}
		if s == "" || rest > 0 || last < wrapped {
			flush()
		}
		switch {
		case s == "":
		case rest > 0 && !strings.Contains(noSpeaker, " "+name+" "):
			out = append(out, block{Span{start + rest, start + len(s)}, name, paragraph})
			paragraph++
			last = 0
		case strings.HasPrefix(s, "Time: ") && len(s) > 6 && '0' <= s[6] && s[6] <= '9':
		default:
			if !open {
				cur, open = block{Span: Span{start, start}}, true
			}
			cur.End = start + len(s)
			last = lettersOf(s)
		}
	}
	flush()
	return out
}

// lettersOf counts the runes of a line, a run of white space as one.
func lettersOf(s string) int {
	n, space := 0, false
	for _, r := range s {
		if r == ' ' && space {
			continue
		}
		space = r == ' '
		n++
	}
	return n
}

// cutBlock hands out the sentences of a block that hold a letter. Tokens are
// kept in arena when it is given, else reused for the next sentence.
func cutBlock(text string, b block, v vocabulary, arena *[]Token, emit func(Sentence)) {
	s := text[:b.End]
	var own []Token
	if arena == nil {
		arena = &own
	}
	from := len(*arena)
	next := func(i int) (Token, bool) {
		start, end := scan(s, i)
		if start == len(s) {
			return Token{}, false
		}
		return Token{v.word(s[start:end]), start, end}, true
	}
	t, ok := next(b.Start)
	for ok {
		*arena = append(*arena, t)
		toks := (*arena)[from:]
		after, more := next(t.End)
		if !more || len(toks) > maxSentence || endsSentence(toks, after) {
			if hasLetter(toks) {
				emit(Sentence{
					Span: Span{toks[0].Start, t.End}, Tokens: slices.Clip(toks), Paragraph: b.paragraph,
					Speaker: b.speaker, Fragment: b.speaker == "" && isFragment(toks),
				})
			}
			if arena == &own {
				own = own[:0]
			}
			from = len(*arena)
		}
		t, ok = after, more
	}
}

const (
	stops   = ".!?…。！？"
	opening = "'\"‘“"
	closing = "'’\"”"
	bullets = "'\"‘“([*•"

	closingMarks    = closing + ")"
	stopsAndClosing = stops + closingMarks
	endings         = stops + closing + ":;)" // at the last token of what reads as a sentence
)

// endsSentence reports whether a sentence ends at the last token, given the next.
func endsSentence(toks []Token, next Token) bool {
	t := toks[len(toks)-1]
	apart := next.Start > t.End
	if strings.Contains(stops, t.Text) {
		if apart && strings.Contains(opening, next.Text) {
			return true
		}
		first, _ := utf8.DecodeRuneInString(next.Text)
		return !strings.Contains(stopsAndClosing, next.Text) &&
			(next.Has(Capital) || strings.ContainsRune(bullets, first) || unicode.IsDigit(first) || first > 0x2100)
	}
	if strings.Contains(closingMarks, t.Text) {
		return len(toks) > 1 && strings.Contains(stops, toks[len(toks)-2].Text) &&
			(next.Has(Capital) || strings.Contains(bullets[:len(bullets)-len("([*•")], next.Text))
	}
	// An abbreviation ends a sentence when a word follows that no name begins with.
	return len(t.Text) > 2 && t.Text[len(t.Text)-1] == '.' && !t.Is(Title) && next.Has(Capital) &&
		next.Is(Determiner|Pronoun|Conjunction) && next.Runes > 1 && !next.Has(AllCapital)
}

func hasLetter(toks []Token) bool {
	for _, t := range toks {
		if t.Has(Letters) {
			return true
		}
	}
	return false
}

// isFragment reports whether a row of words is no running text: a short line
// without an end mark, mostly capitals, or many digits and marks.
func isFragment(toks []Token) bool {
	words, caps, upper, noise, verb := 0, 0, 0, 0, false
	for _, t := range toks {
		switch {
		case t.Has(Letters):
			words++
			verb = verb || t.Has(Verb) && t.Has(AllSmall)
			if t.Has(Capital) {
				caps++
			}
			if t.Has(AllCapital) {
				upper++
			}
		case t.Has(Digits) || t.Runes == 1 && !strings.Contains(".,"+closing[:len(closing)-len("”")], t.Text):
			noise++
		}
	}
	last := toks[len(toks)-1].Text
	ended := strings.Contains(endings, last)
	if ended && verb && toks[0].Has(Capital) {
		caps-- // that of any sentence
	}
	return 10*noise > 3*len(toks) || !ended && words < 9 ||
		10*caps > 6*words && words > 2 || 2*upper > words && words > 3
}
