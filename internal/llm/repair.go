package llm

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Repair finds the JSON object or array in a model's answer and returns it as valid
// JSON. It removes what surrounds it (prose, code fences) and corrects what models get
// wrong: trailing and missing commas, single quotes, quotes and line breaks in strings,
// Python literals, NaN, comments, missing closing brackets. Of a truncated answer it
// drops an unfinished string together with its key. Of several values it returns the
// longest. It never invents values: for a text without JSON it returns ErrNoJSON. Its
// running time is linear in the length of the text.
func Repair(answer string) (string, error) {
	v, err := longest(jsonValues(answer))
	return v.text, err
}

// longest returns the longest of the complete values, or else of the others.
func longest(values []jsonValue) (jsonValue, error) {
	var best jsonValue
	for _, v := range values {
		if v.complete && !best.complete || v.complete == best.complete && len(v.text) > len(best.text) {
			best = v
		}
	}
	if best.text == "" || !json.Valid([]byte(best.text)) {
		return jsonValue{}, ErrNoJSON
	}
	return best, nil
}

// A jsonValue is a repaired object or array of an answer.
type jsonValue struct {
	text     string
	complete bool // its end is in the answer
}

// jsonValues returns the objects and arrays of an answer that are not within another.
func jsonValues(answer string) []jsonValue {
	text := strings.ToValidUTF8(strings.TrimSpace(answer), "\uFFFD")
	if text != "" && (text[0] == '{' || text[0] == '[') && json.Valid([]byte(text)) {
		return []jsonValue{{text, true}}
	}
	var all []jsonValue
	budget := 2*len(text) + 4096 // bytes that failed attempts may read
	for at := nextBracket(text, 0); at >= 0 && budget > 0; {
		p := repairer{text: text, at: at}
		ok := p.value(0)
		if ok {
			all = append(all, jsonValue{p.out.String(), !p.incomplete})
			at = nextBracket(text, max(p.at, at+1))
			continue
		}
		budget -= p.at - at + 1
		at = nextBracket(text, at+1)
	}
	return all
}

// nextBracket returns the index of the next opening bracket from an index on, or -1.
func nextBracket(text string, from int) int {
	if from >= len(text) {
		return -1
	}
	if i := strings.IndexAny(text[from:], "{["); i >= 0 {
		return from + i
	}
	return -1
}

// maxDepth bounds nesting, and so the stack depth.
const maxDepth = 200

// A repairer parses one value of malformed JSON and writes it as valid JSON.
type repairer struct {
	text       string
	at         int
	out        strings.Builder
	incomplete bool // the text ends, or a bracket is wrong, within the value
}

func (p *repairer) end() bool { return p.at >= len(p.text) }

// skipSpace skips white space, comments and ellipses.
func (p *repairer) skipSpace() {
	for !p.end() {
		rest := p.text[p.at:]
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case unicode.IsSpace(r) || r == '…' || r == '\uFEFF':
			p.at += size
		case strings.HasPrefix(rest, "..."):
			p.at += 3
		case strings.HasPrefix(rest, "//"):
			p.skipPast("\n")
		case strings.HasPrefix(rest, "/*"):
			p.skipPast("*/")
		default:
			return
		}
	}
}

// skipPast skips to the end of the next mark, or of the text.
func (p *repairer) skipPast(mark string) {
	if i := strings.Index(p.text[p.at:], mark); i >= 0 {
		p.at += i + len(mark)
		return
	}
	p.at = len(p.text)
}

// value parses a value and reports whether there is one.
func (p *repairer) value(depth int) bool {
	if p.end() || depth > maxDepth {
		return false
	}
	switch c := p.text[p.at]; {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case p.openingQuote() > 0:
		return p.stringValue()
	case c == '-' || c == '+' || c == '.' || '0' <= c && c <= '9':
		return p.number()
	default:
		return p.literal()
	}
}

func (p *repairer) array(depth int) bool {
	return p.elements(depth, '[', ']', func() bool { return p.value(depth + 1) })
}

func (p *repairer) object(depth int) bool {
	return p.elements(depth, '{', '}', func() bool { return p.pair(depth) })
}

// elements parses what is between two brackets, an element at a time.
func (p *repairer) elements(depth int, opening, closing byte, element func() bool) bool {
	p.at++
	p.out.WriteByte(opening)
	for n := 0; ; n++ {
		p.skipSeparators()
		if p.end() {
			p.incomplete = true
			break
		}
		c := p.text[p.at]
		if c == closing {
			p.at++
			break
		}
		if c == '}' || c == ']' && n > 0 { // the closing bracket is missing or wrong
			p.incomplete = true
			if depth == 0 {
				p.at++
			}
			break
		}
		mark := p.out.Len()
		if n > 0 {
			p.out.WriteByte(',')
		}
		if !element() {
			if !p.end() {
				return false
			}
			p.truncate(mark)
			p.incomplete = true
			break
		}
	}
	p.out.WriteByte(closing)
	return true
}

// pair parses a key and its value.
func (p *repairer) pair(depth int) bool {
	if p.openingQuote() > 0 {
		if !p.key() {
			return false
		}
	} else if !p.bareKey() {
		return false
	}
	p.skipSpace()
	if p.end() || p.text[p.at] != ':' && p.text[p.at] != '=' {
		return false
	}
	p.at++
	if !p.end() && p.text[p.at] == '>' {
		p.at++
	}
	p.out.WriteByte(':')
	p.skipSpace()
	if !p.end() && (p.text[p.at] == ',' || p.text[p.at] == '}') {
		p.out.WriteString("null")
		return true
	}
	return p.value(depth + 1)
}

// bareKey parses a key without quotes.
func (p *repairer) bareKey() bool {
	start := p.at
	for !p.end() && isWordByte(p.text[p.at], p.at > start) {
		p.at++
	}
	if p.at == start {
		return false
	}
	p.out.WriteByte('"')
	p.out.WriteString(p.text[start:p.at])
	p.out.WriteByte('"')
	return true
}

func isWordByte(c byte, inside bool) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || inside && (c == '-' || '0' <= c && c <= '9')
}

// skipSeparators skips any number of commas and semicolons.
func (p *repairer) skipSeparators() {
	for p.skipSpace(); !p.end() && (p.text[p.at] == ',' || p.text[p.at] == ';'); p.skipSpace() {
		p.at++
	}
}

// truncate removes what was written since the output had mark bytes.
func (p *repairer) truncate(mark int) {
	kept := p.out.String()[:mark]
	p.out.Reset()
	p.out.WriteString(kept)
}
