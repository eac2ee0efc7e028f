package neo4jstore

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSectionPaths(t *testing.T) {
	t.Parallel()
	row := reportSectionsRow{
		Text:     "Ada met Ben.\n# Für Ben\nBen saw Ada and Ada\nLane.\n## Then\nBen left.",
		Headings: []string{"Für Ben", "Für Ben > Then"}, HeadingStarts: []int{13, 53},
	}
	for name, want := range map[string][]string{
		"Ada": {"", "Für Ben"}, "Ben": {"", "Für Ben", "Für Ben > Then"}, "left": {"Für Ben > Then"}, "Ada Lane": {""},
	} {
		if diff := cmp.Diff(want, row.paths([]string{name})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if diff := cmp.Diff([]string{""}, (&reportSectionsRow{Text: "Ada"}).paths([]string{"Ada", ""})); diff != "" {
		t.Errorf("no headings (-want +got):\n%s", diff)
	}
}
