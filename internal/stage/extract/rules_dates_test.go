package extract

import "testing"

// TestYears takes four digits for a year, unless they are a time or count something.
func TestYears(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Clara Hale opened the hall in 1800.":              "1800",
		"Clara Hale opened the hall at 1800 UTC.":          "",
		"Clara Hale opened the hall before 1650 people.":   "",
		"Clara Hale opened the hall in May 1800 with joy.": "1800-05",
	} {
		for _, c := range extractText(t, text).Claims {
			if c.StartDate != want {
				t.Errorf("%q: %q, want %q", text, c.StartDate, want)
			}
		}
		if len(extractText(t, text).Claims) == 0 {
			t.Errorf("%q: no claim", text)
		}
	}
}
