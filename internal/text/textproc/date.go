package textproc

import (
	"fmt"
	"regexp"
	"strconv"
	"sync"
	"time"
)

// datePattern matches a day written in digits.
var datePattern = lazily(`(?:^|[^0-9])((?:19|20)[0-9]{2})(?:([0-9]{2})([0-9]{2})|[-/]([0-9]{1,2})[-/]([0-9]{1,2}))(?:[^0-9]|$)`)

// datesIn returns the days that a text has in digits, as terms such as 20260410, in
// order.
func datesIn(text string) []string {
	var out []string
	for text != "" {
		m := datePattern().FindStringSubmatchIndex(text)
		if m == nil {
			break
		}
		if year, month, day, ok := readDate(text, m); ok {
			out = append(out, dateTerm(year, month, day))
		}
		text = text[max(m[5], m[11], m[7], m[3]):]
	}
	return out
}

// dateIn returns the first day that a text has in digits.
func dateIn(text string) (year, month, day int, ok bool) {
	m := datePattern().FindStringSubmatchIndex(text)
	if m == nil {
		return 0, 0, 0, false
	}
	return readDate(text, m)
}

// DateIn returns the first day that a text has in digits, the year first; zero for none.
func DateIn(text string) time.Time {
	year, month, day, ok := dateIn(text)
	if !ok {
		return time.Time{}
	}
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
}

// readDate returns the date of a match of datePattern. ok is false for an impossible
// month or day.
func readDate(text string, m []int) (year, month, day int, ok bool) {
	number := func(group int) int {
		n, _ := strconv.Atoi(text[max(0, m[2*group]):max(0, m[2*group+1])]) // 0 for a group without a match
		return n
	}
	year, month, day = number(1), number(2)+number(4), number(3)+number(5)
	return year, month, day, 1 <= month && month <= 12 && 1 <= day && day <= 31
}

// dateTerm returns the term of a day, or of a year if month is 0.
func dateTerm(year, month, day int) string {
	if month == 0 {
		return fmt.Sprintf("%04d", year)
	}
	return fmt.Sprintf("%04d%02d%02d", year, month, day)
}

// lazily returns a function that compiles an expression when it is first called.
func lazily(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
