package llm

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// quotes are the marks that open a string, with those that close it.
var quotes = []struct{ open, shut string }{
	{`"`, `"`}, {`'`, `'`}, {"“", "”"}, {"‘", "’"}, {"`", "`"},
}

// openingQuote is the length of the quotation mark here, 0 where there is none.
func (m *repairer) openingQuote() int {
	for _, q := range quotes {
		if strings.HasPrefix(m.text[m.at:], q.open) {
			return len(q.open)
		}
	}
	return 0
}

func (m *repairer) stringValue() bool { return m.readQuoted(",:}];") }

// key reads a quoted key: it ends at the first quotation mark, since without a
// colon after it this is no object.
func (m *repairer) key() bool { return m.readQuoted("") }

// readQuoted reads a string that ends at a quotation mark with one of the given
// bytes after it, if there are any, so that quotes and apostrophes in it stay.
func (m *repairer) readQuoted(after string) bool {
	shut := ""
	for _, q := range quotes {
		if strings.HasPrefix(m.text[m.at:], q.open) {
			shut = q.shut
			m.at += len(q.open)
			break
		}
	}
	m.out.WriteByte('"')
	for !m.end() {
		c := m.text[m.at]
		switch {
		case strings.HasPrefix(m.text[m.at:], shut) && m.closes(m.at+len(shut), after):
			m.at += len(shut)
			m.out.WriteByte('"')
			return true
		case c == '\\':
			m.escape()
		case c == '"':
			m.out.WriteString(`\"`)
			m.at++
		case c < 0x20:
			m.writeControl(c)
			m.at++
		default:
			_, size := utf8.DecodeRuneInString(m.text[m.at:])
			m.out.WriteString(m.text[m.at : m.at+size])
			m.at += size
		}
	}
	m.broken = true
	return false
}

// closes reports that a quotation mark which ends at from closes its string: the
// text goes on as JSON does after a string, or on a new line with the next one.
func (m *repairer) closes(from int, after string) bool {
	if after == "" {
		return true
	}
	newline := false
	for i := from; i < len(m.text); i++ {
		switch c := m.text[i]; {
		case c == '\n':
			newline = true
		case c == ' ' || c == '\t' || c == '\r':
		case strings.IndexByte(after, c) >= 0:
			return true
		case c == '/' && i+1 < len(m.text) && (m.text[i+1] == '/' || m.text[i+1] == '*'):
			return true
		default:
			return newline && strings.IndexByte("\"'{[", c) >= 0
		}
	}
	return true
}

// escape copies an escape, or the backslash itself where it is none.
func (m *repairer) escape() {
	rest := m.text[m.at+1:]
	switch {
	case rest == "":
		m.at++
	case strings.IndexByte(`"\/bfnrt`, rest[0]) >= 0:
		m.out.WriteString(m.text[m.at : m.at+2])
		m.at += 2
	case rest[0] == '\'' || rest[0] == '`':
		m.out.WriteByte(rest[0])
		m.at += 2
	case rest[0] == 'u' && len(rest) >= 5 && isHex(rest[1:5]):
		m.out.WriteString(m.text[m.at : m.at+6])
		m.at += 6
	case rest[0] == '\n':
		m.at++
	default:
		m.out.WriteString(`\\`)
		m.at++
	}
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdefABCDEF") == "" }

func (m *repairer) writeControl(c byte) {
	switch c {
	case '\n':
		m.out.WriteString(`\n`)
	case '\t':
		m.out.WriteString(`\t`)
	case '\r':
		m.out.WriteString(`\r`)
	default:
		m.out.WriteByte(' ')
	}
}

// number reads a number in any of the spellings that models use.
func (m *repairer) number() bool {
	start := m.at
	for !m.end() && strings.IndexByte("+-.0123456789eE_", m.text[m.at]) >= 0 {
		m.at++
	}
	if strings.HasPrefix(m.text[m.at:], "Infinity") || strings.HasPrefix(m.text[m.at:], "inf") {
		return m.literal()
	}
	if !m.end() && (m.text[m.at] >= 0x80 || isWordByte(m.text[m.at], true)) {
		return false
	}
	s := strings.TrimPrefix(strings.ReplaceAll(m.text[start:m.at], "_", ""), "+")
	minus := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	if t := strings.TrimLeft(s, "0"); t == "" || t[0] < '0' || t[0] > '9' {
		s = "0" + t
	} else {
		s = t
	}
	if whole, frac, found := strings.Cut(s, "."); found && (frac == "" || frac[0] < '0' || frac[0] > '9') {
		s = whole + frac
	}
	if minus {
		s = "-" + s
	}
	if !json.Valid([]byte(s)) || strings.Trim(m.text[start:m.at], "+-.eE_") == "" {
		return false
	}
	m.out.WriteString(s)
	return true
}

// literals are the words that stand for values, with what they become.
var literals = map[string]string{
	"true": "true", "false": "false", "null": "null",
	"True": "true", "False": "false", "None": "null", "TRUE": "true", "FALSE": "false", "NULL": "null",
	"NaN": "null", "nan": "null", "Infinity": "null", "inf": "null", "undefined": "null",
}

func (m *repairer) literal() bool {
	start := m.at
	for !m.end() && isWordByte(m.text[m.at], m.at > start) {
		m.at++
	}
	word, known := literals[m.text[start:m.at]]
	if known {
		m.out.WriteString(word)
	}
	return known
}
