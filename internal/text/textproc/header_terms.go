package textproc

import (
	"strings"
	"time"

	"github.com/neorag/neorag/internal/text/language"
)

// HeaderTerms returns the terms that every passage of a document in a language carries, joined by spaces:
// first the terms of the first message of a chat log, or else of the title, or of the
// first "# " heading if the title is empty; then of what else is known about the document, such as
// its author; then the terms of the date: the day as
// 20260410, the name of the month, and the year. If date is empty, the date of a chat log
// is taken from its first line.
func HeaderTerms(l language.Language, title, about, text, date string) string {
	if IsChat(text) {
		first, timeStamp := firstMessage(text)
		title = first
		if date == "" {
			date = timeStamp
		}
	} else if strings.TrimSpace(title) == "" {
		title = firstHeading(text)
	}
	terms := TermsIn(l, strings.TrimSpace(title+" "+about))
	if year, month, day, ok := dateIn(date); ok {
		terms = append(terms, dateTerm(year, month, day))
		terms = append(terms, TermsIn(language.English, time.Month(month).String())...)
		terms = append(terms, dateTerm(year, 0, 0))
	}
	return strings.Join(terms, " ")
}

// firstMessage returns the first message of a chat log, and the line with the time if
// the log starts with one.
func firstMessage(text string) (message, timeStamp string) {
	lines := 0
	eachLine(text, func(start, end int) {
		switch lines++; {
		case lines == 1 && timeLine().MatchString(text[start:end]):
			timeStamp = text[start:end]
		case message == "":
			message = text[start:end]
		}
	})
	return message, timeStamp
}

// firstHeading returns the first heading of level one, or "".
func firstHeading(text string) string {
	heading := ""
	eachLine(text, func(start, end int) {
		if rest, ok := strings.CutPrefix(text[start:end], "# "); ok && heading == "" {
			heading = rest
		}
	})
	return heading
}
