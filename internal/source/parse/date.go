package parse

import (
	"regexp"
	"strings"
	"time"
)

// datePattern matches a date of digits, with or without hyphens, and an optional time.
const datePattern = `(\d{4})(-?)(\d{2})(-?)(\d{2})(?:[_T ](\d{1,2})[:.]?(\d{2})(?:[:.]?\d{2})?)?(?:\D|$)`

var (
	dateAnywhere = regexp.MustCompile(`(?:^|\D)` + datePattern)
	dateAtStart  = regexp.MustCompile(`^` + datePattern)
)

// dateLayouts are other ways in which people write dates.
var dateLayouts = []string{
	"2006-1-2", "2006/1/2", "2006/1/2 15:04", "2.1.2006", "2 January 2006", "January 2, 2006", "2 Jan 2006", "Jan 2, 2006",
	"Mon, 2 Jan 2006 15:04:05 -0700", "Mon, 2 Jan 2006 15:04:05 MST", "Mon, 2 Jan 2006", "Monday, January 2, 2006",
}

// DateInName returns the first valid date in a file's name, or "".
func DateInName(name string) string {
	for name != "" {
		m := dateAnywhere.FindStringSubmatchIndex(name)
		if m == nil {
			return ""
		}
		if date := isoDate(groups(name, m)); date != "" {
			return date
		}
		name = name[m[2]+1:]
	}
	return ""
}

// Date returns a date that a person wrote in ISO 8601, or "" if it is not a
// date. It keeps times to the minute, without the time zone.
func Date(s string) string {
	s = strings.TrimSpace(s)
	if m := dateAtStart.FindStringSubmatchIndex(s); m != nil {
		if date := isoDate(groups(s, m)); date != "" {
			return date
		}
	}
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, s); err == nil && inRange(t) {
			if strings.Contains(layout, "15:04") {
				return t.Format("2006-01-02T15:04")
			}
			return t.Format(time.DateOnly)
		}
	}
	for _, layout := range []string{"2006-01", "2006"} { // a month or a year stays one
		if t, err := time.Parse(layout, s); err == nil && inRange(t) {
			return s
		}
	}
	return ""
}

// dateInText returns the date of a first line such as "Time: 20260105_11:00", which
// chat logs have, or "".
func dateInText(text string) string {
	line, _, _ := strings.Cut(strings.TrimLeft(text, "\n \t"), "\n")
	name, value, found := strings.Cut(line, ":")
	if !found || !strings.EqualFold(strings.TrimSpace(name), "time") {
		return ""
	}
	return Date(value)
}

// RefineDate returns the date of the text's first line if there is no date from the
// file's name, or if both have the same day: the line may add the time.
func RefineDate(fromName, text string) string {
	if first := dateInText(text); strings.HasPrefix(first, fromName) {
		return first
	}
	return fromName
}

// groups returns the groups of a match, "" for those without a match.
func groups(s string, m []int) (g [8]string) {
	for i := range g {
		if m[2*i] >= 0 {
			g[i] = s[m[2*i]:m[2*i+1]]
		}
	}
	return g
}

// isoDate returns a match of datePattern in ISO 8601: without the time if that is
// invalid, "" if the date is.
func isoDate(g [8]string) string {
	if g[2] != g[4] {
		return ""
	}
	day, err := time.Parse(time.DateOnly, g[1]+"-"+g[3]+"-"+g[5])
	if err != nil || !inRange(day) {
		return ""
	}
	if minute, err := time.Parse("15:04", g[6]+":"+g[7]); err == nil {
		return day.Format(time.DateOnly) + minute.Format("T15:04")
	}
	return day.Format(time.DateOnly)
}

// inRange excludes years that suggest a number that only looks like a date.
func inRange(t time.Time) bool { return t.Year() >= 1000 && t.Year() < 3000 }
