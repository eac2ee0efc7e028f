package source

import (
	"regexp"
	"strings"
	"time"
)

// compact is a date of digits alone, or with hyphens, perhaps with a time.
const compact = `(\d{4})(-?)(\d{2})(-?)(\d{2})(?:[_T ](\d{1,2})[:.]?(\d{2})(?:[:.]?\d{2})?)?(?:\D|$)`

var (
	inName  = regexp.MustCompile(`(?:^|\D)` + compact)
	atStart = regexp.MustCompile(`^` + compact)
)

// layouts are the other dates that a person may have written.
var layouts = []string{
	"2006-1-2", "2006/1/2", "2006/1/2 15:04", "2.1.2006", "2 January 2006", "January 2, 2006", "2 Jan 2006", "Jan 2, 2006",
	"Mon, 2 Jan 2006 15:04:05 -0700", "Mon, 2 Jan 2006 15:04:05 MST", "Mon, 2 Jan 2006", "Monday, January 2, 2006",
}

// dateInName is the first possible date in a file's name, empty if there is none.
func dateInName(name string) string {
	for name != "" {
		m := inName.FindStringSubmatchIndex(name)
		if m == nil {
			return ""
		}
		if date := isoOf(groups(name, m)); date != "" {
			return date
		}
		name = name[m[2]+1:]
	}
	return ""
}

// parseDate reads a date that someone wrote, and is empty if it is none: times
// keep their minute, zones are left out.
func parseDate(s string) string {
	s = strings.TrimSpace(s)
	if m := atStart.FindStringSubmatchIndex(s); m != nil {
		if date := isoOf(groups(s, m)); date != "" {
			return date
		}
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, s); err == nil && inRange(t) {
			if strings.Contains(layout, "15:04") {
				return t.Format("2006-01-02T15:04")
			}
			return t.Format(time.DateOnly)
		}
	}
	for _, layout := range []string{"2006-01", "2006"} { // as exact as it is
		if t, err := time.Parse(layout, s); err == nil && inRange(t) {
			return s
		}
	}
	return ""
}

// dateInText is the date of a first line "Time: ...", as chat logs have it.
func dateInText(text string) string {
	line, _, _ := strings.Cut(strings.TrimLeft(text, "\n \t"), "\n")
	name, value, found := strings.Cut(line, ":")
	if !found || !strings.EqualFold(strings.TrimSpace(name), "time") {
		return ""
	}
	return parseDate(value)
}

// date is that of a file's name, else that of the text's first line, which may
// also add the time to the name's day.
func date(inName, text string) string {
	if first := dateInText(text); strings.HasPrefix(first, inName) {
		return first
	}
	return inName
}

func groups(s string, m []int) (g [8]string) {
	for i := range g {
		if m[2*i] >= 0 {
			g[i] = s[m[2*i]:m[2*i+1]]
		}
	}
	return g
}

// isoOf is the ISO 8601 form of a match of compact: without its time if that is
// impossible, empty if the date is.
func isoOf(g [8]string) string {
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

// inRange leaves out numbers that only look like dates.
func inRange(t time.Time) bool { return t.Year() >= 1000 && t.Year() < 3000 }
