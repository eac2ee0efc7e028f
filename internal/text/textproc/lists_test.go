package textproc

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWordLists(t *testing.T) {
	t.Parallel()
	entries, err := listFiles.ReadDir("lists")
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, e := range entries {
		files = append(files, strings.TrimSuffix(e.Name(), ".txt"))
		b, err := listFiles.ReadFile("lists/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		head, words, _ := strings.Cut(string(b), "\n")
		if !strings.HasPrefix(head, "# ") || !strings.HasSuffix(head, ".") {
			t.Errorf("%s does not start with a comment that describes it", e.Name())
		}
		all := strings.Fields(words)
		if len(all) == 0 || !slices.IsSorted(all) || strings.ToLower(words) != words || len(slices.Compact(slices.Clone(all))) != len(all) {
			t.Errorf("%s is empty, not sorted, not in lower case, or has a word twice", e.Name())
		}
	}
	want := []string{"instruction_words", "asking_words", "chinese_question_words", "chinese_function_characters", "german_determiners", "german_nouns"}
	var classes Class
	for _, list := range wordLists {
		want = append(want, list.name)
		if list.class == 0 || classes&list.class != 0 {
			t.Errorf("list %s has no class, or that of another list", list.name)
		}
		classes |= list.class
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, files); diff != "" {
		t.Errorf("lists (-used +existing):\n%s", diff)
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
			t.Errorf("%s has the classes %b, want %b, and not %b", c.word, w.Class, c.in, c.not)
		}
	}
	for word, want := range map[string]bool{"walked": true, "went": true, "walks": true, "is": true, "hundred": false, "house": false} {
		if got := v.word(word).Has(Verb); got != want {
			t.Errorf("%s is a verb: %t, want %t", word, got, want)
		}
	}
}
