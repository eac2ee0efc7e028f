package llm

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Repair finds the JSON object or array in a model's answer and gives it as
// valid JSON. It takes away what stands around it (prose, code fences) and mends
// what models get wrong: trailing and missing commas, single quotes, quotes and
// line breaks in strings, Python's literals, NaN, comments, brackets missing at
// the end. Of an answer that breaks off, an unfinished string goes with its key.
// Of several values the longest is taken. It makes up no values: a text without
// JSON is ErrNoJSON. The time it takes grows with the length of the text alone.
func Repair(answer string) (string, error) {
	text := strings.ToValidUTF8(strings.TrimSpace(answer), "\uFFFD")
	if text != "" && (text[0] == '{' || text[0] == '[') && json.Valid([]byte(text)) {
		return text, nil
	}
	best := ""
	bestWhole := false
	budget := 2*len(text) + 4096 // bytes that failed tries may read
	for at := nextBracket(text, 0); at >= 0 && budget > 0; {
		m := repairer{text: text, at: at}
		ok := m.value(0)
		if ok {
			whole := !m.broken
			if out := m.out.String(); whole && !bestWhole || whole == bestWhole && len(out) > len(best) {
				best, bestWhole = out, whole
			}
			at = nextBracket(text, max(m.at, at+1))
			continue
		}
		budget -= m.at - at + 1
		at = nextBracket(text, at+1)
	}
	if best == "" || !json.Valid([]byte(best)) {
		return "", ErrNoJSON
	}
	return best, nil
}

// nextBracket is the place of the next bracket that opens, or -1.
func nextBracket(text string, from int) int {
	if from >= len(text) {
		return -1
	}
	if i := strings.IndexAny(text[from:], "{["); i >= 0 {
		return from + i
	}
	return -1
}

// maxDepth bounds nesting, and so the stack.
const maxDepth = 200

// A repairer reads one value of broken JSON and writes it whole.
type repairer struct {
	text   string
	at     int
	out    strings.Builder
	broken bool // the text ended within the value
}

func (m *repairer) end() bool { return m.at >= len(m.text) }

// skipSpace skips blanks, comments and the dots that stand for "and so on".
func (m *repairer) skipSpace() {
	for !m.end() {
		rest := m.text[m.at:]
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case unicode.IsSpace(r) || r == '…' || r == '\uFEFF':
			m.at += size
		case strings.HasPrefix(rest, "..."):
			m.at += 3
		case strings.HasPrefix(rest, "//"):
			m.skipPast("\n")
		case strings.HasPrefix(rest, "/*"):
			m.skipPast("*/")
		default:
			return
		}
	}
}

func (m *repairer) skipPast(mark string) {
	if i := strings.Index(m.text[m.at:], mark); i >= 0 {
		m.at += i + len(mark)
		return
	}
	m.at = len(m.text)
}

// value reads a value and reports whether there is one.
func (m *repairer) value(depth int) bool {
	if m.end() || depth > maxDepth {
		return false
	}
	switch c := m.text[m.at]; {
	case c == '{':
		return m.object(depth)
	case c == '[':
		return m.array(depth)
	case m.openingQuote() > 0:
		return m.stringValue()
	case c == '-' || c == '+' || c == '.' || '0' <= c && c <= '9':
		return m.number()
	default:
		return m.literal()
	}
}

func (m *repairer) array(depth int) bool {
	m.at++
	m.out.WriteByte('[')
	for n := 0; ; {
		m.skipSeparators()
		if m.end() {
			m.broken = true
			break
		}
		if m.text[m.at] == ']' {
			m.at++
			break
		}
		if m.text[m.at] == '}' { // the closing bracket is missing or wrong
			m.broken = true
			if depth == 0 {
				m.at++
			}
			break
		}
		mark := m.out.Len()
		if n > 0 {
			m.out.WriteByte(',')
		}
		if !m.value(depth + 1) {
			if !m.end() {
				return false
			}
			m.truncate(mark)
			m.broken = true
			break
		}
		n++
	}
	m.out.WriteByte(']')
	return true
}

func (m *repairer) object(depth int) bool {
	m.at++
	m.out.WriteByte('{')
	for n := 0; ; {
		m.skipSeparators()
		if m.end() {
			m.broken = true
			break
		}
		if m.text[m.at] == '}' {
			m.at++
			break
		}
		if m.text[m.at] == ']' && n > 0 { // the closing bracket is missing or wrong
			m.broken = true
			if depth == 0 {
				m.at++
			}
			break
		}
		mark := m.out.Len()
		if n > 0 {
			m.out.WriteByte(',')
		}
		if !m.pair(depth) {
			if !m.end() {
				return false
			}
			m.truncate(mark)
			m.broken = true
			break
		}
		n++
	}
	m.out.WriteByte('}')
	return true
}

// pair reads a key and its value.
func (m *repairer) pair(depth int) bool {
	if m.openingQuote() > 0 {
		if !m.key() {
			return false
		}
	} else if !m.bareKey() {
		return false
	}
	m.skipSpace()
	if m.end() || m.text[m.at] != ':' && m.text[m.at] != '=' {
		return false
	}
	m.at++
	if !m.end() && m.text[m.at] == '>' {
		m.at++
	}
	m.out.WriteByte(':')
	m.skipSpace()
	if !m.end() && (m.text[m.at] == ',' || m.text[m.at] == '}') {
		m.out.WriteString("null")
		return true
	}
	return m.value(depth + 1)
}

// bareKey reads a key without quotes.
func (m *repairer) bareKey() bool {
	start := m.at
	for !m.end() && isWordByte(m.text[m.at], m.at > start) {
		m.at++
	}
	if m.at == start {
		return false
	}
	m.out.WriteByte('"')
	m.out.WriteString(m.text[start:m.at])
	m.out.WriteByte('"')
	return true
}

func isWordByte(c byte, inside bool) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || inside && (c == '-' || '0' <= c && c <= '9')
}

// skipSeparators skips commas, one or more or none.
func (m *repairer) skipSeparators() {
	for m.skipSpace(); !m.end() && (m.text[m.at] == ',' || m.text[m.at] == ';'); m.skipSpace() {
		m.at++
	}
}

// truncate takes back what was written since the mark.
func (m *repairer) truncate(mark int) {
	kept := m.out.String()[:mark]
	m.out.Reset()
	m.out.WriteString(kept)
}
