package textproc

import (
	"regexp"
	"strings"
	"sync"
)

// chatShare is the share of lines with a speaker above which a text is a chat log.
const chatShare = .4

// speakerLine matches "Name: text", also after a time with or without brackets. A
// name is one to four words that begin with an upper-case letter or with one of a
// script without case, or a handle such as @ann.
var speakerLine = sync.OnceValue(func() *regexp.Regexp {
	const (
		when    = `(?:[\[(]?\d[\d:/. ,TZ-]*(?:[AaPp][Mm])?[\])]?[ ,-]*)?`
		letters = `[\p{L}\p{M}\p{N}_.'’-]*`
		handle  = `@\p{L}` + letters
		name    = `[\p{Lu}\p{Lt}\p{Lo}]` + letters + `(?: [\p{Lu}\p{Lt}\p{Lo}\p{N}(][\p{L}\p{M}\p{N}_.'’)-]*){0,3}`
	)
	return regexp.MustCompile(`^` + when + `(` + handle + `|` + name + `): +\S`)
})

// Speaker returns the name that a message of a chat log begins with, and where its text starts: "" and
// 0 for another line.
func Speaker(line string) (name string, start int) {
	if timeLine().MatchString(line) {
		return "", 0
	}
	return speakerOf(line)
}

// IsTimeLine reports whether a line of a chat log only tells the time.
func IsTimeLine(line string) bool { return timeLine().MatchString(line) }

// maxHead is the most bytes of a line that time and speaker may take.
const maxHead = 120

// speakerOf returns the name that a message begins with, and where its text starts.
// start is 0 if the line is not a message.
func speakerOf(line string) (name string, start int) {
	head := line[:min(len(line), maxHead)]
	if !strings.Contains(head, ": ") {
		return "", 0
	}
	at := speakerLine().FindStringSubmatchIndex(head)
	if at == nil {
		return "", 0
	}
	colon := at[3]
	return head[at[2]:colon], colon + len(line[colon+1:]) - len(strings.TrimLeft(line[colon+1:], " ")) + 1
}

// timeLine matches the first line of a chat log that has a time.
var timeLine = lazily(`^Time: *\d`)

// IsChat reports whether a text is a chat log: its first line is "Time: ...", or
// it has several lines and more than 40 % of them are "Name: text". A text that begins
// with a number is rather the value of a field, as in reports of measurements.
func IsChat(text string) bool {
	lines, spoken := 0, 0
	stamped := false
	eachLine(text, func(start, end int) {
		line := text[start:end]
		if lines++; lines == 1 {
			stamped = timeLine().MatchString(line)
		}
		if _, at := speakerOf(line); at > 0 && (line[at] < '0' || line[at] > '9') {
			spoken++
		}
	})
	return stamped || lines > 1 && float64(spoken) > chatShare*float64(lines)
}
