package report

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/text/language"
)

var (
	// emphasisStart and emphasisEnd match the marks of emphasis around words, not the underscores and
	// stars inside of names, patterns and code.
	emphasisStart = regexp.MustCompile(`(^|[\s("'“„])[*_]{1,3}([\pL\pN])`)
	emphasisEnd   = regexp.MustCompile(`([\pL\pN.,!?)])[*_]{1,3}($|[\s)"'”“.,;:!?])`)
	// looseMark matches the space that is left before a comma or the last full stop where markup was
	// removed.
	looseMark = regexp.MustCompile(`(\pL|\pN|["'”)` + "`" + `]) +(,\s|\.$)`)
	// label matches what begins a note in a text that was a page, as in [Tip].
	label = regexp.MustCompile(`^\[\pL+\]\s*`)
)

// cleanSentence prepares a sentence of a source for a report: it removes markup,
// references and stray quotes, makes the first letter a capital and adds a missing
// full stop. It returns "" for what is not a whole sentence: the rest of a table, or a line that
// leads to a list or to code which is not there.
func cleanSentence(text string) string {
	text = cellSentence(plainLine(text))
	text = emphasisEnd.ReplaceAllString(emphasisStart.ReplaceAllString(text, "$1$2"), "$1$2")
	text = looseMark.ReplaceAllString(text, "$1$2")
	if text = strings.TrimSpace(text); strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：") {
		return ""
	}
	text = strings.Trim(text, " ,;:-–—|•#*")
	for _, q := range []string{`"`, "“", "”"} {
		if strings.Count(text, q) == 1 && (strings.HasPrefix(text, q) || strings.HasSuffix(text, q)) && (q == `"` || strings.Count(text, "“") != strings.Count(text, "”")) {
			text = strings.TrimSpace(strings.Trim(text, q))
		}
	}
	if text == "" || isNoise(text) {
		return ""
	}
	text = upperFirst(text)
	end := strings.TrimRightFunc(text, func(r rune) bool { return r == '"' || r == '\'' || unicode.In(r, unicode.Pe, unicode.Pf) })
	if end == "" || !strings.ContainsAny(end[len(end)-1:], ".!?") && !strings.HasSuffix(end, "…") && !strings.HasSuffix(end, "。") {
		text += "."
	}
	return text
}

// cellSentence returns the longest cell of a row of a table if it is a sentence, else "". Another text
// stays as it is, without a label in front.
func cellSentence(text string) string {
	if !strings.Contains(text, "|") {
		return label.ReplaceAllString(text, "")
	}
	longest := ""
	for cell := range strings.SplitSeq(text, "|") {
		if cell = strings.TrimSpace(cell); len(cell) > len(longest) {
			longest = cell
		}
	}
	if first, _ := utf8.DecodeRuneInString(longest); unicode.IsLower(first) || len(strings.Fields(longest)) < minCellWords || 2*len(longest) < len(text) {
		return ""
	}
	return longest
}

// minCellWords is how many words the cell of a table has that is a sentence.
const minCellWords = 5

// isNoise reports whether much of a text is neither letters nor spaces, as in code.
func isNoise(text string) bool {
	letters, all := 0, 0
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsSpace(r) || unicode.IsMark(r) {
			letters++
		}
		all++
	}
	return 4*letters < 3*all
}

// isRunOn reports whether a text is several lines of a list or table on one line: a function word with a
// capital follows a word without a mark between them, as in "the version of the tool The command", or
// a colon after which code is missing.
func isRunOn(text string) bool {
	l := language.Of(text)
	if !l.HasCapitals() {
		return false
	}
	words := strings.Fields(text)
	for i := 1; i < len(words)-1; i++ {
		before, w := words[i-1], words[i]
		first, size := utf8.DecodeRuneInString(w)
		last, _ := utf8.DecodeLastRuneInString(before)
		open := unicode.IsLetter(last) || unicode.IsDigit(last) || last == ')' || last == ':' && i > minLead
		if !open || !unicode.IsUpper(first) || len(w) < 3 || strings.ToUpper(w) == w {
			continue
		}
		lower := strings.ToLower(w[:size]) + w[size:]
		if !l.IsStopWord(lower) {
			continue
		}
		if next, _ := utf8.DecodeRuneInString(words[i+1]); l == language.German && !isPolite(lower) || l != language.German && unicode.IsLower(next) {
			return true
		}
	}
	return false
}

// minLead is how many words lead to a list or to code at least; fewer may be a label, as in "Note:".
const minLead = 5

// isPolite reports whether German writes a function word with a capital in polite address.
func isPolite(lower string) bool {
	return lower == "sie" || lower == "ihnen" || strings.HasPrefix(lower, "ihr")
}
