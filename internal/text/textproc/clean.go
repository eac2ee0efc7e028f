package textproc

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Line is a line of a text as it is searched, and its place in the source.
type Line struct {
	Text       string
	Start, End int // byte offsets in the source

	runs []offsetRun // offsets of the pieces of Text in the source; none if Text is one piece
}

// An offsetRun maps the bytes of Line.Text from text on to the bytes of the source from
// source on.
type offsetRun struct{ text, source int }

// Thresholds of Clean: lines with a larger share of links are dropped up to
// maxLinkWords words, lines with boilerplate up to maxBoilerplateWords. A text that
// would keep less than minWords keeps all.
const (
	maxLinkWords        = 25
	maxBoilerplateWords = 40
	minWords            = 60
	maxLinkShare        = .6
)

// Clean returns the lines of a text that are worth searching, without images, link
// targets, URLs and Markdown marks. It drops menus, cookie notices and similar
// boilerplate, unless less than sixty words would remain. It always drops blank lines
// and horizontal rules. The lines of a chat log are not changed, and only a first line
// with the time is dropped, since it is in the lead. Lines ascend and do not overlap.
func Clean(text string, chat bool) []Line {
	var all []Line
	var noise []bool
	kept := 0
	var m markup
	eachLine(text, func(start, end int) {
		s := text[start:end]
		if chat {
			if len(all) == 0 && timeLine().MatchString(s) {
				return
			}
			all = append(all, Line{Text: s, Start: start, End: end})
			return
		}
		if strings.Trim(s, "=-*_ |>#") == "" {
			return
		}
		line, linked := m.clean(s, start)
		if line.Text == "" {
			return
		}
		n := wordCount(line.Text)
		drop := float64(linked) > maxLinkShare*float64(utf8.RuneCountInString(line.Text)) && n < maxLinkWords ||
			n < maxBoilerplateWords && isBoilerplate(line.Text)
		if !drop {
			kept += n
		}
		all, noise = append(all, line), append(noise, drop)
	})
	if chat || kept < minWords {
		return all
	}
	lines := all[:0]
	for i, line := range all {
		if !noise[i] {
			lines = append(lines, line)
		}
	}
	return lines
}

// Move moves a line of a part of a text to where the part begins in the text.
func (l *Line) Move(by int) {
	l.Start += by
	l.End += by
	for i := range l.runs {
		l.runs[i].source += by
	}
}

// sourceOffset returns the offset in the source of byte i of Text.
func (l Line) sourceOffset(i int) int {
	place := l.Start + i
	if n := sort.Search(len(l.runs), func(k int) bool { return l.runs[k].text > i }); n > 0 {
		run := l.runs[n-1]
		place = run.source + i - run.text
	}
	return min(max(place, l.Start), l.End)
}

// eachLine calls f with the offsets of every line that is not blank, without the space
// around it.
func eachLine(text string, f func(start, end int)) {
	for start := 0; start < len(text); {
		end, next := lineEnd(text, start)
		s := text[start:end]
		trimmed := strings.TrimLeftFunc(s, unicode.IsSpace)
		start += len(s) - len(trimmed)
		if trimmed = strings.TrimRightFunc(trimmed, unicode.IsSpace); trimmed != "" {
			f(start, start+len(trimmed))
		}
		start = next
	}
}

// lineEnd returns where the line at start ends and where the next one starts.
func lineEnd(text string, start int) (end, next int) {
	for i := start; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n' || c == '\r' || c == '\f':
			return i, i + 1
		case c == "\u2028"[0] && (strings.HasPrefix(text[i:], "\u2028") || strings.HasPrefix(text[i:], "\u2029")):
			return i, i + len("\u2028")
		}
	}
	return len(text), len(text)
}

func wordCount(s string) int {
	n := 0
	for range strings.FieldsSeq(s) {
		n++
	}
	return n
}

// boilerplatePhrases appear in lines that belong to the web site, not to the content of
// a page.
var boilerplatePhrases = []string{
	"cookie", "privacy policy", "all rights reserved", "terms of use", "terms of service",
	"sign in", "sign up", "log in", "login", "subscribe", "newsletter", "advertise", "advertising",
	"wayback machine", "skip to", "share on", "share this", "javascript",
}

// isBoilerplate reports whether a line contains a boilerplate phrase.
func isBoilerplate(line string) bool {
	line = strings.ToLower(line)
	return slices.ContainsFunc(boilerplatePhrases, func(phrase string) bool { return strings.Contains(line, phrase) })
}
