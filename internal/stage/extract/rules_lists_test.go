package extract

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestListsOfPeople(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want map[string]string
	}{
		"roles in brackets": {
			"Present: Lena Fischer (lead), Omar Haddad (backend), Sofia Marques (design), Pete Novak (sales)",
			map[string]string{"Lena Fischer": "person", "Omar Haddad": "person", "Sofia Marques": "person", "Pete Novak": "person"},
		},
		"names of places among them": {
			"We thank Anna Berg, Jordan Zorbel, Paris Quendt and Karl Witt for all of their help.",
			map[string]string{"Anna Berg": "person", "Jordan Zorbel": "person", "Paris Quendt": "person", "Karl Witt": "person"},
		},
		"one after a label": {"The demo was late; customer: Graxa Teixel (Seaview)", map[string]string{"Graxa Teixel": "person"}},
		"addresses": {
			"Haro Zorbel <harm@example.org> Milind Quendt <milind@example.org> Rick Vorda <rick@example.org> wrote all of it.",
			map[string]string{"Haro Zorbel": "person", "Milind Quendt": "person", "Rick Vorda": "person"},
		},
		"lines": {
			"The people of the project:\n\n- Anna Zorbel, who leads it all\n- Haro Quendt, who writes the rest of it\n- Mitar Vorda, who reads it",
			map[string]string{"Anna Zorbel": "person", "Haro Quendt": "person", "Mitar Vorda": "person"},
		},
		"places": {
			"They went to Lisbon, Zorbel, London and Paris in the same year as we did.",
			map[string]string{"Lisbon": "location", "Zorbel": "location", "London": "location", "Paris": "location"},
		},
		"a pair": {"The ships of the fleet lay in Lisbon and Zorbel for the whole of that year.", map[string]string{"Lisbon": "location", "Zorbel": "location"}},
		"no list of people": {
			"They installed Zorbel Quendt, Vorda Tanner and Quist Umbra on it with the others.",
			map[string]string{"Zorbel Quendt": "concept", "Vorda Tanner": "concept", "Quist Umbra": "concept"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := typesOf(extractText(t, c.text))
			maps.DeleteFunc(got, func(name, _ string) bool {
				return name == strings.ToLower(name) || c.want[name] == "" && name == "Seaview"
			})
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("types of %q (-want +got):\n%s", c.text, diff)
			}
		})
	}
}

func TestTypesByAllMentions(t *testing.T) {
	t.Parallel()
	const manual = "Run `a` or `b` in the shell.\n\n"
	for text, want := range map[string]map[string]string{
		"Fix by Zora Quendt. It was written by Harm Vorda for them in the year before.":                   {"Harm Vorda": "person"},
		"She leaves in the fall; her successor is Zora Quendt, as they all know.":                         {"Zora Quendt": "person"},
		"It is said that it cost all of them dearly in the year after that (Zorbel, 1981).":               {"Zorbel": "person"},
		"The same thing is said of the ships and of their crews in the book by the way of Quendt (2009).": {"Quendt": "person"},
		"They fixed a leak in Zorbel cache code and in Zorbel messages of the house.":                     {"Zorbel": "concept"},
		manual + "It writes the log in Zorbel and it reads it from Zorbel too.":                           {"Zorbel": "concept"},
		manual + "The QVX is read. It needs QVX and the QVX, as QVX does it.":                             {"QVX": "concept"},
		manual + "We use the Cassandra Backend, since the backend is good for all of it.":                 {"Cassandra Backend": "concept"},
		manual + "The release is Jessie. They read that Jessie is good for them.":                         {"Jessie": "concept"},
		"They use the General Zorb licence, and the zorb of it is what they read of it.":                  {"General Zorb": "concept"},
	} {
		got := typesOf(extractText(t, text))
		for name, kind := range want {
			if got[name] != kind {
				t.Errorf("%q: type of %s is %q, want %q (all: %v)", text, name, got[name], kind, got)
			}
		}
	}
}

func TestTermsOfManuals(t *testing.T) {
	t.Parallel()
	text := "# Build backends\n\nRun `a` or `b`.\n\n## Wheels\n\n" +
		strings.Repeat("The Zorbit tool puts the file of the wheel in a folder for the build backend, and the following line of the value in the house. ", 4)
	got := map[string]string{}
	for name, kind := range typesOf(extractText(t, text)) {
		if name == strings.ToLower(name) {
			got[name] = kind
		}
	}
	if diff := cmp.Diff(map[string]string{"wheel": "concept", "build backend": "concept"}, got); diff != "" {
		t.Errorf("common nouns (-want +got):\n%s", diff)
	}
}
