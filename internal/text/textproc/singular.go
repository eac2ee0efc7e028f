package textproc

import (
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/text"
)

// irregular are English plurals that no ending shows, and singulars that end in -s. Words that are
// more often verbs, such as leaves, are not among them.
var irregular = map[string]string{
	"men": "man", "women": "woman", "children": "child", "feet": "foot", "teeth": "tooth", "geese": "goose", "mice": "mouse", "oxen": "ox",
	"wolves": "wolf", "knives": "knife", "wives": "wife", "thieves": "thief", "loaves": "loaf", "elves": "elf", "scarves": "scarf",
	"criteria": "criterion", "phenomena": "phenomenon", "bacteria": "bacterium",
	"analyses": "analysis", "crises": "crisis", "theses": "thesis", "hypotheses": "hypothesis", "diagnoses": "diagnosis", "metastases": "metastasis",
	"buses": "bus", "gases": "gas", "lenses": "lens", "viruses": "virus", "statuses": "status",
	"movies": "movie", "cookies": "cookie", "calories": "calorie", "zombies": "zombie",
	"series": "series", "species": "species", "news": "news", "lens": "lens", "diabetes": "diabetes", "herpes": "herpes", "rabies": "rabies",
	"mars": "mars", "james": "james", "charles": "charles", "thomas": "thomas", "christmas": "christmas",
}

// Singular returns the most likely singular of an English noun in lower case; any other word
// stays as it is.
func Singular(w string) string {
	if s := Singulars(w); len(s) > 0 {
		return s[0]
	}
	return w
}

// Singulars returns the words of which a word in lower case may be the English plural, the most likely
// first.
func Singulars(w string) []string {
	if s := irregular[w]; s != "" {
		return slices.DeleteFunc([]string{s}, func(s string) bool { return s == w })
	}
	one, isPlural := strings.CutSuffix(w, "s")
	if !isPlural || len(w) < 4 || text.HasAnySuffix(w, "ss", "us", "is", "ics") {
		return nil
	}
	stem, inES := strings.CutSuffix(one, "e")
	switch {
	case !inES:
		return []string{one}
	case strings.HasSuffix(stem, "i") && len(w) > 4:
		return []string{stem[:len(stem)-1] + "y", one}
	case text.HasAnySuffix(stem, "ch", "sh", "ss", "x"):
		return []string{stem, one}
	case strings.HasSuffix(stem, "s"):
		return []string{one, stem, stem + "is"}
	}
	return []string{one, stem}
}
