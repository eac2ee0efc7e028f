package llm

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// quotes are the quotation marks that open a string, with those that close it.
var quotes = []struct{ open, shut string }{
	{`"`, `"`}, {`'`, `'`}, {"“", "”"}, {"‘", "’"}, {"`", "`"},
}

// openingQuote returns the length of the opening quotation mark at the current position,
// 0 if there is none.
func (p *repairer) openingQuote() int {
	for _, q := range quotes {
		if strings.HasPrefix(p.text[p.at:], q.open) {
			return len(q.open)
		}
	}
	return 0
}

func (p *repairer) stringValue() bool { return p.readQuoted(",:}];") }

// key parses a quoted key. It ends at the first quotation mark, since a key is not valid
// without a colon after it.
func (p *repairer) key() bool { return p.readQuoted("") }

// readQuoted parses a string. If after is not empty, the string ends only at a quotation
// mark that is followed by one of its bytes, so that quotes and apostrophes inside stay.
func (p *repairer) readQuoted(after string) bool {
	shut := ""
	for _, q := range quotes {
		if strings.HasPrefix(p.text[p.at:], q.open) {
			shut = q.shut
			p.at += len(q.open)
			break
		}
	}
	p.out.WriteByte('"')
	for !p.end() {
		c := p.text[p.at]
		switch {
		case strings.HasPrefix(p.text[p.at:], shut) && p.closes(p.at+len(shut), after):
			p.at += len(shut)
			p.out.WriteByte('"')
			return true
		case c == '\\':
			p.escape()
		case c == '"':
			p.out.WriteString(`\"`)
			p.at++
		case c < 0x20:
			p.writeControl(c)
			p.at++
		default:
			_, size := utf8.DecodeRuneInString(p.text[p.at:])
			p.out.WriteString(p.text[p.at : p.at+size])
			p.at += size
		}
	}
	p.incomplete = true
	return false
}

// closes reports whether a quotation mark that ends at index from closes its string: the
// text continues as JSON does after a string, or with the next value on a new line.
func (p *repairer) closes(from int, after string) bool {
	if after == "" {
		return true
	}
	newline := false
	for i := from; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == '\n':
			newline = true
		case c == ' ' || c == '\t' || c == '\r':
		case strings.IndexByte(after, c) >= 0:
			return true
		case c == '/' && i+1 < len(p.text) && (p.text[i+1] == '/' || p.text[i+1] == '*'):
			return true
		default:
			return newline && strings.IndexByte("\"'{[", c) >= 0
		}
	}
	return true
}

// escape copies an escape sequence, or escapes the backslash of an invalid one.
func (p *repairer) escape() {
	rest := p.text[p.at+1:]
	switch {
	case rest == "":
		p.at++
	case strings.IndexByte(`"\/bfnrt`, rest[0]) >= 0:
		p.out.WriteString(p.text[p.at : p.at+2])
		p.at += 2
	case rest[0] == '\'' || rest[0] == '`':
		p.out.WriteByte(rest[0])
		p.at += 2
	case rest[0] == 'u' && len(rest) >= 5 && isHex(rest[1:5]):
		p.out.WriteString(p.text[p.at : p.at+6])
		p.at += 6
	case rest[0] == '\n':
		p.at++
	default:
		p.out.WriteString(`\\`)
		p.at++
	}
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdefABCDEF") == "" }

// writeControl writes a control character as JSON needs it.
func (p *repairer) writeControl(c byte) {
	switch c {
	case '\n':
		p.out.WriteString(`\n`)
	case '\t':
		p.out.WriteString(`\t`)
	case '\r':
		p.out.WriteString(`\r`)
	default:
		p.out.WriteByte(' ')
	}
}

// number parses a number in any of the notations that models use.
func (p *repairer) number() bool {
	start := p.at
	for !p.end() && strings.IndexByte("+-.0123456789eE_", p.text[p.at]) >= 0 {
		p.at++
	}
	if strings.HasPrefix(p.text[p.at:], "Infinity") || strings.HasPrefix(p.text[p.at:], "inf") {
		return p.literal()
	}
	if !p.end() && (p.text[p.at] >= 0x80 || isWordByte(p.text[p.at], true)) {
		return false
	}
	s := strings.TrimPrefix(strings.ReplaceAll(p.text[start:p.at], "_", ""), "+")
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
	if !json.Valid([]byte(s)) || strings.Trim(p.text[start:p.at], "+-.eE_") == "" {
		return false
	}
	p.out.WriteString(s)
	return true
}

// literals maps the literals that models write to literals of JSON.
var literals = map[string]string{
	"true": "true", "false": "false", "null": "null",
	"True": "true", "False": "false", "None": "null", "TRUE": "true", "FALSE": "false", "NULL": "null",
	"NaN": "null", "nan": "null", "Infinity": "null", "inf": "null", "undefined": "null",
}

func (p *repairer) literal() bool {
	start := p.at
	for !p.end() && isWordByte(p.text[p.at], p.at > start) {
		p.at++
	}
	word, known := literals[p.text[start:p.at]]
	if known {
		p.out.WriteString(word)
	}
	return known
}
