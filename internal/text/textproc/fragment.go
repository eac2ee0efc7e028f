package textproc

import "strings"

// isReference reports whether a sentence is a reference of a block with marks of citations:
// it has such marks and no verb, or one of both in a block that is full of them.
func isReference(text string, toks []Token, block citationMarks) bool {
	if !block.areSeveral() {
		return false
	}
	verb := false
	for _, t := range toks {
		verb = verb || t.Has(Verb) && t.Has(AllLower)
	}
	marks := citationMarksOf(text[toks[0].Start:toks[len(toks)-1].End])
	if block.isDense() {
		return !verb || marks.strong > 0
	}
	return !verb && marks.areSeveral()
}

// A wording counts the words and marks of a sentence, without the targets of links.
type wording struct {
	words, caps, upper int
	noise              int // digits and marks
	counted            int // tokens, without the marks of emphasis, code and links
	linked             int // words of the texts of links
	verb, content      bool
	last               Token // that is counted
}

// wordingOf returns the wording of a sentence.
func wordingOf(toks []Token) wording {
	var w wording
	before := 0 // words before the last bracket
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		switch {
		case t.Has(Letters):
			w.addWord(t)
		case t.IsSymbol('['):
			before = w.words
			continue
		case t.IsSymbol(']'):
			if end := targetEnd(toks, i+1); end > 0 {
				w.linked += w.words - before
				i = end
			}
			continue
		case t.IsSymbol('*') || t.IsSymbol('`') || t.IsSymbol('!') && isAttached(toks, i+1, '['):
			continue
		case t.Has(Digits) || t.Runes == 1 && !strings.Contains(quietMarks, t.Text):
			w.noise++
		}
		w.counted, w.last = w.counted+1, t
	}
	return w
}

func (w *wording) addWord(t Token) {
	w.words++
	if t.Has(Capital) {
		w.caps++
	}
	if t.Has(AllUpper) {
		w.upper++
	}
	if t.Has(AllLower) {
		w.verb = w.verb || t.Has(Verb)
		w.content = w.content || t.Runes > 3 && !t.Is(FunctionWord|NameLink|ForeignDeterminer) || germanVerbs[t.Lower]
	}
}

var germanVerbs = wordSet("ist war hat kam sah lag gab")

// targetEnd returns the place of the mark that ends the target of a link whose text is before token i,
// or 0 for none.
func targetEnd(toks []Token, i int) int {
	if !isAttached(toks, i, '(') {
		return 0
	}
	for ; i < len(toks); i++ {
		if toks[i].IsSymbol(')') {
			return i
		}
	}
	return 0
}

// isAttached reports whether token i is a mark with no space before it.
func isAttached(toks []Token, i int, mark byte) bool {
	return i < len(toks) && toks[i].IsSymbol(mark) && toks[i].Start == toks[i-1].End
}

// isFragment reports whether tokens are not running text, but a short line without an
// end mark, mostly capitalised words, words of links, or many digits and marks.
func isFragment(toks []Token) bool {
	w := wordingOf(toks)
	if w.words == 0 {
		return true
	}
	last := w.last
	if end := toks[len(toks)-1]; w.words <= 3 && end.IsSymbol('*') { // a lead-in
		last = end
	}
	ended := strings.Contains(endings, last.Text) || last.Runes > 1 && strings.HasSuffix(last.Text, ".") // U.S.
	if ended && toks[0].Has(Capital) && (w.verb || w.content && strings.HasSuffix(last.Text, ".")) {
		w.caps-- // the first word of every sentence has one
	}
	return 10*w.noise > 3*w.counted || !ended && (w.words < 9 || 10*w.linked > 6*w.words) ||
		10*w.caps > 6*w.words && w.words > 2 || 2*w.upper > w.words && w.words > 3
}
