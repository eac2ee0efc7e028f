package textproc

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Line is one line of a text as search reads it, and the bytes of the source
// that it came from.
type Line struct {
	Text       string
	Start, End int

	runs []lineRun // where pieces of Text stand in the source; none: Text is one piece
}

// A lineRun says that Text from byte text on stands at byte source.
type lineRun struct{ text, source int }

// Thresholds of Clean, in words, and the share of a line that may be links.
const (
	linkWords  = 25
	noiseWords = 40
	leastWords = 60
	linkShare  = .6
)

// Clean is the lines of a text that are worth searching: without images, link
// targets, addresses and Markdown marks, and without menus, cookie notices and the
// like. A text that would keep fewer than sixty words keeps all its lines. Blank
// lines and rules are left out always. The lines of a chat log come as they are,
// without its first line where that is its time, which the lead carries. Lines
// ascend and do not overlap.
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
		n := countFields(line.Text)
		drop := float64(linked) > linkShare*float64(utf8.RuneCountInString(line.Text)) && n < linkWords ||
			n < noiseWords && noisy(line.Text)
		if !drop {
			kept += n
		}
		all, noise = append(all, line), append(noise, drop)
	})
	if chat || kept < leastWords {
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

// at is the place in the source of byte i of the line's text.
func (l Line) at(i int) int {
	place := l.Start + i
	if n := sort.Search(len(l.runs), func(k int) bool { return l.runs[k].text > i }); n > 0 {
		run := l.runs[n-1]
		place = run.source + i - run.text
	}
	return min(max(place, l.Start), l.End)
}

// eachLine calls f with the place of every line of text that is not blank,
// without the space around it.
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

// lineEnd is where the line at start ends and where the next one begins.
func lineEnd(text string, start int) (end, next int) {
	i := strings.IndexAny(text[start:], "\n\r\f\u2028\u2029")
	if i < 0 {
		return len(text), len(text)
	}
	_, size := utf8.DecodeRuneInString(text[start+i:])
	return start + i, start + i + size
}

func countFields(s string) int {
	n := 0
	for range strings.FieldsSeq(s) {
		n++
	}
	return n
}

// noiseWordings are the wordings of lines that belong to a web site, not to what
// a page says.
var noiseWordings = []string{
	"cookie", "privacy policy", "all rights reserved", "terms of use", "terms of service",
	"sign in", "sign up", "log in", "login", "subscribe", "newsletter", "advertise", "advertising",
	"wayback machine", "skip to", "share on", "share this", "javascript",
}

func noisy(line string) bool {
	line = strings.ToLower(line)
	for _, w := range noiseWordings {
		if strings.Contains(line, w) {
			return true
		}
	}
	return false
}
