package textproc

import (
	"regexp"
	"strings"
	"unicode"
)

// A Unit is a sentence of a text, a row of a table, or a line of a chat log: a message.
type Unit struct {
	Span

	Fragment bool // a heading or another line that states nothing
	Heading  bool // marked as one, also a Fragment
	Item     bool // of a list
	Phrase   bool // an item that is not a sentence
	Code     bool // of a block of code, also a Fragment
}

// listMarker begins an item of a list.
var listMarker = regexp.MustCompile(`^\s*(?:[-*+•]|\d{1,3}[.)])\s+`)

// markerRoom is the most bytes that a list marker takes before the sentence after it.
const markerRoom = 32

// IsListItem reports whether a line begins an item of a list.
func IsListItem(line string) bool { return listMarker.MatchString(line) }

// Units returns the sentences of a text, the rows of a table or the messages of a chat log, in order.
func Units(text string) []Unit {
	if IsChat(text) {
		var out []Unit
		for _, line := range chatLines(text) {
			out = append(out, unitAt(text, line, false, false))
		}
		return out
	}
	var rows rowJoiner
	eachSentence(text, func(s Sentence) {
		rows.add(unitAt(text, s.Span, s.Fragment, s.Code), s.Paragraph, columnLabel(text, s))
	})
	rows.endParagraph()
	return rows.out
}

// chatLines returns the lines of a chat log that are not empty. The rest of a wrapped line belongs
// to the line before it.
func chatLines(text string) []Span {
	var out []Span
	at, last := 0, ""
	for line := range strings.Lines(text) {
		trimmed := strings.TrimRight(line, "\r\n")
		switch {
		case continues(last, trimmed):
			out[len(out)-1].End = at + len(trimmed)
		case trimmed != "":
			out = append(out, Span{at, at + len(trimmed)})
		}
		at, last = at+len(line), trimmed
	}
	return out
}

func unitAt(text string, at Span, fragment, code bool) Unit {
	line := text[strings.LastIndexByte(text[:at.Start], '\n')+1:]
	heading := strings.HasPrefix(strings.TrimLeft(line, " \t"), "#")
	item := IsListItem(line[:min(len(line), at.End-at.Start+markerRoom)])
	item = item && !code
	return Unit{Span: at, Code: code, Heading: heading && !code, Fragment: heading || fragment && !item, Item: item, Phrase: item && fragment}
}

// StatementsVersion changes when Statements returns something else for some text.
const StatementsVersion = "statements-5"

// Statements returns the units of a text that state something, without white space around
// them: no headings or other fragments, and of a chat log no lines that only tell the time
// or have no word.
func Statements(text string) []Span {
	chat := IsChat(text)
	var out []Span
	for _, u := range Units(text) {
		own := text[u.Start:u.End]
		if u.Fragment || chat && (timeLine().MatchString(own) || !strings.ContainsFunc(own, isWordRune)) {
			continue
		}
		start := u.End - len(strings.TrimLeftFunc(own, unicode.IsSpace))
		out = append(out, Span{start, start + len(strings.TrimSpace(own))})
	}
	return out
}
