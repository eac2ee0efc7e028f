package textproc

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/text/language"
)

// An Analysis is a text with its sentences and tokens, and with counts of how the text
// writes each word. Its names depend on the whole text.
type Analysis struct {
	Sentences []Sentence
	Speakers  []string // of a chat log, as written, in order of appearance
	Chat      bool     // the text is a chat log
	Language  language.Language
	English   bool
	Technical bool // it is about software or devices, as a manual is

	text       string // without Markdown, at the same offsets
	vocabulary vocabulary
	isSpeaker  map[string]bool
	source     string          // as given, at the same offsets
	code       []Span          // between backticks
	addresses  bool            // the text may have addresses of mail
	lowerStems map[string]bool // of English words that a technical text writes in lower case
	phrases    map[string]bool // that are repeated, in a language without capitals
}

// A text is English if more than englishShare percent of its words are English
// determiners, prepositions, conjunctions and auxiliaries. A text of fewer than
// shortText words is English unless it has more determiners of other languages.
const (
	englishShare = 15
	shortText    = 40
)

// Analyze analyses a text. Markdown links and boilerplate are ignored. All offsets are
// byte offsets in text.
func Analyze(text string) *Analysis {
	a := &Analysis{Chat: IsChat(text), vocabulary: make(vocabulary, len(text)/64), isSpeaker: map[string]bool{}, source: text, addresses: strings.Contains(text, "@")}
	if !a.Chat && strings.Contains(text, "](") {
		text = maskMarkup(text)
	}
	a.text = text
	a.Language = language.Of(text)
	if !a.Language.HasCapitals() {
		a.phrases = phrasesOf(a.Language, text)
	}
	arena := make([]Token, 0, min(len(text)/5+16, arenaTokens))
	for _, b := range blocksOf(text, a.Chat) {
		if b.speaker != "" && !a.isSpeaker[b.speaker] {
			a.isSpeaker[b.speaker] = true
			a.Speakers = append(a.Speakers, b.speaker)
		}
		if !b.code {
			a.addCode(b.Span)
		}
		splitBlock(text, b, a.vocabulary, &arena, a.cut(), func(s Sentence) { a.Sentences = append(a.Sentences, s) })
	}
	for _, name := range a.Speakers {
		for part := range strings.FieldsSeq(SplitCamel(name)) {
			a.vocabulary.word(part).Base.Speaker = true
		}
	}
	a.joinHyphenated()
	a.countClasses()
	a.countSpellings()
	a.findGermanNouns()
	a.findLowerStems()
	return a
}

// cut returns a function that returns the end of the first token in a word from start to end; nil if
// every word is one.
func (a *Analysis) cut() func(text string, start, end int) int {
	switch {
	case len(a.phrases) > 0 && !a.Language.SeparatesWords():
		return func(text string, start, end int) int { return phraseCut(a.phrases, text, start, end) }
	case a.Language == language.French || a.Language == language.Italian:
		return elisionCut
	}
	return nil
}

// elisionCut cuts after the apostrophe that joins an article or a preposition to a name, as in
// l'Espagne.
func elisionCut(text string, start, end int) int {
	word := text[start:end]
	if at := strings.IndexAny(word, "'’"); at > 0 {
		_, size := utf8.DecodeRuneInString(word[at:])
		if next, _ := utf8.DecodeRuneInString(word[at+size:]); unicode.IsUpper(next) {
			return start + at + size
		}
	}
	return end
}

// joinHyphenated replaces capitalised words that were hyphenated at a line end
// (Ameri-can) by the whole word, if the text also has the whole word.
func (a *Analysis) joinHyphenated() {
	for _, w := range a.vocabulary {
		head, rest, ok := strings.Cut(w.Text, "-")
		if !ok || !w.Has(Capital) || len(rest) < 2 || strings.ToLower(rest) != rest || strings.Contains(rest, "-") {
			continue
		}
		if whole := a.vocabulary[head+rest]; whole != nil {
			*w = *whole
		}
	}
}

// maskMarkup replaces everything that Clean drops by white space, so that the rest
// keeps its offsets.
func maskMarkup(text string) string {
	out := make([]byte, len(text))
	for i := range out {
		out[i] = ' '
		if text[i] == '\n' {
			out[i] = '\n'
		}
	}
	for _, line := range Clean(text, false) {
		for i := range len(line.Text) {
			if at := line.sourceOffset(i); at < len(out) && out[at] != '\n' {
				out[at] = line.Text[i]
			}
		}
	}
	restoreMarks(text, out)
	return string(out)
}

// lineMarks matches the mark at the beginning of a line: of a heading, a list item or a block of code.
var lineMarks = lazily(`^[ \t>]*(?:#{1,6} |[-*+] |\d{1,3}[.)] |(?:` + "```|~~~" + `).*)`)

// restoreMarks restores the marks at the beginning of the lines of a text that are not masked, which
// tell paragraphs apart.
func restoreMarks(text string, masked []byte) {
	start := 0
	for line := range strings.Lines(text) {
		if m := lineMarks().FindString(line); m != "" {
			trimmed := strings.TrimLeft(m, " \t>")
			isFence := trimmed[0] == '`' || trimmed[0] == '~'
			if isFence || len(bytes.TrimSpace(masked[start:start+len(line)])) > 0 {
				copy(masked[start:], m)
			}
		}
		start += len(line)
	}
}

// Phrase returns the text of a span on one line, without the underscores of italics.
func (a *Analysis) Phrase(at Span) string {
	s := a.text[at.Start:at.End]
	var b strings.Builder
	b.Grow(len(s))
	inside, gap := false, false // after a character of a word, after white space
	for i, c := range s {
		if unicode.IsSpace(c) || c == '_' && (!inside || !isInWordAt(s, i+1)) {
			gap = gap || c != '_'
			inside = false
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
		}
		gap, inside = false, isInWord(c)
		b.WriteRune(c)
	}
	return b.String()
}

// countSpellings counts how the running text writes each word.
func (a *Analysis) countSpellings() {
	var starts, code []bool
	for _, s := range a.Sentences {
		if s.Code {
			for _, t := range s.Tokens {
				t.InCode++
			}
		}
		if s.Fragment {
			continue
		}
		starts, code = appendStarts(s.Tokens, starts[:0]), a.AppendCode(s.Tokens, code[:0])
		for i, t := range s.Tokens {
			switch {
			case code[i]:
				t.InCode++
			case t.Has(LowerFirst):
				countLower(s.Tokens, i)
			case t.Has(Capital) && !starts[i]:
				t.Base.Capitalized++
				if marksNoun(s.Language, s.Tokens[i-1]) {
					t.Base.AfterForeign++
				}
			}
		}
	}
}

// countLower counts a lower-case token and what precedes it.
func countLower(toks []Token, i int) {
	b := toks[i].Base
	b.Lowercase++
	if i == 0 {
		return
	}
	p := toks[i-1]
	if p.Is(Determiner) && p.Lower != "that" || IsPossessive(toks, i-1) {
		b.AfterDeterminer++
	}
	if p.Is(VerbCue) {
		b.AfterVerbCue++
	}
}

// IsPossessive reports whether token i is a possessive 's, not the 's of "it's" or "let's".
func IsPossessive(toks []Token, i int) bool {
	return i > 0 && toks[i].Has(PossessiveS) && !toks[i-1].Is(FunctionWord) && toks[i-1].Lower != "let"
}

// A word may have a capital for its position after one of beforeStart, which include the mark between
// cells of a table, after a dash with white space around it, and after an apostrophe that does not end
// a word.
const (
	beforeStart = "“\"‘:•*!?…—.|"
	apostrophes = "'’"
)

// appendStarts appends, for each token, whether a capital there may be due to its
// position: at the first word, and after an opening quote, a bullet, a colon or a dash.
func appendStarts(toks []Token, into []bool) []bool {
	start := true
	for i, t := range toks {
		word := t.Has(Letters | Digits)
		into = append(into, word && start)
		if word {
			start = t.Is(OrganizationSuffix) && strings.HasSuffix(t.Text, ".") && (i+1 == len(toks) || !toks[i+1].Is(OrganizationSuffix)) // Acme, Inc. Prior to
		} else if strings.Contains(beforeStart, t.Text) || isDash(toks, i) || strings.Contains(apostrophes, t.Text) && (i == 0 || !toks[i-1].Has(Letters|Digits)) {
			start = true
		}
	}
	return into
}

// isDash reports whether token i is a hyphen or dash with white space around it.
func isDash(toks []Token, i int) bool {
	return (toks[i].IsSymbol('-') || toks[i].Text == "–") && i+1 < len(toks) && toks[i].End < toks[i+1].Start && (i == 0 || toks[i-1].End < toks[i].Start)
}

// LowerCount returns how often the running text writes a word with a lower-case first
// letter.
func (a *Analysis) LowerCount(word string) int {
	if w := a.vocabulary[word]; w != nil {
		return w.Base.Lowercase
	}
	return 0
}
