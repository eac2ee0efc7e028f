package neo4jstore

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCitedNumbers(t *testing.T) {
	for text, want := range map[string]map[int]bool{
		"none":                   {},
		"one [1], two [2, 3].":   {1: true, 2: true, 3: true},
		"[x] [4 5 [6] [] [7":     {6: true},
		"[12][13] a[0] [see 14]": {12: true, 13: true, 0: true},
	} {
		if diff := cmp.Diff(want, citedNumbers(text)); diff != "" {
			t.Errorf("citedNumbers(%q) (-want +got):\n%s", text, diff)
		}
	}
}
