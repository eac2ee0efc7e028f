package textproc_test

import (
	"slices"
	"testing"

	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

func TestAmount(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		l     language.Language
		value string
		want  float64
	}{
		{language.English, "1,200 t", 1200},
		{language.English, "1.5 m", 1.5},
		{language.English, "12,345,678.25", 12345678.25},
		{language.English, "€ 40", 40},
		{language.English, "-3 °C", -3},
		{language.English, "1 200", 1200},
		{language.English, "2 of 3", 2},
		{language.German, "1.200 t", 1200},
		{language.German, "1,5 m", 1.5},
		{language.German, "1.234.567,5", 1234567.5},
		{language.German, "1.5", 1.5},
		{language.German, "1 200", 1200},
		{language.English, "1998", 1998},
	} {
		if got, ok := textproc.Amount(tc.l, tc.value); !ok || got != tc.want {
			t.Errorf("Amount(%s, %q) = %v, %v, want %v", tc.l, tc.value, got, ok, tc.want)
		}
	}
	for _, none := range []string{"", "none", "about 3", "-"} {
		if got, ok := textproc.Amount(language.English, none); ok {
			t.Errorf("Amount(%q) = %v, want none", none, got)
		}
	}
}

// Dates of any precision compare with each other.
func TestAmountsOfDatesAreInOrder(t *testing.T) {
	t.Parallel()
	dates := []string{"1998", "1998-02", "1998-02-17", "1998-12-31", "1999", "2003-05", "2003-05-17", "2003-11", "2004-01-02"}
	for i := 1; i < len(dates); i++ {
		before, _ := textproc.Amount(language.English, dates[i-1])
		after, ok := textproc.Amount(language.English, dates[i])
		if !ok || before >= after {
			t.Errorf("%s is %v, %s is %v", dates[i-1], before, dates[i], after)
		}
	}
}

func TestExtremeOfANamedProperty(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]struct {
		l      language.Language
		column string
		lowest bool
	}{
		"Which club has the most members?":                 {language.English, "members", false},
		"Which boat has the fewest seats?":                 {language.English, "seats", true},
		"Which harbour has the least traffic?":             {language.English, "traffic", true},
		"Welcher Verein hat die meisten Mitglieder?":       {language.German, "Mitglieder", false},
		"Welcher Hafen hat die wenigsten Liegeplätze?":     {language.German, "Liegeplätze", true},
		"Which is the largest club?":                       {language.English, "size", false},
		"Which is the most expensive room?":                {language.English, "price", false},
		"Which room is the least expensive?":               {language.English, "price", true},
		"What is the most recent change of the timetable?": {language.English, "built", false},
	} {
		e := textproc.ExtremeOf(want.l, question)
		if e == nil || e.Lowest != want.lowest || !slices.ContainsFunc(e.Columns[:min(1, len(e.Columns))], func(first textproc.TermSet) bool {
			return first.Shared(textproc.TermSetIn(want.l, want.column)) > 0
		}) {
			t.Errorf("%s: %+v, want the column %s", question, e, want.column)
		}
	}
}

func TestCompareVersions(t *testing.T) {
	t.Parallel()
	versions := []string{"0.9", "1.0", "1.0.1", "1.9", "1.10", "2.0"}
	for i := 1; i < len(versions); i++ {
		if textproc.CompareVersions(versions[i-1], versions[i]) >= 0 {
			t.Errorf("%s is not before %s", versions[i-1], versions[i])
		}
	}
}
