package textproc

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// namesOf is the names of a text, a bar after each sentence that has one.
func namesOf(text string) []string {
	r := Read(text)
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
		"inside a sentence":    {"We saw Bob Cratchit in Camden Town today.", []string{"Bob Cratchit", "Camden Town"}},
		"sentence opener":      {"Whenever we came, the door was shut by hand.", nil},
		"opener known inside":  {"Scrooge came. We saw Scrooge again.", []string{"Scrooge", "Scrooge"}},
		"opener with a verb":   {"Caroline said nothing to them all day.", []string{"Caroline"}},
		"abstract opener":      {"Consistency is the key to all of it.", nil},
		"everyday opener":      {"Water is what the plants need now.", nil},
		"adverb":               {"Suddenly the light went out in there.", nil},
		"pronoun":              {"Then He and I went to see Them there.", nil},
		"month and day":        {"We met on Monday, and in March we left.", nil},
		"nationality":          {"The German and the Indonesian came with us.", nil},
		"possessive":           {"They feared Marley's Ghost in the house.", []string{"Marley's Ghost"}},
		"of":                   {"We live in the City of London these days.", []string{"City of London"}},
		"not and":              {"They met Bob and Peter in the street.", []string{"Bob", "Peter"}},
		"initials":             {"He read J. B. Lippincott at home all day.", []string{"J. B. Lippincott"}},
		"number":               {"She likes to play Witcher 3 at night.", []string{"Witcher 3"}},
		"table":                {"He looked at Table 3 and at Figure IV again.", nil},
		"quoted title":         {"We played \"Life is Strange\" again yesterday.", []string{"Life is Strange"}},
		"title with a colon":   {"We played \"Black Myth: Wukong\" again yesterday.", []string{"Black Myth: Wukong"}},
		"code":                 {"He bought the P250 and the M4 for it.", nil},
		"house name":           {"Every house is old. The Mansion House is the oldest house.", []string{"Mansion House"}},
		"adjective":            {"We moved to New York and to Great Britain.", []string{"New York", "Great Britain"}},
		"camel case":           {"We watch YouTube in the evening here.", []string{"YouTube"}},
		"compound":             {"It is a Tokyo-based company, we think.", []string{"Tokyo"}},
		"broken by a hyphen":   {"The Czechoslo-vak men saw the Czechoslovak flag on Prague.", []string{"Czechoslovak", "Czechoslovak", "Prague"}},
		"lone generic":         {"They went to the Center by the Street there.", nil},
		"interjection":         {"He cried Hurrah and then Humbug again.", nil},
		"titles of people":     {"We asked Dr. Brown and Mrs. Dilber about it.", []string{"Dr. Brown", "Mrs. Dilber"}},
		"curly apostrophe":     {"It wasn’t Bob’s hat, it was Ann’s.", []string{"Bob", "Ann"}},
		"speakers camel cased": {"LiHua: We go to the gym today.\nAnn: Fine, LiHua, see you there.", []string{"Li Hua"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, namesOf(c.text)); diff != "" {
				t.Errorf("names of %q (-want +got):\n%s", c.text, diff)
			}
		})
	}
}

func TestFragments(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Home News Sport Weather":                     true,
		"LIST OF ILLUSTRATIONS IN COLOUR":             true,
		"12 34 56 | 78 | 90 x":                        true,
		"Short line without a mark":                   true,
		"He went home.":                               false,
		"We all went home with him and then we slept": false,
	} {
		if got := Read(text).Sentences[0].Fragment; got != want {
			t.Errorf("%q is a fragment: %v, want %v", text, got, want)
		}
	}
}

func TestWebPagesKeepTheirOffsets(t *testing.T) {
	t.Parallel()
	text := "[Home](http://x.org/) [News](http://x.org/news) [Sport](http://x.org/sport)\n\n" +
		"We saw [Bob **Cratchit**](http://x.org/bob) in London. ![Image of Paris](http://x.org/p.png) He bought a goose.\n\n" +
		strings.Repeat("It was a long day for all of us and we were tired of it. ", 6)
	r := Read(text)
	first := r.Sentences[0]
	if got, want := r.Phrase(first.Span), "We saw Bob Cratchit in London."; got != want {
		t.Errorf("first sentence is %q, want %q", got, want)
	}
	if got, want := text[first.Start:first.End], "We saw [Bob **Cratchit**](http://x.org/bob) in London."; got != want {
		t.Errorf("its source is %q, want %q", got, want)
	}
	if diff := cmp.Diff([]string{"Bob Cratchit", "London"}, namesOf(text)); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

func TestSpeakers(t *testing.T) {
	t.Parallel()
	r := Read("Time: 20260105_11:00\nLiHua: Hello, Ann.\nAnn Lee: Hi.\nLiHua: Bye.\n")
	if diff := cmp.Diff([]string{"LiHua", "Ann Lee"}, r.Speakers); diff != "" || !r.Chat {
		t.Errorf("a conversation: %v; speakers (-want +got):\n%s", r.Chat, diff)
	}
	if r := Read("Physics: the study of matter.\nIt is old.\nIt is hard to learn.\n"); r.Chat || len(r.Speakers) > 0 {
		t.Errorf("a page with a label is read as a conversation of %v", r.Speakers)
	}
}

func TestPhrase(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"He sat in the armchair at home and he read\n    _The Times_ there.": "He sat in the armchair at home and he read The Times there.",
		"The snake_case name_ is odd.":                                       "The snake_case name is odd.",
	} {
		r := Read(text)
		if got := r.Phrase(r.Sentences[0].Span); got != want {
			t.Errorf("phrase of %q is %q, want %q", text, got, want)
		}
	}
}
