package textproc

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/language"
)

// A nameFinder finds the names of one sentence.
type nameFinder struct {
	analysis *Analysis
	language language.Language
	toks     []Token
	starts   []bool // per token: its capital may be due to its position
	code     []bool // per token: it is code
}

// Names returns the names of a sentence as ranges of its tokens, in order and without
// overlap.
func (a *Analysis) Names(s Sentence) []Span {
	if !a.Language.HasCapitals() {
		return a.phraseNames(s)
	}
	if s.Code {
		return nil
	}
	marks := make([]bool, 0, 2*len(s.Tokens))
	starts := appendStarts(s.Tokens, marks)
	n := nameFinder{a, s.Language, s.Tokens, starts, a.AppendCode(s.Tokens, marks[len(starts):len(starts)])}
	var out []Span
	for i := 0; i < len(n.toks); {
		if end := n.quotedTitleEnd(i); end > 0 {
			out = append(out, Span{i + 1, end})
			i = end + 1
			continue
		}
		if !n.isNamePart(i) {
			i++
			continue
		}
		end := n.nameEnd(i)
		if a, b := n.trimName(i, end); a < b && (!n.analysis.Technical || !n.isCommon(a, b)) {
			out = append(out, Span{a, b})
		}
		i = max(end, i+1)
	}
	return out
}

// at returns token i, or a full stop beyond the end.
func (n *nameFinder) at(i int) *Word {
	if i < len(n.toks) {
		return n.toks[i].Word
	}
	return &endMark
}

var endMark = Word{Text: ".", Lower: ".", Shape: Symbol, Runes: 1}

// quotedTitleEnd returns the end of a title in double quotes that opens at i, or 0. A
// title has mostly capitals.
func (n *nameFinder) quotedTitleEnd(i int) int {
	toks := n.toks
	if t := toks[i].Text; t != "\"" && t != "“" || !n.at(i+1).Has(Capital) {
		return 0
	}
	length := slices.IndexFunc(toks[i+2:min(i+9, len(toks))], func(t Token) bool { return t.Text == "\"" || t.Text == "”" })
	if length < 0 {
		return 0
	}
	end := i + 2 + length
	words := toks[i+1 : end]
	if len(words) == 1 && (words[0].Base.Capitalized <= words[0].Base.Lowercase || words[0].Is(CommonWord)) {
		return 0
	}
	switch words[0].Text {
	case "I", "Oh", "Yes", "No":
		return 0
	}
	caps := 0
	for _, w := range words {
		if w.Has(Capital) {
			caps++
		} else if !w.Has(Digits|PossessiveS) && !w.Is(FunctionWord) && w.Text != ":" && w.Text != "-" {
			return 0
		}
	}
	if 2*caps <= len(words) {
		return 0
	}
	return end
}

// isNamePart reports whether token i is part of a name.
func (n *nameFinder) isNamePart(i int) bool {
	t := n.toks[i]
	b := t.Base
	switch {
	case !t.Has(Capital) || n.code[i] || t.Text == "I" || t.Is(Auxiliary):
		return false
	case isForeign(n.language) && !n.mayBeForeignName(t):
		return false
	case t.Is(Title) && strings.HasSuffix(t.Text, "."):
		return true
	case t.Has(AllUpper) && (t.Class|t.SingularClass)&Notice != 0, n.analysis.Technical && isIdentifier(t.Word), isPrefixed(t.Text),
		n.isOfTextLanguage(t):
		return false
	case t.Is(WebWord) || t.Has(AllUpper) && t.Runes > 2 && b.Lowercase > 0 && b.Capitalized <= 2*b.Lowercase:
		return false
	case b.Speaker || n.analysis.isSpeaker[t.Text]:
		return true
	case t.Runes == 1 || t.Is(Calendar|Pronoun):
		return false
	}
	next := n.at(i + 1)
	if t.Is(Adjective) && next.Has(Capital) && !next.Is(FunctionWord) &&
		(!n.starts[i] || startsNames[t.Lower]) {
		return true
	}
	if n.starts[i] {
		return n.isNameAtStart(t, next) && (!n.analysis.Technical || !n.isOpener(i))
	}
	return !t.Is(FunctionWord) && (2*b.Capitalized >= b.Lowercase || t.Has(AllUpper) && t.Runes < 7)
}

// isOfTextLanguage reports whether a word of a sentence in another language than the text is a function
// word of the text, or a German common noun: the sentence quotes it.
func (n *nameFinder) isOfTextLanguage(t Token) bool {
	l := n.analysis.Language
	return n.language != l && isForeign(l) && (l.IsStopWord(t.Lower) || l == language.German && !t.Has(AllUpper) && isGermanCommon(t.Word))
}

// mayBeForeignName reports whether a word with a capital may be part of a name in another language
// than English.
func (n *nameFinder) mayBeForeignName(t Token) bool {
	if n.language.IsStopWord(t.Lower) {
		return false
	}
	return n.language != language.German || t.Is(Title|GivenName|KnownPlace) || isGermanName(t.Word)
}

// startsNames are adjectives that start names more often than sentences.
var startsNames = wordSet("new great red black white")

// isNameAtStart is isNamePart where every word has a capital.
func (n *nameFinder) isNameAtStart(t Token, next *Word) bool {
	if t.Base.Capitalized > t.Base.Lowercase {
		return !t.Is(FunctionWord) && (!strings.HasSuffix(t.Lower, "ly") || next.Text != ",")
	}
	if t.Is(CommonWord|EverydayNoun) || t.Base.Lowercase > 0 || next.Is(Pronoun) ||
		text.HasAnySuffix(t.Lower, "ly", "ing", "ed", "tion", "sion", "ness", "ment", "ity", "ance", "ence", "ancy", "ency", "ship") {
		return false
	}
	if next.Has(PossessiveS | Capital) {
		return true
	}
	if !next.Has(LowerFirst) {
		return false
	}
	switch next.Lower {
	case "is", "was", "has", "had":
		return true
	}
	return next.Is(SpeechVerb)
}

// isOpener reports whether word i, which begins a sentence or list item of a technical text and nowhere
// else has a capital, is rather a verb before a name or code: Report NaN.
func (n *nameFinder) isOpener(i int) bool {
	t, next := n.toks[i], n.at(i+1)
	if t.Base.Capitalized > 0 || t.Is(GivenName|KnownPlace|Title|Adjective) || t.Has(AllUpper) || isCamel(t.Text) {
		return false
	}
	return i+1 < len(n.toks) && n.code[i+1] || next.Has(Capital) &&
		(next.Has(AllUpper) || isCamel(next.Text) || next.Base.Capitalized > 1 || strings.ContainsAny(next.Text, "0123456789"))
}

// nameEnd returns the end of the name that starts at i.
func (n *nameFinder) nameEnd(i int) int {
	toks := n.toks
	j := i + 1
	for j < len(toks) {
		t := toks[j]
		if !n.starts[j] && (n.isNamePart(j) || n.continuesName(i, j)) || isInitial(t.Text) && !toks[j-1].Has(PossessiveS) {
			j++
			continue
		}
		if n.isNameNumber(i, j) {
			return j + 1
		}
		k := j
		if t.Is(NameLink) || t.IsSymbol('&') || t.Has(PossessiveS) {
			k++
			if n.at(k).Text == "the" {
				k++
			}
		}
		if k == j || k >= len(toks) || k-i >= 6 || n.starts[k] || !n.isNamePart(k) {
			break
		}
		j = k + 1
	}
	return j
}

// continuesName reports whether token j belongs to the name that starts at i, although
// the text mostly writes the word in lower case (Mansion House).
func (n *nameFinder) continuesName(i, j int) bool {
	t := n.toks[j]
	if n.code[j] || n.language == language.German && !n.toks[i].Is(GivenName|Title) && (isGermanCommon(t.Word) || n.language.IsStopWord(t.Lower)) {
		return false
	}
	return t.Has(Capital) && !t.Has(AllUpper|Verb) && !t.Is(CommonWord|WebWord) && !n.toks[i].Is(Title)
}

// isInitial reports whether s is an initial such as "J."
func isInitial(s string) bool {
	return len(s) == 2 && 'A' <= s[0] && s[0] <= 'Z' && s[1] == '.'
}

// isNameNumber reports whether token j is a number at the end of the name that starts at
// i (Witcher 3).
func (n *nameFinder) isNameNumber(i, j int) bool {
	t := n.toks[j]
	if !t.Has(AllDigits) || t.Runes > 2 || j-i > 3 || n.toks[j-1].Is(Calendar|NumberedPart|ForeignPart) {
		return false
	}
	next := n.at(j + 1)
	return !next.Has(Letters|Digits) || next.Is(FunctionWord|PastVerb)
}

// trimName returns the range without tokens that are not part of the name. It is empty
// if no name remains.
func (n *nameFinder) trimName(a, b int) (int, int) {
	toks := n.toks
	if toks[a].Is(NumberedPart|ForeignPart) && (b-a < 2 || toks[a+1].Has(Digits) || strings.Trim(toks[a+1].Text, "IVXLC") == "") {
		return 0, 0
	}
	for a < b && (toks[a].Is(Determiner) || toks[a].Lower == "and") {
		a++
	}
	for b > a && (toks[b-1].Is(Title) && strings.HasSuffix(toks[b-1].Text, ".") || !toks[b-1].Has(Letters|Digits)) {
		b--
	}
	if a == b {
		return 0, 0
	}
	if b-a == 1 && (n.namesNothing(toks[a]) || n.isAdjective(a)) {
		return 0, 0
	}
	letters, nations := false, true
	for i, t := range toks[a:b] {
		letters = letters || strings.ContainsFunc(t.Text, unicode.IsLetter)
		nations = nations && t.Has(Capital) && (t.Is(Demonym) && (i == 0 || !t.Is(KnownPlace)) || i+1 < b-a && directions[t.Lower])
	}
	if !letters || nations {
		return 0, 0
	}
	return a, b
}

// isCommon reports whether a name of a technical text is no more than common words with capitals, as in
// headings, menus and links: the text also writes them in lower case, or they are listed. What an
// abbreviation is introduced for is a name.
func (n *nameFinder) isCommon(a, b int) bool {
	if n.at(b).IsSymbol('(') && n.at(b+1).Has(AllUpper) || a > 1 && n.toks[a-1].IsSymbol('(') && n.toks[a-2].Has(AllUpper) {
		return false
	}
	for _, t := range n.toks[a:b] {
		if t.Has(LowerFirst) || t.Has(PossessiveS) {
			continue
		}
		if t.Has(AllUpper) || isCamel(t.Text) || t.Is(GivenName|KnownPlace|Title) || t.Has(Digits) || t.Base.Lowercase == 0 && !n.analysis.lowerStems[language.English.Term(t.Lower)] &&
			(t.Class|t.SingularClass)&(TechnicalWord|EverydayNoun|GenericNoun|CommonWord|NumberedPart) == 0 {
			return false
		}
	}
	return true
}

// directions are parts of adjectives for regions (North African).
var directions = wordSet("north south east west central latin middle")

// namesNothing reports whether a capitalised word alone is not a name, but a common
// word, a generic noun, an adjective, or a short code.
func (n *nameFinder) namesNothing(t Token) bool {
	b := t.Base
	switch {
	case b.Speaker:
		return false
	case t.Is(CommonWord | JunkAbbreviation | GenericNoun | NumberWord),
		t.Is(Title) && (b.Capitalized <= b.Lowercase || isForeign(n.language)),
		t.Is(OrganizationSuffix|LocationSuffix) && !t.Is(PersonNoun),
		!n.analysis.English && !isForeign(n.language) && (5*b.AfterForeign > b.Capitalized || b.Capitalized < 2 || strings.Contains(t.Text, "-")):
		return true
	case b.Lowercase > 0 && 2*b.Lowercase > b.Capitalized && text.HasAnySuffix(t.Lower, "al", "ic", "ical", "ary", "ous", "ive", "ing", "ed", "ly"):
		return true
	}
	switch {
	case b.Capitalized < 2 && t.Is(EverydayNoun),
		t.Has(AllUpper) && t.Runes == 2 && b.Capitalized < 3 && !t.Is(Acronym|KnownPlace), isCode(t.Text), t.Runes > 1 && strings.Trim(t.Text, "IVX") == "",
		t.Has(AllUpper) && t.Runes > 6 && strings.HasSuffix(t.Lower, "ly"),
		b.Capitalized < 2 && t.Runes > 5 && strings.HasSuffix(t.Lower, "ing") && !t.Is(KnownPlace|GivenName):
		return true
	}
	_, size := utf8.DecodeRuneInString(t.Text)
	rest := t.Text[size:]
	return t.SingularClass&OrganizationSuffix != 0 && rest == strings.ToLower(rest)
}

// isAdjective reports whether a capitalised word that occurs once is an adjective
// before its noun (Angelic messengers).
func (n *nameFinder) isAdjective(i int) bool {
	next := n.at(i + 1)
	return n.toks[i].Base.Capitalized < 2 && text.HasAnySuffix(n.toks[i].Lower, "al", "ic", "ous", "ive", "ary") &&
		next.Has(AllLower) && !next.Is(FunctionWord) && !next.Has(Verb)
}

// isCode reports whether s is a code such as P250.
func isCode(s string) bool {
	letters := 0
	for letters < len(s) && 'A' <= s[letters] && s[letters] <= 'Z' {
		letters++
	}
	digits := s[letters:]
	return letters > 0 && len(digits) > 1 && strings.Trim(digits, "0123456789") == ""
}
