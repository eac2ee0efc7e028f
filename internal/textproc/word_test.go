package textproc

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestScan(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Scrooge's hat.":                "Scrooge 's hat .",
		"don't, it’s Bob’s":             "don't , it ’s Bob ’s",
		"well-known AT&T":               "well-known AT&T",
		"1,234.5% of 2026-01-05, 7:30.": "1,234.5% of 2026-01-05 , 7:30 .",
		"U.S. and e.g. this":            "U.S. and e.g. this",
		"Mr. B. Smith, Jr., came":       "Mr. B. Smith , Jr. , came",
		"the end of B. ":                "the end of B .",
		"_italics_ here":                "italics here",
		"25th of May":                   "25 th of May",
		"naïve café e\u0301t":           "naïve café e\u0301t",
		"a--b":                          "a - - b",
		"rock 'n' roll":                 "rock ' n ' roll",
	} {
		var got []string
		for start, end := scan(text, 0); start < len(text); start, end = scan(text, end) {
			got = append(got, text[start:end])
		}
		if joined := strings.Join(got, " "); joined != want {
			t.Errorf("words of %q are %q, want %q", text, joined, want)
		}
	}
}

func TestSingular(t *testing.T) {
	t.Parallel()
	for w, want := range map[string]string{
		"ghosts": "ghost", "churches": "church", "wishes": "wish", "glasses": "glass", "boxes": "box", "cities": "city",
		"bus": "bus", "glass": "glass", "crisis": "crisis", "ties": "tie", "gas": "gas", "s": "s", "": "",
	} {
		if got := Singular(w); got != want {
			t.Errorf("Singular(%q) = %q, want %q", w, got, want)
		}
	}
}

func TestWordLists(t *testing.T) {
	t.Parallel()
	if len(listNames) > 64 {
		t.Fatalf("%d lists do not fit into a Class", len(listNames))
	}
	entries, err := listFiles.ReadDir("lists")
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), ".txt")
		files = append(files, name)
		b, err := listFiles.ReadFile("lists/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		head, words, _ := strings.Cut(string(b), "\n")
		if !strings.HasPrefix(head, "# ") || !strings.HasSuffix(head, ".") {
			t.Errorf("%s does not begin with a comment that says what it is", e.Name())
		}
		all := strings.Fields(words)
		if len(all) == 0 || !slices.IsSorted(all) || strings.ToLower(words) != words || len(slices.Compact(slices.Clone(all))) != len(all) {
			t.Errorf("%s is empty, not sorted, not lower case or names a word twice", e.Name())
		}
	}
	want := slices.Sorted(slices.Values(listNames[:]))
	if diff := cmp.Diff(want, files); diff != "" {
		t.Errorf("lists that are read and lists that exist (-want +got):\n%s", diff)
	}
}

func TestClasses(t *testing.T) {
	t.Parallel()
	v := vocabulary{}
	for _, c := range []struct {
		word string
		in   Class
		not  Class
	}{
		{"The", Determiner, Pronoun},
		{"Poland", KnownPlace, Demonym},
		{"Polish", Demonym, KnownPlace},
		{"Indonesian", Demonym, KnownPlace},
		{"Germans", Demonym, GivenName},
		{"Jan.", Calendar, Determiner},
		{"Scrooge", 0, ^Class(0)},
		{"Brian", GivenName, Demonym},
	} {
		w := v.word(c.word)
		if w.Class&c.in != c.in || w.Class&c.not&^c.in != 0 {
			t.Errorf("%s has classes %b, want %b and none of %b", c.word, w.Class, c.in, c.not)
		}
	}
	for word, want := range map[string]bool{"walked": true, "went": true, "walks": true, "is": true, "hundred": false, "house": false} {
		if got := v.word(word).Has(Verb); got != want {
			t.Errorf("%s may be a verb: %v, want %v", word, got, want)
		}
	}
}
