package textproc

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSuspects(t *testing.T) {
	t.Parallel()
	words := func(question string) (out []string) {
		for _, s := range Suspects(question) {
			out = append(out, s.Word)
		}
		return out
	}
	for question, want := range map[string][]string{
		"What is a berht?":                  {"berht"},
		"Who is the mayor of London in 20?": nil, // listed words, and a number
		"was ist die Schnelmaske":           {"Schnelmaske"},
		"什么是夜航票":                            nil,
	} {
		if diff := cmp.Diff(want, words(question)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", question, diff)
		}
	}
}

func TestSuspectMatches(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		question, term string
		matches        bool
	}{
		{"What is a berht?", "berth", true},
		{"What is a berth?", "bertha", true},
		{"What is a berth?", "girth", false}, // another first letter
		{"what is hatchlign", "hatchl", true},
		{"was ist die Schnelmaske", "schnellmask", true},
		{"Who is Scroge?", "scroog", true},
		{"What did Marly say?", "marley", true},
		{"What is a quay?", "query", false},
	} {
		s := Suspects(tt.question)
		if len(s) != 1 {
			t.Fatalf("%s: %d suspects", tt.question, len(s))
		}
		if _, ok := s[0].Matches(tt.term); ok != tt.matches {
			t.Errorf("%s: %q matches: %v, want %v", tt.question, tt.term, ok, tt.matches)
		}
	}
}

func TestSuspectIsLike(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		word, other string
		like        bool
	}{
		{"berht", "berth", true}, {"Berth", "berths", true}, {"quarks", "quake", false}, {"hatchlign", "hatchling", true}, {"lokfiles", "lockfiles", true}, {"mayor", "major", true}, {"berht", "beech", false},
	} {
		if got := (Suspect{Word: tt.word}).IsLike(tt.other); got != tt.like {
			t.Errorf("%s is like %s: %v, want %v", tt.word, tt.other, got, tt.like)
		}
	}
}

func TestWordOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ asked, text, term, want string }{
		{"berht", "A berth is a place.", "berth", "berth"},
		{"hatchlign", "Hatchling builds it.", "hatchl", "hatchling"},
		{"Prometeus", "It is stored by Prometheus.", "prometheus", "Prometheus"},
		{"überisch", "Übersicht der Werkzeuge, die der Text nennt.", "ubersicht", "übersicht"},
		{"sbmo", "The SBOM lists it.", "sbom", "SBOM"},
		{"berht", "Nothing here.", "berth", ""},
	} {
		if got := WordOf(tt.asked, tt.text, tt.term); got != tt.want {
			t.Errorf("the word of %q in %q is %q, want %q", tt.term, tt.text, got, tt.want)
		}
	}
}
