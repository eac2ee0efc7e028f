package extract

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
)

var months = map[string]int{
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8,
	"september": 9, "october": 10, "november": 11, "december": 12, "jan": 1, "feb": 2, "mar": 3, "apr": 4,
	"jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12,
}

// documentDate is the day on which a text was written; the zero time if unknown.
type documentDate time.Time

// writtenOn parses the day from a first line such as "Time: 20260105_11:00".
func writtenOn(s string) documentDate {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text.FirstLine(s)), "Time:")
	if !ok {
		return documentDate{}
	}
	rest = strings.TrimSpace(rest)
	for _, layout := range []string{"20060102", "2006-01-02"} {
		if t, err := time.Parse(layout, rest[:min(len(rest), len(layout))]); err == nil {
			return documentDate(t)
		}
	}
	return documentDate{}
}

// year returns the year, or 0 if the date is unknown.
func (t documentDate) year() int {
	if time.Time(t).IsZero() {
		return 0
	}
	return time.Time(t).Year()
}

// addDays returns the day that many days later in ISO 8601, or "" if the date is
// unknown.
func (t documentDate) addDays(days int) string {
	if time.Time(t).IsZero() {
		return ""
	}
	return time.Time(t).AddDate(0, 0, days).Format(time.DateOnly)
}

// dates reports whether the tokens name a date or a time, and returns the first
// and the last day, month or year that they determine, in ISO 8601. A day without
// a year is taken to be in the year of the document date, if that is known.
func (t documentDate) dates(toks []textproc.Token) (found bool, start, end string) {
	for i := 0; i < len(toks); {
		iso, n := t.dateAt(toks, i)
		if n == 0 {
			i++
			continue
		}
		found = true
		if iso != "" {
			if start == "" || iso < start {
				start = iso
			}
			end = max(end, iso)
		}
		i += n
	}
	return found, start, end
}

// dateAt parses the date that begins at token i. It returns the ISO form, "" if the
// date does not determine one, and the number of tokens, 0 if there is no date.
func (t documentDate) dateAt(toks []textproc.Token, i int) (iso string, n int) {
	w := toks[i]
	if m, ok := monthOf(w); ok {
		return t.monthFirst(toks, i, m)
	}
	switch {
	case w.Has(textproc.Digits):
		return t.digitsFirst(toks, i)
	case w.Lower == "tomorrow":
		return t.addDays(1), 1
	case w.Lower == "yesterday":
		return t.addDays(-1), 1
	case w.Lower == "tonight":
		return t.addDays(0), 1
	case w.Is(textproc.Calendar) && text.HasAnySuffix(w.Lower, "day", "days"):
		return "", 1
	case w.Lower == "christmas" && i+1 < len(toks) && toks[i+1].IsOneOf(" eve day "):
		return "", 2
	}
	return "", 0
}

func monthOf(t textproc.Token) (int, bool) {
	m, ok := months[strings.TrimRight(t.Lower, ".")]
	return m, ok && t.Has(textproc.Capital)
}

func parseNumber(t textproc.Token) (int, bool) {
	if !t.Has(textproc.AllDigits) || len(t.Text) > 4 {
		return 0, false
	}
	n, err := strconv.Atoi(t.Text)
	return n, err == nil
}

func yearAt(toks []textproc.Token, i int) (int, bool) {
	if i >= len(toks) {
		return 0, false
	}
	y, ok := parseNumber(toks[i])
	return y, ok && 1500 <= y && y < 2100 && len(toks[i].Text) == 4
}

// dayAt returns the day of the month at token i and its number of tokens ("8th" has
// two), or 0, 0.
func dayAt(toks []textproc.Token, i int) (day, n int) {
	if i >= len(toks) {
		return 0, 0
	}
	day, ok := parseNumber(toks[i])
	if !ok || day < 1 || day > 31 {
		return 0, 0
	}
	if i+1 < len(toks) && toks[i+1].Start == toks[i].End && toks[i+1].IsOneOf(" st nd rd th ") {
		return day, 2
	}
	return day, 1
}

// monthFirst parses "April 12, 1945", "April 12" and "April 1945".
func (t documentDate) monthFirst(toks []textproc.Token, i, month int) (string, int) {
	if y, ok := yearAt(toks, i+1); ok {
		return isoDate(y, month, 0), 2
	}
	day, n := dayAt(toks, i+1)
	if n == 0 {
		return "", 0
	}
	k := i + 1 + n
	if k < len(toks) && toks[k].IsSymbol(',') {
		k++
	}
	if y, ok := yearAt(toks, k); ok {
		return isoDate(y, month, day), k + 1 - i
	}
	return isoDate(t.year(), month, day), 1 + n
}

// measured follow a number of four digits that is not a year: 1800 UTC, 1650 people.
const measured = " utc gmt hours hrs feet ft m km metres meters kilometres kilometers miles tons tonnes kg mm hpa mb mw knots people men women soldiers dollars percent pages "

// digitsFirst parses "12 April 1945", "8th of June", "1945-04-12", "1945", "7:30" and "7 pm".
func (t documentDate) digitsFirst(toks []textproc.Token, i int) (string, int) {
	w := toks[i]
	if y, ok := yearAt(toks, i); ok && (i+1 == len(toks) || !toks[i+1].IsOneOf(measured)) {
		return isoDate(y, 0, 0), 1
	}
	if len(w.Text) == 10 && w.Text[4] == '-' && w.Text[7] == '-' {
		var y, m, d int
		if _, err := fmt.Sscanf(w.Text, "%4d-%2d-%2d", &y, &m, &d); err == nil {
			return isoDate(y, m, d), 1
		}
	}
	if day, n := dayAt(toks, i); n > 0 {
		k := i + n
		if k < len(toks) && toks[k].Lower == "of" {
			k++
		}
		if k < len(toks) {
			if m, ok := monthOf(toks[k]); ok {
				if y, ok := yearAt(toks, k+1); ok {
					return isoDate(y, m, day), k + 2 - i
				}
				return isoDate(t.year(), m, day), k + 1 - i
			}
		}
	}
	if isClockTime(w.Text) || i+1 < len(toks) && len(w.Text) < 3 && toks[i+1].IsOneOf(" am pm ") {
		return "", 1
	}
	return "", 0
}

// isClockTime reports whether s is a time such as 7:30.
func isClockTime(s string) bool {
	h, m, ok := strings.Cut(s, ":")
	return ok && len(h) > 0 && len(h) < 3 && len(m) == 2 && strings.Trim(h+m, "0123456789") == ""
}

// isoDate formats a year, month and day; a part that is 0 is left out. A day that
// does not exist in the month is dropped. Without a year the result is "".
func isoDate(y, m, d int) string {
	switch {
	case y == 0:
		return ""
	case m < 1 || m > 12:
		return fmt.Sprintf("%04d", y)
	case d < 1 || time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC).Day() != d:
		return fmt.Sprintf("%04d-%02d", y, m)
	}
	return fmt.Sprintf("%04d-%02d-%02d", y, m, d)
}
