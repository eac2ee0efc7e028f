package textproc

import (
	"strings"
	"testing"
)

func TestScan(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Scrooge's hat.":                "Scrooge 's hat .",
		"don't, it’s Bob’s":             "don't , it ’s Bob ’s",
		"well-known AT&T":               "well-known AT&T",
		"1,234.5% of 2026-01-05, 7:30.": "1,234.5% of 2026-01-05 , 7:30 .",
		"U.S. and e.g. this":            "U.S. and e.g. this",
		"Mr. B. Smith, Jr., came":       "Mr. B. Smith , Jr. , came",
		"the end of B. ":                "the end of B .",
		"_italics_ here":                "italics here",
		"25th of May":                   "25 th of May",
		"naïve café e\u0301t":           "naïve café e\u0301t",
		"a--b":                          "a - - b",
		"rock 'n' roll":                 "rock ' n ' roll",
	} {
		var got []string
		for start, end := scan(text, 0); start < len(text); start, end = scan(text, end) {
			got = append(got, text[start:end])
		}
		if joined := strings.Join(got, " "); joined != want {
			t.Errorf("tokens of %q are %q, want %q", text, joined, want)
		}
	}
}
