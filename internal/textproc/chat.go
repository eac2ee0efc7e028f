package textproc

import (
	"regexp"
	"strings"
	"sync"
)

// chatShare is the share of lines with a speaker that makes a text a chat log.
const chatShare = .4

// speakerLine matches "Name: text", also behind a time in brackets or without. A
// name of several words is capitalised.
var speakerLine = sync.OnceValue(func() *regexp.Regexp {
	const (
		when = `(?:[\[(]?\d[\d:/. ,TZ-]*(?:[AaPp][Mm])?[\])]?[ ,-]*)?`
		one  = `@?\p{L}[\p{L}\p{M}\p{N}_.'’-]*`
		many = `[\p{Lu}\p{Lt}\p{Lo}][\p{L}\p{M}\p{N}_.'’-]*(?: [\p{Lu}\p{Lt}\p{Lo}\p{N}(][\p{L}\p{M}\p{N}_.'’)-]*){1,3}`
	)
	return regexp.MustCompile(`^` + when + `(?:` + one + `|` + many + `): +\S`)
})

var timeLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^Time: *\d`)
})

// IsChat tells whether a text is a chat log: its first line is "Time: ...", or
// more than 40 % of its lines are "Name: text".
func IsChat(text string) bool {
	lines, spoken := 0, 0
	stamped := false
	eachLine(text, func(start, end int) {
		if lines++; lines == 1 {
			stamped = timeLine().MatchString(text[start:end])
		}
		head := text[start:min(end, start+120)]
		if strings.Contains(head, ": ") && speakerLine().MatchString(head) {
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
