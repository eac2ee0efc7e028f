package textproc

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// AppendCode appends, for each token of a sentence, whether it is code: it is between backticks, or
// part of an identifier, a placeholder, a file name, a path or an address.
func (a *Analysis) AppendCode(toks []Token, into []bool) []bool {
	from := len(into)
	for i := range toks {
		into = append(into, toks[i].Has(Capital) && a.isCodeWord(toks[i]))
	}
	for i := 0; i < len(toks); i++ {
		if !toks[i].IsSymbol('`') {
			continue
		}
		n := backticksAt(toks, i)
		end := closingBackticks(toks, i+n, n)
		if end < 0 {
			i += n - 1
			continue
		}
		for k := i + n; k < end && !a.isLink(toks[end+n-1]); k++ {
			into[from+k] = true
		}
		i = end + n - 1
	}
	return into
}

// backticksAt returns the number of backticks in a row from token i on.
func backticksAt(toks []Token, i int) int {
	n := 0
	for i+n < len(toks) && toks[i+n].IsSymbol('`') && (n == 0 || toks[i+n].Start == toks[i+n-1].End) {
		n++
	}
	return n
}

// closingBackticks returns the place of the next n backticks in a row from token i on, or -1.
func closingBackticks(toks []Token, i, n int) int {
	for i < len(toks) {
		switch found := backticksAt(toks, i); found {
		case 0:
			i++
		case n:
			return i
		default:
			i += found
		}
	}
	return -1
}

// isLink reports whether a closing backtick ends a link of reStructuredText.
func (a *Analysis) isLink(t Token) bool { return strings.HasPrefix(a.text[t.End:], "_") }

// Marks that are attached to words of code.
const (
	beforeCode = "$%<@\\=#{"
	afterCode  = "=\\{"
)

// isCodeWord reports whether what is attached to a word shows that it is code.
func (a *Analysis) isCodeWord(t Token) bool {
	before, after := a.text[:t.Start], a.text[t.End:]
	if before != "" {
		switch c := before[len(before)-1]; {
		case c == '_':
			if isWordByte(before, len(before)-2) {
				return true
			}
		case strings.IndexByte(beforeCode, c) >= 0:
			return true
		case c == ':':
			if strings.HasSuffix(before, "::") {
				return true
			}
		case c == '/':
			if isPath(wordAround(a.text, t)) {
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
	case c == ':':
		return strings.HasPrefix(after, "::") || strings.HasPrefix(after, "://")
	case c == '(':
		return strings.HasPrefix(after, "()")
	case c == '.':
		next, _ := utf8.DecodeRuneInString(after[1:])
		return unicode.IsLower(next)
	case c == '@', c == '/':
		return isPath(wordAround(a.text, t))
	}
	return false
}

// isWordByte reports whether the byte of a text at i is one of a word.
func isWordByte(text string, i int) bool {
	return i >= 0 && i < len(text) && (text[i] >= utf8.RuneSelf || isInWord(rune(text[i])))
}

// maxAround is how far the word around a token is looked for, in bytes.
const maxAround = 100

// wordAround returns what is between white space around a token.
func wordAround(text string, t Token) string {
	start := max(0, int(t.Start)-maxAround)
	if i := strings.LastIndexAny(text[start:t.Start], " \t\n\r"); i >= 0 {
		start += i + 1
	}
	end := min(len(text), int(t.End)+maxAround)
	if i := strings.IndexAny(text[t.End:end], " \t\n\r"); i >= 0 {
		end = int(t.End) + i
	}
	return strings.Trim(text[start:end], "()[],;*\"'`")
}

// isPath reports whether a word is a path or an address, and not two words with a slash between them.
func isPath(word string) bool {
	return strings.Contains(word, "://") || strings.IndexByte(word, '@') > 0 || strings.Count(word, "/") > 2 ||
		strings.HasPrefix(word, "/") || strings.HasPrefix(word, "~") || strings.HasPrefix(word, ".") ||
		strings.Contains(word, "/") && strings.Contains(strings.TrimRight(word, ".:"), ".")
}
