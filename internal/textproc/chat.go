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

// longestHead bounds, in bytes, what of a line may be time and speaker.
const longestHead = 120

// speakerOf reads the name that a message begins with, and where its text begins.
// start is 0 where the line is no message.
func speakerOf(line string) (name string, start int) {
	head := line[:min(len(line), longestHead)]
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

var timeLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^Time: *\d`)
})

// IsChat reports whether a text is a chat log: its first line is "Time: ...", or
// it has several lines and more than 40 % of them are "Name: text".
func IsChat(text string) bool {
	lines, spoken := 0, 0
	stamped := false
	eachLine(text, func(start, end int) {
		line := text[start:end]
		if lines++; lines == 1 {
			stamped = timeLine().MatchString(line)
		}
		if _, at := speakerOf(line); at > 0 {
			spoken++
		}
	})
	return stamped || lines > 1 && float64(spoken) > chatShare*float64(lines)
}

// Lead is what every passage of a document carries, as space-joined terms: those
// of the first message of a chat log, else those of the title (or of the first
// "# " heading, where the title is empty), then those of the date: the day as
// 20260410, the name of the month, and the year. Where date is empty, a chat log
// is dated by its first line.
func Lead(title, text, date string) string {
	if IsChat(text) {
		first, stamp := firstMessage(text)
		title = first
		if date == "" {
			date = stamp
		}
	} else if strings.TrimSpace(title) == "" {
		title = firstHeading(text)
	}
	terms := Terms(title)
	if year, month, day, ok := dateIn(date); ok {
		terms = append(terms, stampTerm(year, month, day))
		terms = append(terms, Terms(monthNames[month-1])...)
		terms = append(terms, stampTerm(year, 0, 0))
	}
	return strings.Join(terms, " ")
}

// firstMessage is the first line that someone says in a chat log, and the line
// of its time, if it starts with one.
func firstMessage(text string) (message, stamp string) {
	lines := 0
	eachLine(text, func(start, end int) {
		switch lines++; {
		case lines == 1 && timeLine().MatchString(text[start:end]):
			stamp = text[start:end]
		case message == "":
			message = text[start:end]
		}
	})
	return message, stamp
}

func firstHeading(text string) string {
	heading := ""
	eachLine(text, func(start, end int) {
		if rest, ok := strings.CutPrefix(text[start:end], "# "); ok && heading == "" {
			heading = rest
		}
	})
	return heading
}
