package cli

import "testing"

func TestNearNames(t *testing.T) {
	t.Parallel()
	names := []string{"Clara Hale", "Claire Hall", "Hale", "Tobias Reed", "Tobias Reid", "C0_1", "C0_12", "Jürgen Müller"}
	for typed, want := range map[string]string{
		"Clara Hal":              "did you mean Clara Hale?",
		"hale":                   "did you mean Hale, Clara Hale or Claire Hall?",
		"Tobias Reet":            "did you mean Tobias Reed or Tobias Reid?",
		"C0_2":                   "did you mean C0_1 or C0_12?",
		"Jurgen Müller":          "did you mean Jürgen Müller?",
		"somebody else entirely": "",
		"":                       "",
		"Mullen":                 "",
		"Quil":                   "did you mean Robert Quill?",
		"Tobies":                 "did you mean Tobias Reed or Tobias Reid?",
		"Bob Quil":               "did you mean Robert Quill?",
	} {
		near := newNearNames(typed)
		near.add("Robert Quill", "Bob Quill", "Rob")
		for _, name := range names {
			near.add(name)
		}
		if got := near.question(); got != want {
			t.Errorf("near names of %q: %q, want %q", typed, got, want)
		}
	}
}
