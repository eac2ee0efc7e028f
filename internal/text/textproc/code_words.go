package textproc

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/text"
)

// AppendCode appends, for each token of a sentence, whether it is code: it is between backticks, or
// part of an identifier, a placeholder, a file name, a path or an address. Chat logs have none.
func (a *Analysis) AppendCode(toks []Token, into []bool) []bool {
	if a.Chat {
		return append(into, make([]bool, len(toks))...)
	}
	k := sort.Search(len(a.code), func(k int) bool { return len(toks) > 0 && a.code[k].End > int(toks[0].Start) })
	for i := range toks {
		for k < len(a.code) && a.code[k].End <= int(toks[i].Start) {
			k++
		}
		inSpan := k < len(a.code) && a.code[k].Start <= int(toks[i].Start)
		into = append(into, inSpan || toks[i].Has(Capital) && a.isCodeWord(toks[i]) || a.addresses && toks[i].Has(LowerFirst) && a.isInAddress(toks[i]))
	}
	return into
}

// addCode adds the spans of code between backticks in a paragraph of the source of the text. A link of
// reStructuredText is none.
func (a *Analysis) addCode(at Span) {
	source := a.source
	for i := at.Start; i < at.End; {
		next := strings.IndexByte(source[i:at.End], '`')
		if next < 0 {
			return
		}
		i += next
		start := i + backticks(source[i:at.End])
		mark := source[i:start]
		end := start
		for end < at.End {
			next := strings.Index(source[end:at.End], mark)
			if next < 0 {
				break
			}
			end += next
			n := backticks(source[end:at.End])
			if n == len(mark) {
				if !strings.HasPrefix(source[end+n:], "_") {
					a.code = append(a.code, Span{start, end})
				}
				start = end + n
				break
			}
			end += n
		}
		i = start
	}
}

// backticks returns the number of backticks that a text begins with.
func backticks(s string) int { return len(s) - len(strings.TrimLeft(s, "`")) }

// Marks that are attached to words of code.
const (
	beforeCode = "$%<@\\#{"
	afterCode  = "\\{"
)

// isCodeWord reports whether what is attached to a word shows that it is code.
func (a *Analysis) isCodeWord(t Token) bool {
	before, after := a.source[:t.Start], a.source[t.End:]
	if before != "" {
		switch c := before[len(before)-1]; {
		case c == '_':
			if isWordByte(before, len(before)-2) {
				return true
			}
		case strings.IndexByte(beforeCode, c) >= 0:
			return true
		case c == '=':
			if isWordByte(before, len(before)-2) {
				return true
			}
		case c == ':':
			if strings.HasSuffix(before, "::") {
				return true
			}
		case c == '/':
			if isPath(wordAround(a.source, t)) {
				return true
			}
		}
	}
	if after == "" {
		return false
	}
	switch c := after[0]; {
	case c == '_':
		return isWordByte(after, 1)
	case strings.IndexByte(afterCode, c) >= 0:
		return true
	case c == '=':
		return len(after) > 1 && after[1] != ' ' && after[1] != '='
	case c == ':':
		return strings.HasPrefix(after, "::") || strings.HasPrefix(after, "://")
	case c == '(':
		return strings.HasPrefix(after, "()")
	case c == '.':
		next, _ := utf8.DecodeRuneInString(after[1:])
		return unicode.IsLower(next)
	case c == '@', c == '/':
		return isPath(wordAround(a.source, t))
	}
	return false
}

// isInAddress reports whether a word is next to the mark of an address of mail.
func (a *Analysis) isInAddress(t Token) bool {
	return strings.HasPrefix(a.source[t.End:], "@") || strings.HasSuffix(a.source[:t.Start], "@")
}

// isWordByte reports whether the byte of s at i is one of a word.
func isWordByte(s string, i int) bool {
	return i >= 0 && i < len(s) && (s[i] >= utf8.RuneSelf || isInWord(rune(s[i])))
}

// maxAround is how far the word around a token is looked for, in bytes.
const maxAround = 100

// wordAround returns what is between white space around a token.
func wordAround(s string, t Token) string {
	start := max(0, int(t.Start)-maxAround)
	if i := strings.LastIndexAny(s[start:t.Start], " \t\n\r"); i >= 0 {
		start += i + 1
	}
	end := min(len(s), int(t.End)+maxAround)
	if i := strings.IndexAny(s[t.End:end], " \t\n\r"); i >= 0 {
		end = int(t.End) + i
	}
	return strings.Trim(s[start:end], "()[],;*\"'`")
}

// isPath reports whether a word is a path or an address, and not two words with a slash between them.
func isPath(word string) bool {
	return strings.Contains(word, "://") || strings.IndexByte(word, '@') > 0 || strings.Count(word, "/") > 2 ||
		strings.HasPrefix(word, "/") || strings.HasPrefix(word, "~") || strings.HasPrefix(word, ".") ||
		strings.Contains(word, "/") && strings.Contains(strings.TrimRight(word, ".:"), ".")
}

// isPrefixed reports whether a word is a prefix of four or more capitals and small letters: XREFsin.
func isPrefixed(s string) bool {
	rest := strings.TrimLeft(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return len(s)-len(rest) > 3 && len(rest) > 2 && rest != "ful" && rest == strings.ToLower(rest)
}

// isIdentifier reports whether a word with other capitals than the first is at least as often code as it
// is part of the running text.
func isIdentifier(w *Word) bool {
	return w.InCode > 0 && w.InCode >= w.Base.Capitalized && (w.Has(AllUpper) || isCamel(w.Text)) ||
		isCamel(w.Text) && text.HasAnySuffix(w.Text, "Error", "Exception", "Interface", "Handler")
}
