package textproc_test

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

// stopWords is the list of stop words, for slowTerms.
var stopWords = strings.Fields(`a about after again all am an and any are as at be because been before being but by can could
did do does doing for from had has have having he her hers him his how i if in into is it its just me more most my no nor not
of on or our out she should so some such than that the their them then there these they this those to too up us very was we
were what when where which while who whom why will with would you your`)

func TestTerms(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"stop words and stems", "The dinners that she was cooking", "dinner cook"},
		{"joined names", "LiHua met JaneDoe's iPhone", "li hua met jane doe phone"},
		{"accents", "Café Müller, naïve résumé", "cafe muller naiv resum"},
		{"numbers", "1,000 and 12,345,678 but 1,00 or a,b", "1000 12345678 1 00 b"},
		{"stamps", "20260410_11:00", "20260410 11 00"},
		{"possessives", "Hailey's dogs’ owner’s", "hailey dog owner"},
		{"inner apostrophes", "rock'n'roll o'Clock 'quoted'", "rock'n roll o'clock quot"},
		{"hyphens and marks", "well-known_thing, e.g. [link](x)", "well known thing e g link x"},
		{"width and ligatures", "ｆｕｌｌ ﬁne ½", "full fine 1 2"},
		{"soft hyphen", "exam\u00adple", "exampl"},
		{"Cyrillic", "Привет, Мир", "привет мир"},
		{"Chinese", "北京大学 and 茶", "北京 京大 大学 茶"},
		{"Chinese between letters", "ab京都cd", "ab 京都 cd"},
		{"invalid bytes", "ab\xffcd\xc3", "ab cd"},
		{"Devanagari keeps its vowels", "हिंदी", "हिंदी"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, strings.Join(textproc.Terms(tc.text), " ")); diff != "" {
				t.Errorf("Terms(%q) (-want +got):\n%s", tc.text, diff)
			}
		})
	}
}

func TestTermsOfLongWordsAreCut(t *testing.T) {
	t.Parallel()
	got := textproc.Terms(strings.Repeat("é", 500) + " " + strings.Repeat("ж", 500))
	if len(got) != 2 || len(got[0]) > 64 || len(got[1]) > 64 || !utf8.ValidString(got[1]) {
		t.Errorf("got %d terms %q, want two of at most 64 bytes", len(got), got)
	}
}

var (
	camel            = regexp.MustCompile(`([a-z])([A-Z])`)
	isThousandsComma = regexp.MustCompile(`([0-9]),([0-9]{3})`)
	wordForm         = regexp.MustCompile(`[a-z0-9]+(?:'[a-z0-9]+)?`)
)

// slowTerms returns the terms of ASCII text, with one pass for each rule.
func slowTerms(text string) []string {
	text = camel.ReplaceAllString(text, "$1 $2")
	for last := ""; last != text; { // matches overlap by a digit
		last, text = text, isThousandsComma.ReplaceAllString(text, "$1$2")
	}
	var out []string
	for _, w := range wordForm.FindAllString(strings.ToLower(text), -1) {
		w = strings.TrimSuffix(w, "'s")
		if !slices.Contains(stopWords, w) {
			out = append(out, language.English.Term(w))
		}
	}
	return out
}

func TestTermsFollowTheRules(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{"a", "B", "x", "is", "The", "ing", "ness", "'", "'s", ",", "1", "000", "234", " ", "-", "_", "\n", "running", "JaneDoe"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "pieces"), "")
		if diff := cmp.Diff(slowTerms(text), append([]string(nil), textproc.TermsIn(language.English, text)...)); diff != "" {
			t.Fatalf("TermsIn(English, %q) (-want +got):\n%s", text, diff)
		}
	})
}

func TestTermsOmitStopWords(t *testing.T) {
	t.Parallel()
	if len(stopWords) != 94 {
		t.Fatalf("%d stop words, want 94", len(stopWords))
	}
	for _, form := range []string{strings.Join(stopWords, " "), strings.ToUpper(strings.Join(stopWords, "\n")), strings.Join(stopWords, "'s ")} {
		if got := textproc.Terms(form); len(got) > 0 {
			t.Errorf("stop words give the terms %q", got)
		}
	}
}

func FuzzTerms(f *testing.F) {
	for _, seed := range []string{"", "Li Hua's 1,000 cafés", "東京タワー", "e\u0301te\u0301", "a\xff'b", "İstanbul ǅ ﷺ", "ﾊﾟﾝ", "'s's"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		terms := textproc.Terms(text)
		for _, term := range terms {
			if term == "" || !utf8.ValidString(term) || len(term) > 70 || strings.ContainsAny(term, " \t\n~") {
				t.Errorf("term %q", term)
			}
		}
		if diff := cmp.Diff(terms, textproc.Terms(text+" \n")); diff != "" {
			t.Errorf("white space at the end changes the terms:\n%s", diff)
		}
		if twice := textproc.Terms(strings.Join(terms, " ")); len(twice) > 2*len(terms) {
			t.Errorf("the terms of %d terms are %d", len(terms), len(twice))
		}
	})
}

// The Unicode normalization form makes no difference.
func TestTermsIgnoreTheNormalizationForm(t *testing.T) {
	t.Parallel()
	letters := []rune("aeioucnsyzéèüñçřžåøæłßŠÉÜĐ ’'-1жйёαώ")
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom(letters), 0, 30, -1).Draw(t, "text")
		l := rapid.SampledFrom(language.All()).Draw(t, "language")
		if diff := cmp.Diff(textproc.TermsIn(l, norm.NFC.String(text)), textproc.TermsIn(l, norm.NFD.String(text))); diff != "" {
			t.Fatalf("composed and decomposed %q differ in %s:\n%s", text, l, diff)
		}
	})
}

func TestTermsInManyGoroutines(t *testing.T) {
	t.Parallel()
	var words []string
	for i := range 3000 {
		words = append(words, "running"+strings.Repeat(string(rune('a'+i%26)), i/26%40))
	}
	text := strings.Join(words, " ")
	want := slowTerms(text)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if diff := cmp.Diff(want, textproc.Terms(text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	wait.Wait()
}

func TestTermPairs(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ terms, want string }{
		{"", ""},
		{"a", ""},
		{"b a", "a~b"},
		{"a b c d", "a~b b~c c~d a~c b~d"},
		{"a a b a", "a~b a~b a~b"},
	} {
		if diff := cmp.Diff(tc.want, strings.Join(textproc.TermPairs(strings.Fields(tc.terms)), " ")); diff != "" {
			t.Errorf("Pairs(%s) (-want +got):\n%s", tc.terms, diff)
		}
	}
}
