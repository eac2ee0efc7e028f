package textproc

import (
	"math"
	"slices"

	"github.com/neorag/neorag/internal/text/language"
)

// A Span is a range of bytes of a text.
type Span struct{ Start, End int }

// A Sentence is a sentence of an Analysis, without white space around it.
type Sentence struct {
	Span
	Tokens    []Token
	Paragraph int               // number of its paragraph, or of its message in a chat log
	Speaker   string            // of a chat log, as written
	Fragment  bool              // a heading, menu, table row or reference, which states nothing
	Code      bool              // of a block of code, also a Fragment
	Language  language.Language // of its paragraph, set by Analyze
}

const (
	maxTokens  = 90            // of a sentence, outside addresses; a longer one is split
	maxLinked  = 5 * maxTokens // of a sentence with addresses
	minWrapped = 40            // characters of a line that may continue in the next
	maxShort   = 60            // characters of a line that may continue a line of fewer characters than that
)

// Sentences returns the sentences of a text in order. Lines that look wrapped are joined;
// a blank line ends a sentence. Abbreviations and initials do not end a sentence. White
// space and text without a letter are not part of any sentence.
func Sentences(text string) []Span {
	var out []Span
	eachSentence(text, func(s Sentence) { out = append(out, s.Span) })
	return out
}

func eachSentence(text string, emit func(Sentence)) {
	v := vocabulary{}
	for _, b := range blocksOf(text, IsChat(text)) {
		splitBlock(text, b, v, nil, nil, emit)
	}
}

// maxText is the length of the longest text whose tokens are found, in bytes.
const maxText = math.MaxInt32

// arenaTokens is about how many tokens an arena holds before the next one begins.
const arenaTokens = 1 << 16

// startSentence returns where the tokens of the next sentence begin in an arena, which it
// replaces when it is nearly full: if it grew, the sentences so far would keep the memory
// that it had.
func startSentence(arena *[]Token) int {
	if len(*arena) > arenaTokens-maxLinked {
		*arena = make([]Token, 0, arenaTokens)
	}
	return len(*arena)
}

// splitBlock calls emit for each sentence of a block, except for sentences without a
// letter. Tokens are appended to arena; without one, they are overwritten by the next
// sentence. cut, if it is not nil, returns where the first token of a word ends.
func splitBlock(text string, b block, v vocabulary, arena *[]Token, cut func(text string, start, end int) int, emit func(Sentence)) {
	s := text[:min(b.End, maxText)]
	var own []Token
	if arena == nil {
		arena = &own
	}
	from := startSentence(arena)
	next := func(i int) (Token, bool) {
		start, end := scan(s, i)
		if start == len(s) {
			return Token{}, false
		}
		if cut != nil {
			end = cut(s, start, end)
		}
		return Token{v.word(s[start:end]), int32(start), int32(end)}, true //nolint:gosec // a text is at most maxText long
	}
	t, ok := next(b.Start)
	words, inAddress := 0, false
	for ok {
		*arena = append(*arena, t)
		toks := (*arena)[from:]
		if inAddress = continuesAddress(toks, inAddress); !inAddress {
			words++
		}
		after, more := next(int(t.End))
		if !more || words > maxTokens || len(toks) > maxLinked || endsSentence(s, toks, after) && !isRest(s[after.Start:]) && !isInCode(s, toks) && !isInBrackets(s, toks) {
			if slices.ContainsFunc(toks, func(t Token) bool { return t.Has(Letters) }) {
				emit(Sentence{
					Span: Span{int(toks[0].Start), int(t.End)}, Tokens: slices.Clip(toks), Paragraph: b.paragraph,
					Speaker: b.speaker, Code: b.code, Fragment: b.speaker == "" && (b.notProse || isFragment(toks) || isReference(text, toks, b.cites)),
				})
			}
			if arena == &own {
				own = own[:0]
			}
			from, words = startSentence(arena), 0
		}
		t, ok = after, more
	}
}

// continuesAddress reports whether the last token is in an address, which begins with :/ or, as the target of a
// link, with ]( and ends at white space.
func continuesAddress(toks []Token, inAddress bool) bool {
	if len(toks) < 2 {
		return false
	}
	before, last := toks[len(toks)-2], toks[len(toks)-1]
	begins := before.IsSymbol(']') && last.IsSymbol('(') || before.IsSymbol(':') && last.IsSymbol('/')
	return before.End == last.Start && (inAddress || begins)
}
