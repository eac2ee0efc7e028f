package textproc

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	endMarks      = ".!?…。！？؟۔।"
	quoteMarks    = "'\"‘’“”„‚«»‹›「」『』"
	openingQuotes = "'\"‘“„‚«»‹›「『" // » opens in German
	closingQuotes = "'\"’”“«»‹›」』"  // “ and « close in German
	bullets       = "([*•`" + openingQuotes

	// quietMarks do not make a line look like a table.
	quietMarks = ".,'’\"" + "，、；：。！？“”‘《》「」『』" + "،؛؟।" + "$€£¥°§"

	closingMarks = closingQuotes + ")）】〉》*`"
	endings      = endMarks + closingQuotes + ":;)" // of the last token of a complete sentence
)

// endsSentence reports whether a sentence of a text ends after the last token, before next.
func endsSentence(text string, toks []Token, next Token) bool {
	t := toks[len(toks)-1]
	apart := next.Start > t.End
	if t.Has(Symbol) {
		switch {
		case strings.Contains(endMarks, t.Text):
			return endsAfterMark(text, toks, next, apart)
		case strings.Contains(closingMarks, t.Text):
			return endsAfterClosing(toks, next, apart)
		}
		return false
	}
	if len(t.Text) == len("B.") && t.Text[1] == '.' && len(toks) > 1 {
		switch before := toks[len(toks)-2]; {
		case isLettered(before) || before.Text == "°": // variant B. 25 °C.
			return next.Has(Capital)
		case before.Has(Digits): // 5 V.
			return opensSentence(next)
		}
	}
	// An abbreviation ends a sentence if the next word does not start names.
	return len(t.Text) > 2 && t.Text[len(t.Text)-1] == '.' && !t.Is(Title) && opensSentence(next)
}

// endsAfterMark reports whether a sentence ends at its last token, an end mark.
func endsAfterMark(text string, toks []Token, next Token, apart bool) bool {
	t := toks[len(toks)-1]
	first, _ := utf8.DecodeRuneInString(next.Text)
	switch {
	case strings.Contains(endMarks, next.Text):
		return false
	case strings.Contains(quoteMarks, next.Text):
		return strings.Contains(openingQuotes, next.Text) && apart && !closesApart(text, next) || strings.ContainsAny(next.Text, "„‚「『")
	case strings.Contains(closingMarks, next.Text) && (!apart || next.Text == ")"):
		return false
	case t.Text == "." && (isNumbered(toks, next) || isOrdinal(toks, next) || isFaculty(toks)):
		return false
	case !apart && len(t.Text) == 1:
		return endsWithoutSpace(toks, next)
	case t.Text == "!" && next.Is(OrganizationSuffix) && strings.HasSuffix(next.Text, "."): // Yahoo! Inc.
		return false
	}
	return next.Has(Capital) || strings.ContainsRune(bullets, first) || unicode.IsDigit(first) || first > 0x2100 || isCaseless(first)
}

// endsWithoutSpace reports whether a sentence ends at a full stop, an exclamation mark or a question
// mark with no space before the next token. It does not in a version, a dotted name, an address or
// before the brackets of an image, but it does where a space or the space before the number of a
// footnote is missing.
func endsWithoutSpace(toks []Token, next Token) bool {
	if next.Has(Digits) {
		before := toks[max(len(toks)-2, 0)]
		return before.Has(AllLower) && before.Has(AllLetters) && before.Runes > 2 && len(next.Text) <= len("123")
	}
	first, _ := utf8.DecodeRuneInString(next.Text)
	return opensSentence(next) || toks[len(toks)-1].Text != "!" && next.Text == "[" || first > 0x2100
}

// endsAfterClosing reports whether a sentence ends at its last token, a mark that closes a quote,
// a parenthesis or an emphasis: it does if an end mark is before it.
func endsAfterClosing(toks []Token, next Token, apart bool) bool {
	if !apart && strings.Contains(closingMarks, next.Text) {
		return false
	}
	i := len(toks) - 2
	for i > 0 && strings.Contains(closingMarks, toks[i].Text) && toks[i+1].Start == toks[i].End {
		i--
	}
	if i < 0 || !strings.Contains(endMarks, toks[i].Text) || strings.ContainsAny(toks[i+1].Text, "*`") && toks[i+1].Start > toks[i].End {
		return false
	}
	first, _ := utf8.DecodeRuneInString(next.Text)
	return next.Has(Capital) || strings.Contains(openingQuotes, next.Text) || apart && isCaseless(first)
}

// closesApart reports whether a quotation mark after a space closes a quote, as in French: « Oui. »
func closesApart(text string, mark Token) bool {
	if mark.Text != "»" && mark.Text != "›" {
		return false
	}
	after, size := utf8.DecodeRuneInString(text[mark.End:])
	return size == 0 || unicode.IsSpace(after) || strings.ContainsRune(".,;:!?)", after)
}

// isRest reports whether the rest of a paragraph is only a number with an end mark, which is not a
// sentence: 5 %.
func isRest(rest string) bool {
	const maxRest = 40
	first, _ := utf8.DecodeRuneInString(rest)
	return len(rest) <= maxRest && unicode.IsDigit(first) && strings.ContainsAny(rest[len(rest)-1:], ".!?") && !strings.ContainsFunc(rest, unicode.IsLetter)
}

// isInBrackets reports whether a text after tokens is inside of brackets that close soon, with no others before.
func isInBrackets(text string, toks []Token) bool {
	const maxBrackets = 100
	open := 0
	for _, t := range toks {
		switch {
		case t.IsSymbol('('):
			open++
		case t.IsSymbol(')'):
			open = max(0, open-1)
		}
	}
	if open == 0 {
		return false
	}
	rest := text[toks[len(toks)-1].End:]
	rest, _, _ = strings.Cut(rest[:min(len(rest), maxBrackets)], "\n")
	at := strings.IndexAny(rest, "()")
	return at >= 0 && rest[at] == ')'
}

// isInCode reports whether the last token is in inline code, which a mark after it on the same line
// closes.
func isInCode(text string, toks []Token) bool {
	const maxCode = 100
	inside := false
	for _, t := range toks {
		if t.IsSymbol('`') {
			inside = !inside
		}
	}
	if !inside {
		return false
	}
	rest := text[toks[len(toks)-1].End:]
	rest, _, _ = strings.Cut(rest[:min(len(rest), maxCode)], "\n")
	before, _, closed := strings.Cut(rest, "`")
	return closed && before == strings.TrimRight(before, " ")
}

// opensSentence reports whether a word begins a sentence, since names do not begin with it.
func opensSentence(next Token) bool {
	return next.Has(Capital) && next.Is(Determiner|Pronoun|Conjunction) && next.Runes > 1 && !next.Has(AllUpper)
}

// isCaseless reports whether a letter belongs to a script without capitals.
func isCaseless(r rune) bool {
	return unicode.IsLetter(r) && !unicode.IsUpper(r) && !unicode.IsLower(r)
}

// beforeNumbers are abbreviations before a full stop and a number: pp. 3, ca. 5 %. The words with a
// capital are other words without one.
var beforeNumbers = wordSet("p pp vol vols nos ch chs chap chaps fig figs sec secs art arts par ex eq eqs ref refs op ft Min Max Tab " +
	"ca rd s v str geb nr abs abb kap bd ziff lit anm")

// beforeParentheses are abbreviations before the number of an equation: Eq. (3).
var beforeParentheses = wordSet("eq eqs ref refs fig figs sec secs gl abs")

// isNumbered reports whether the word before a full stop is an abbreviation that the number after
// it belongs to.
func isNumbered(toks []Token, next Token) bool {
	if len(toks) < 2 || !next.Has(Digits) && next.Text != "(" {
		return false
	}
	before := toks[len(toks)-2]
	word := before.Lower
	if i := strings.LastIndexByte(word, '\''); i > 0 { // L'art. 5
		word = word[i+1:]
	}
	if next.Text == "(" {
		return beforeParentheses[word]
	}
	return beforeNumbers[word] || beforeNumbers[before.Text] || len(word) > len("str") && strings.HasSuffix(word, "str") // Hauptstr. 5
}

// isLettered reports whether a word before a capital and a full stop is a thing that a letter names,
// so that the letter is not an initial: variant B, appendix C.
func isLettered(t Token) bool { return letteredThings[t.Lower] || t.Is(NumberedPart) }

var letteredThings = wordSet("variant version option type plan vitamin hepatitis influenza group class grade team phase level case point unit model " +
	"schedule exhibit column row zone block room gate factor protein " +
	"variante typ gruppe klasse teil anlage anhang abschnitt punkt fall stufe")

// ordinalMonths are words that follow an ordinal number in German, and no number that ends a sentence.
var ordinalMonths = wordSet("januar februar märz mai juni juli oktober dezember jahrhundert jahrhunderts")

// leadsOrdinal are words before an ordinal number in German.
var leadsOrdinal = wordSet("am im vom zum zur beim der das dem den des die seit ab bis jeder jede jedes jeden jedem dieser diesem diesen")

// isOrdinal reports whether the full stop after a number makes it an ordinal number, as in German:
// am 2. Juli, das 3. Treffen.
func isOrdinal(toks []Token, next Token) bool {
	if len(toks) < 2 || !next.Has(Capital) || next.Is(ForeignDeterminer) {
		return false
	}
	n := toks[len(toks)-2]
	if !n.Has(Digits) || n.Has(Letters) || len(n.Text) > 3 {
		return false
	}
	return ordinalMonths[next.Lower] || len(toks) > 2 && leadsOrdinal[toks[len(toks)-3].Lower]
}

// isFaculty reports whether the full stop after a word in lower case belongs to a degree: Dr. med., Dr. rer. nat.
func isFaculty(toks []Token) bool {
	if len(toks) < 3 || !toks[len(toks)-2].Has(AllLower) {
		return false
	}
	title := toks[len(toks)-3].Lower
	return title == "dr." || title == "rer."
}
