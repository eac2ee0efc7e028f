package textproc

import (
	"testing"

	"github.com/neorag/neorag/internal/text/language"
)

func TestDefinitionAsked(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		"What is a berth?":                  "berth",
		"what's a tide table":               "tide table",
		"What does SBOM stand for?":         "SBOM",
		"Define berth.":                     "berth",
		"Who is Ida Berg?":                  "Ida Berg",
		"Was ist die Drittelregel?":         "Drittelregel",
		"Was versteht man unter Dithering?": "Dithering",
		"Wofür steht GIF?":                  "GIF",
		"Qu'est-ce qu'une mulonnée ?":       "mulonnée",
		"¿Qué es una mantada?":              "mantada",
		"Cos'è il bollo d'onda?":            "bollo d'onda",
		"O que é um cardelo?":               "cardelo",
		"Wat is een klokkenmuseum?":         "klokkenmuseum",
		"Vad är en lysgubbe?":               "lysgubbe",
		"Что такое самовар?":                "самовар",
		"什么是夜航票?":                           "夜航票",
		"When did it open?":                 "",
		"How do I install it?":              "",
		"What is the reason that nobody came to the opening of the bridge?": "",
	} {
		if got := FormOf(question, language.Unknown).Thing; got != want {
			t.Errorf("%s: asks to define %q, want %q", question, got, want)
		}
	}
}

func TestDefinitionGrade(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		language        language.Language
		sentence, thing string
		grade           float64
	}{
		{language.English, "A berth is a place at a quay.", "berth", Says},
		{language.English, "Berths (also slots) are places at a quay.", "berth", Says},
		{language.English, "**Berth**: a place at a quay.", "berth", Says},
		{language.English, "The tide table lists the hours.", "tide table", BeginsWith},
		{language.English, "The place is called a berth.", "berth", Introduces},
		{language.English, "The software bill of materials (SBOM) lists parts.", "SBOM", Introduces},
		{language.English, "Send the number of the berth.", "berth", Mentions},
		{language.German, "Die Drittelregel ist eine Regel der Gestaltung.", "Drittelregel", Says},
		{language.German, "Unter Dithering versteht man ein Verfahren.", "Dithering", Says},
		{language.Chinese, "夜航票是指晚上的船票。", "夜航票", Says},
		{"", "A berth is a place.", "berth", Says},
		{language.English, "ALL is a cancer.", "ALL", Says},
		{language.English, "ȺȺȺȺ ALL", "ALL", Mentions}, // lower case is longer
		{language.English, "ȺȺȺȺ are called SBOM", "SBOM", Introduces},
	} {
		if got := DefinitionGrade(tt.language, tt.sentence, tt.thing); got != tt.grade {
			t.Errorf("%q defines %q by %v, want %v", tt.sentence, tt.thing, got, tt.grade)
		}
	}
}

func TestPropertyOf(t *testing.T) {
	t.Parallel()
	for thing, want := range map[string]string{"address of Seaview": "address", "captain of the Sea Otter": "captain", "Direktorin des Museums": "Direktorin", "café of Anna": "café", "berth": ""} {
		if got := propertyOf(thing); got != want {
			t.Errorf("%q is of the property %q, want %q", thing, got, want)
		}
	}
}
