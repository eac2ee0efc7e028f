package textproc

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// namesOf returns the names of a text in order.
func namesOf(text string) []string {
	r := Analyze(text)
	var out []string
	for _, s := range r.Sentences {
		for _, at := range r.Names(s) {
			out = append(out, r.Join(s.Tokens[at.Start:at.End]))
		}
	}
	return out
}

func TestNames(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"inside a sentence":               {"We saw Bob Cratchit in Camden Town today.", []string{"Bob Cratchit", "Camden Town"}},
		"sentence opener":                 {"Whenever we came, the door was shut by hand.", nil},
		"opener that is a name elsewhere": {"Scrooge came. We saw Scrooge again.", []string{"Scrooge", "Scrooge"}},
		"opener with a verb":              {"Caroline said nothing to them all day.", []string{"Caroline"}},
		"abstract opener":                 {"Consistency is the key to all of it.", nil},
		"everyday opener":                 {"Water is what the plants need now.", nil},
		"adverb":                          {"Suddenly the light went out in there.", nil},
		"pronoun":                         {"Then He and I went to see Them there.", nil},
		"month and day":                   {"We met on Monday, and in March we left.", nil},
		"nationality":                     {"The German and the Indonesian came with us.", nil},
		"region as an adjective":          {"The North African and the Latin American ports were shut in the South Atlantic.", []string{"South Atlantic"}},
		"small first letter":              {"We bought the iPhone on eBay in the evening.", []string{"iPhone", "eBay"}},
		"possessive":                      {"They feared Marley's Ghost in the house.", []string{"Marley's Ghost"}},
		"of":                              {"We live in the City of London these days.", []string{"City of London"}},
		"names joined by and":             {"They met Bob and Peter in the street.", []string{"Bob", "Peter"}},
		"initials":                        {"He read J. B. Lippincott at home all day.", []string{"J. B. Lippincott"}},
		"number":                          {"She likes to play Witcher 3 at night.", []string{"Witcher 3"}},
		"table":                           {"He looked at Table 3 and at Figure IV again.", nil},
		"quoted title":                    {"We played \"Life is Strange\" again yesterday.", []string{"Life is Strange"}},
		"title with a colon":              {"We played \"Black Myth: Wukong\" again yesterday.", []string{"Black Myth: Wukong"}},
		"code":                            {"He bought the P250 and the M4 for it.", nil},
		"common noun in a name":           {"Every house is old. The Mansion House is the oldest house.", []string{"Mansion House"}},
		"adjective":                       {"We moved to New York and to Great Britain.", []string{"New York", "Great Britain"}},
		"camel case":                      {"We watch YouTube in the evening here.", []string{"YouTube"}},
		"compound":                        {"It is a Tokyo-based company, we think.", []string{"Tokyo"}},
		"hyphenated at a line end":        {"The Czechoslo-vak men saw the Czechoslovak flag on Prague.", []string{"Czechoslovak", "Czechoslovak", "Prague"}},
		"generic noun alone":              {"They went to the Center by the Street there.", nil},
		"interjection":                    {"He cried Hurrah and then Humbug again.", nil},
		"titles of people":                {"We asked Dr. Brown and Mrs. Dilber about it.", []string{"Dr. Brown", "Mrs. Dilber"}},
		"curly apostrophe":                {"It wasn’t Bob’s hat, it was Ann’s.", []string{"Bob", "Ann"}},
		"camel case of a speaker":         {"LiHua: We go to the gym today.\nAnn: Fine, LiHua, see you there.", []string{"Li Hua"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, namesOf(c.text)); diff != "" {
				t.Errorf("names of %q (-want +got):\n%s", c.text, diff)
			}
		})
	}
}
