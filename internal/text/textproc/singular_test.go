package textproc

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSingular(t *testing.T) {
	t.Parallel()
	for w, want := range map[string]string{
		"ghosts": "ghost", "churches": "church", "wishes": "wish", "glasses": "glass", "boxes": "box", "cities": "city", "theories": "theory",
		"ties": "tie", "movies": "movie", "diseases": "disease", "keys": "key",
		"women": "woman", "men": "man", "children": "child", "feet": "foot", "geese": "goose", "mice": "mouse", "wolves": "wolf", "knives": "knife",
		"analyses": "analysis", "criteria": "criterion", "buses": "bus",
		"series": "series", "species": "species", "news": "news", "gas": "gas", "glass": "glass", "status": "status", "bus": "bus",
		"crisis": "crisis", "physics": "physics", "paris": "paris", "james": "james", "s": "s", "": "",
	} {
		if got := Singular(w); got != want {
			t.Errorf("Singular(%q) = %q, want %q", w, got, want)
		}
	}
}

func TestSingulars(t *testing.T) {
	t.Parallel()
	for w, want := range map[string][]string{
		"bodies": {"body", "bodie"}, "bases": {"base", "bas", "basis"}, "axes": {"ax", "axe"}, "axles": {"axle", "axl"}, "wives": {"wife"}, "series": nil, "news": nil,
	} {
		got := Singulars(w)
		if diff := cmp.Diff(want, got); diff != "" && len(want)+len(got) > 0 {
			t.Errorf("%s (-want +got):\n%s", w, diff)
		}
	}
}
