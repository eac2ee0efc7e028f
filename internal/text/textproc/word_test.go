package textproc

import "testing"

func TestSingular(t *testing.T) {
	t.Parallel()
	for w, want := range map[string]string{
		"ghosts": "ghost", "churches": "church", "wishes": "wish", "glasses": "glass", "boxes": "box", "cities": "city",
		"bus": "bus", "glass": "glass", "crisis": "crisis", "ties": "tie", "gas": "gas", "s": "s", "": "",
		"series": "series", "species": "species", "theories": "theory",
	} {
		if got := Singular(w); got != want {
			t.Errorf("Singular(%q) = %q, want %q", w, got, want)
		}
	}
}
