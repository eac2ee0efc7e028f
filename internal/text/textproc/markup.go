package textproc

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// markup removes Markdown from lines and keeps the offsets of what remains. It can be
// used for many lines.
type markup struct {
	a, b mappedText
}

// mappedText is a text with the offset of each byte in the line that it came from.
type mappedText struct {
	text []byte
	at   []int32
}

func (m *mappedText) put(c byte, at int32) {
	m.text = append(m.text, c)
	m.at = append(m.at, at)
}

func (m *mappedText) copyFrom(src *mappedText, i, j int) {
	m.text = append(m.text, src.text[i:j]...)
	m.at = append(m.at, src.at[i:j]...)
}

func (m *mappedText) reset() { m.text, m.at = m.text[:0], m.at[:0] }

// clean returns a line that starts at offset in its source, without images, link
// targets, URLs and marks, and the number of characters that are texts of links.
func (m *markup) clean(s string, offset int) (Line, int) {
	end := offset + len(s)
	if !strings.ContainsAny(s, "![]*#>|`\\") && !strings.Contains(s, "://") && !strings.Contains(s, "www.") && singleSpaced(s) {
		return Line{Text: s, Start: offset, End: end}, 0
	}
	m.a.reset()
	for i := range len(s) {
		m.a.put(s[i], int32(i))
	}
	m.b.reset()
	dropImages(&m.a, &m.b)
	m.a.reset()
	linked := dropLinkTargets(&m.b, &m.a)
	m.b.reset()
	dropURLs(&m.a, &m.b)
	m.a.reset()
	collapseSpace(&m.b, &m.a)
	line := Line{Text: string(m.a.text), Start: offset, End: end}
	for i, at := range m.a.at {
		if i == 0 || at != m.a.at[i-1]+1 {
			line.runs = append(line.runs, offsetRun{i, offset + int(at)})
		}
	}
	return line, linked
}

// singleSpaced reports whether all white space in s is single spaces.
func singleSpaced(s string) bool {
	space := false
	for i := range len(s) {
		c := s[i]
		if c >= utf8.RuneSelf || c < ' ' || c == ' ' && space {
			return !strings.ContainsFunc(s, func(r rune) bool { return r != ' ' && unicode.IsSpace(r) }) && !strings.Contains(s, "  ")
		}
		space = c == ' '
	}
	return true
}

// A linkFinder finds the links of one line. It remembers the last closing marks, so
// that the time is linear in the length of the line.
type linkFinder struct {
	s              []byte
	bracket, paren int
}

// find looks for "[...](...)" at i. It returns where the text of the link ends and
// where the link ends.
func (f *linkFinder) find(i int) (text, end int, ok bool) {
	f.bracket = f.next(']', f.bracket, i+1)
	text = f.bracket
	if text+1 >= len(f.s) || f.s[text+1] != '(' {
		return 0, 0, false
	}
	f.paren = f.next(')', f.paren, text+2)
	return text, f.paren + 1, f.paren < len(f.s)
}

// next returns the offset of the first c at or after at, or len(f.s). There is none
// between at and known.
func (f *linkFinder) next(c byte, known, at int) int {
	if known >= at {
		return known
	}
	if i := bytes.IndexByte(f.s[at:], c); i >= 0 {
		return at + i
	}
	return len(f.s)
}

// dropImages replaces images by spaces.
func dropImages(from, to *mappedText) {
	s := from.text
	links := linkFinder{s: s}
	for i := 0; i < len(s); i++ {
		if s[i] == '!' && i+1 < len(s) && s[i+1] == '[' {
			if _, end, ok := links.find(i + 1); ok {
				to.put(' ', from.at[i])
				i = end - 1
				continue
			}
		}
		to.put(s[i], from.at[i])
	}
}

// dropLinkTargets replaces links by their texts, and returns the number of characters
// of these texts.
func dropLinkTargets(from, to *mappedText) int {
	s, linked := from.text, 0
	links := linkFinder{s: s}
	for i := 0; i < len(s); i++ {
		if s[i] == '[' {
			if text, end, ok := links.find(i); ok {
				to.copyFrom(from, i+1, text)
				linked += utf8.RuneCount(s[i+1 : text])
				i = end - 1
				continue
			}
		}
		to.put(s[i], from.at[i])
	}
	return linked
}

// dropURLs replaces URLs by spaces.
func dropURLs(from, to *mappedText) {
	s := from.text
	for i := 0; i < len(s); i++ {
		n := urlLength(s[i:])
		if n == 0 {
			to.put(s[i], from.at[i])
			continue
		}
		to.put(' ', from.at[i])
		i += n - 1
	}
}

// urlLength returns the length of the URL that s starts with, or 0.
func urlLength(s []byte) int {
	if s[0] != 'h' && s[0] != 'w' {
		return 0
	}
	n := 0
	for _, prefix := range []string{"http://", "https://", "www."} {
		if len(s) > len(prefix) && string(s[:len(prefix)]) == prefix {
			n = len(prefix)
		}
	}
	if n == 0 {
		return 0
	}
	start := n
	for n < len(s) {
		r, size := utf8.DecodeRune(s[n:])
		if unicode.IsSpace(r) {
			break
		}
		n += size
	}
	if n == start {
		return 0
	}
	return n
}

// collapseSpace replaces marks and white space by one space, and by none at the ends.
func collapseSpace(from, to *mappedText) {
	s := from.text
	gap := false
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRune(s[i:])
		if unicode.IsSpace(r) || strings.ContainsRune("*#>|`[]\\", r) {
			gap = len(to.text) > 0
		} else {
			if gap {
				to.put(' ', from.at[i-1])
				gap = false
			}
			to.copyFrom(from, i, i+size)
		}
		i += size
	}
}
