package markdown

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// How far the end of a construct may be from its beginning, in bytes. What does
// not end there is text: so no text is held for long, and reading stays linear.
const (
	lookahead    = 1000
	bracketBytes = 400
	refDigits    = 6
)

// special are the characters that may begin a construct.
const special = "\\`*_[!"

// inline reads the spans of a line. With final it is all of the line, or of what
// stands inside of a construct; else it stops where what is to come may matter.
// prev is the rune before s, 0 at the start. It returns how much it read.
func inline(s string, prev rune, final bool, base style, emit func(span)) int {
	at := 0
	for at < len(s) {
		rest := s[at:]
		var n int
		if strings.IndexByte(special, rest[0]) >= 0 {
			var more bool
			if n, more = construct(rest, prev, final, base, emit); more {
				return at
			}
		} else {
			n = plainRun(rest, final)
			if n == 0 {
				return at
			}
			emit(span{text: rest[:n], style: base})
		}
		prev, _ = utf8.DecodeLastRuneInString(rest[:n])
		at += n
	}
	return at
}

// plainRun is the length of text before the next construct. White space at the
// end waits for what follows.
func plainRun(s string, final bool) int {
	n := strings.IndexAny(s, special)
	if n < 0 {
		n = len(s)
		if !final {
			n = len(strings.TrimRight(s, " \t"))
		}
	}
	return n
}

// construct reads what begins with a special character: at least as text. more
// says that its end is not here yet.
func construct(s string, prev rune, final bool, base style, emit func(span)) (n int, more bool) {
	switch s[0] {
	case '\\':
		n, more = escape(s, final, base, emit)
	case '`':
		n, more = codeSpan(s, final, base, emit)
	case '*', '_':
		n, more = emphasis(s, prev, final, base, emit)
	case '[':
		n, more = bracket(s, final, base, emit)
	case '!':
		switch {
		case len(s) == 1 && !final:
			return 0, true
		case len(s) > 1 && s[1] == '[':
			if end, wait := link(s[1:], final, base, emit); end > 0 || wait {
				return end + 1, wait
			}
		}
		emit(span{text: "!", style: base})
		return 1, false
	}
	return n, more
}

func escape(s string, final bool, base style, emit func(span)) (int, bool) {
	if len(s) == 1 && !final {
		return 0, true
	}
	if len(s) > 1 && s[1] < utf8.RuneSelf && (unicode.IsPunct(rune(s[1])) || unicode.IsSymbol(rune(s[1]))) {
		emit(span{text: s[1:2], style: base})
		return 2, false
	}
	emit(span{text: `\`, style: base})
	return 1, false
}

// run is how often the first byte of s stands there.
func run(s string) int { return len(s) - len(strings.TrimLeft(s, s[:1])) }

func codeSpan(s string, final bool, base style, emit func(span)) (int, bool) {
	k := run(s)
	if k == len(s) && !final {
		return 0, true
	}
	for j := k; j <= k+lookahead && j < len(s); {
		if s[j] != '`' {
			j++
			continue
		}
		m := run(s[j:])
		if j+m == len(s) && !final {
			return 0, true
		}
		if m == k {
			text := s[k:j]
			if len(text) > 2 && text[0] == ' ' && text[len(text)-1] == ' ' {
				text = text[1 : len(text)-1]
			}
			emit(span{text: text, style: base | monospace})
			return j + m, false
		}
		j += m
	}
	return literal(s[:k], len(s) > k+lookahead, final, base, emit)
}

// literal emits the beginning of a construct that does not end, once that is sure.
func literal(text string, sure, final bool, base style, emit func(span)) (int, bool) {
	if !sure && !final {
		return 0, true
	}
	emit(span{text: text, style: base})
	return len(text), false
}

// emphasis reads *x*, **x**, ***x*** and the same with underscores, which count
// only at the edge of words.
func emphasis(s string, prev rune, final bool, base style, emit func(span)) (int, bool) {
	k := run(s)
	if k == len(s) {
		return literal(s, false, final, base, emit)
	}
	next, _ := utf8.DecodeRuneInString(s[k:])
	if k > 3 || unicode.IsSpace(next) || isWord(prev) && (s[0] == '_' || k == 1) {
		return literal(s[:k], true, final, base, emit)
	}
	for j := k; j <= k+lookahead && j < len(s); {
		if s[j] == '\\' {
			j += 2
			continue
		}
		if s[j] != s[0] {
			j++
			continue
		}
		m := run(s[j:])
		if j+m == len(s) && !final {
			return 0, true
		}
		before, _ := utf8.DecodeLastRuneInString(s[:j])
		after, _ := utf8.DecodeRuneInString(s[j+m:])
		if m == k && !unicode.IsSpace(before) && (s[0] == '*' || j+m == len(s) || !isWord(after)) {
			inline(s[k:j], 0, true, base|[]style{italic, bold, bold | italic}[k-1], emit)
			return j + m, false
		}
		j += m
	}
	return literal(s[:k], len(s) > k+lookahead, final, base, emit)
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// bracket reads a reference [3], a link, or the bracket alone.
func bracket(s string, final bool, base style, emit func(span)) (int, bool) {
	head := s[:min(len(s), bracketBytes)]
	end := strings.IndexByte(head, ']')
	if end < 0 {
		return literal("[", len(s) >= bracketBytes, final, base, emit)
	}
	if n, ok := number(s[1:end]); ok {
		emit(span{text: s[:end+1], style: base | reference, n: n})
		return end + 1, false
	}
	if n, more := link(s, final, base, emit); n > 0 || more {
		return n, more
	}
	return literal("[", true, final, base, emit)
}

func number(s string) (int, bool) {
	if len(s) > refDigits || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && n > 0
}

// link reads [label](address), and shows both as text. 0 says that it is none.
func link(s string, final bool, base style, emit func(span)) (n int, more bool) {
	end := strings.IndexByte(s[:min(len(s), bracketBytes)], ']')
	if end < 0 {
		return 0, !final && len(s) < bracketBytes
	}
	if end+1 == len(s) {
		return 0, !final
	}
	if s[end+1] != '(' {
		return 0, false
	}
	tail := s[end+2 : min(len(s), end+2+lookahead)]
	stop := strings.IndexAny(tail, ") \t")
	if stop < 0 {
		return 0, !final && len(tail) < lookahead
	}
	if tail[stop] != ')' {
		return 0, false
	}
	inline(s[1:end], 0, true, base, emit)
	emit(span{text: " (" + tail[:stop] + ")", style: base})
	return end + 2 + stop + 1, false
}
