package score

import (
	"math"
	"testing"
)

// TestHolds compares texts with known answers.
func TestHolds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text, known string
		want        bool
	}{
		{"WolfgangSchulz: see you at 5:30 PM", "Wolfgang Schulz", true},
		{"He likes the pattern.", "the patterns", true},
		{"squats, push-ups and lunges", "squats & push-ups & lunges & bridges & planks", false},
		{"Yes, he did.", "Yes", true},
		{"No.", "Yes", false},
		{"anything", "", false},
	} {
		if got := holds(tt.text, tt.known); got != tt.want {
			t.Errorf("%q holds %q: %v", tt.text, tt.known, got)
		}
	}
}

// The wanted values of TestNormalize and TestTokenF1 were computed with Python 3.11 by the definitions
// of the evaluation script of SQuAD 1.1: normalize_answer and f1_score.
func TestNormalize(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		"The  Cat, a dog & an  owl.": "cat dog owl",
		"Anathema of the Theatre":    "anathema of theatre",
		"It's 5:30 PM!":              "its 530 pm",
		"£1,000 (net)":               "£1000 net",
		"a":                          "",
		"Élan “quoted”":              "élan “quoted”",
	} {
		if got := normalize(answer); got != want {
			t.Errorf("normalized %q: %q, want %q", answer, got, want)
		}
	}
}

func TestTokenF1(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		given, known string
		want         float64
	}{
		{"Clara Hale opened it", "Clara Hale", 0.6666666666666666},
		{"the cat the cat", "a cat cat dog", 0.8},
		{"Yes", "No", 0},
		{"on Friday, 1921", "Friday 1921.", 0.8},
		{"the", "Yes", 0},
	} {
		if got := tokenF1(tt.given, tt.known); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("F1 of %q and %q = %v, want %v", tt.given, tt.known, got, tt.want)
		}
	}
}
