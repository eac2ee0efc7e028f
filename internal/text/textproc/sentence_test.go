package textproc

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/testkit/testcorpora"
)

func TestSentences(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"plain":                  {"One is here. Two is there! Is three? Yes.", []string{"One is here.", "Two is there!", "Is three?", "Yes."}},
		"empty":                  {" \n\n\t ", nil},
		"only marks":             {"--- *** 123", nil},
		"titles":                 {"Mr. Scrooge met Dr. Brown. They spoke.", []string{"Mr. Scrooge met Dr. Brown.", "They spoke."}},
		"initials":               {"J. B. Lippincott printed it. It sold.", []string{"J. B. Lippincott printed it.", "It sold."}},
		"acronym ends":           {"He lives in the U.S. The law is old.", []string{"He lives in the U.S.", "The law is old."}},
		"acronym in a sentence":  {"The U.S. Army came. It left.", []string{"The U.S. Army came.", "It left."}},
		"no":                     {"Did he? No. He slept.", []string{"Did he?", "No.", "He slept."}},
		"number":                 {"See No. 5 below. Then stop.", []string{"See No. 5 below.", "Then stop."}},
		"sentence after a quote": {"\"How now?\" said Scrooge. \"Go!\" He went.", []string{"\"How now?\" said Scrooge.", "\"Go!\"", "He went."}},
		"single quotes":          {"'It is.' 'It is not,' said he. 'Humbug!'", []string{"'It is.'", "'It is not,' said he.", "'Humbug!'"}},
		"lower case after":       {"It cost 3.5 million. it was late.", []string{"It cost 3.5 million. it was late."}},
		"wrapped line":           {"This line is long enough to be wrapped here\nand goes on in the next. Then ends.", []string{"This line is long enough to be wrapped here\nand goes on in the next.", "Then ends."}},
		"short wrapped lines":    {"- Open the\n  gate of it\n  with a\n  key.\n- Close it\n\nShort lines\nare wrapped by\nan editor.\n> The keeper\n> of it", []string{"Open the\n  gate of it\n  with a\n  key.", "Close it", "Short lines\nare wrapped by\nan editor.", "> The keeper\n> of it"}},
		"lines of a log": {"2024-05-01 10:00:01,123 INFO [main] the request of a took 1 ms\n2024-05-02 10:00:02,123 INFO [main] the request of b took 2 ms\n2024-05-03 ERROR okapi is null, and the long line is\nwrapped here", []string{
			"2024-05-01 10:00:01,123 INFO [main] the request of a took 1 ms", "2024-05-02 10:00:02,123 INFO [main] the request of b took 2 ms", "2024-05-03 ERROR okapi is null, and the long line is\nwrapped here",
		}},
		"lines not wrapped":         {"# A title\nof it\nkey: value\nother: value\n| a cell\n| of it\nThis ends;\nand so on", []string{"# A title", "of it", "key: value", "other: value", "| a cell", "| of it", "This ends;", "and so on"}},
		"short lines":               {"A title\nAnother title", []string{"A title", "Another title"}},
		"paragraphs":                {"This paragraph does not end with any mark at all\n\nAnd this is the next one", []string{"This paragraph does not end with any mark at all", "And this is the next one"}},
		"conversation":              {"Bob: Hi there! You up?\nAnn: Yes.", []string{"Hi there!", "You up?", "Yes."}},
		"ellipsis":                  {"Well… Perhaps. Oh... Never.", []string{"Well…", "Perhaps.", "Oh...", "Never."}},
		"full width":                {"我们走吧。他来了！", []string{"我们走吧。", "他来了！"}},
		"a thing with a letter":     {"We take variant B. Dark mode is on. By J. Smith. See Appendix A. The end.", []string{"We take variant B.", "Dark mode is on.", "By J. Smith.", "See Appendix A.", "The end."}},
		"German ordinals":           {"Er kam am 2. Juli. Das 3. Treffen war im 19. Jahrhundert. Sie wurde 3. Ihr Bruder kam 12. Mai.", []string{"Er kam am 2. Juli.", "Das 3. Treffen war im 19. Jahrhundert.", "Sie wurde 3.", "Ihr Bruder kam 12. Mai."}},
		"German abbreviations":      {"Obst, z. B. Äpfel, d. h. Kernobst, hilft. Vgl. Abb. 3. Die Fa. Müller liefert u. a. Nüsse.", []string{"Obst, z. B. Äpfel, d. h. Kernobst, hilft.", "Vgl. Abb. 3.", "Die Fa. Müller liefert u. a. Nüsse."}},
		"list items":                {"It is given in these cases:\n- patients with a renal failure that is older than a year\n* patients with diabetes of type 2 who are over sixty\n1. the third case is longer than all the others here\n2. four", []string{"It is given in these cases:", "patients with a renal failure that is older than a year", "patients with diabetes of type 2 who are over sixty", "the third case is longer than all the others here", "four"}},
		"two letters after a thing": {"The current version of Windows was installed. Der Fall in Kiel ist alt. A chapter by Anna Berg.", []string{"The current version of Windows was installed.", "Der Fall in Kiel ist alt.", "A chapter by Anna Berg."}},
		"brackets":                  {"Dithering (engl. Dithering) hilft. He came (No. 5 of it. Then) late. It is (a. B. The end. Of all", []string{"Dithering (engl. Dithering) hilft.", "He came (No. 5 of it. Then) late.", "It is (a.", "B. The end.", "Of all"}},
		"German quotes":             {"„Nie!“, rief Jonas. „Es gehört mir.“ Dann ging er. »Das ist groß.« Er sah es. »Komm!«, rief er.", []string{"„Nie!“, rief Jonas.", "„Es gehört mir.“", "Dann ging er.", "»Das ist groß.«", "Er sah es.", "»Komm!«, rief er."}},
		"French quotes":             {"« Oui. » Elle part. « Non ! » Il reste.", []string{"« Oui. »", "Elle part.", "« Non ! »", "Il reste."}},
		"curly quotes":              {"“It is.” He left. “Is it?” “Yes.”", []string{"“It is.”", "He left.", "“Is it?”", "“Yes.”"}},
		"Japanese quotes":           {"「楽しみだ。」と彼は言った。「はい。」「いいえ。」", []string{"「楽しみだ。」と彼は言った。", "「はい。」", "「いいえ。」"}},
		"numbers after abbreviations": {"Es kostet ca. 900 Euro in der Hauptstr. 5. See Eq. (3), Ref. 12 and L'art. 5. Nach Abs. 2 S. 1 gilt er v. 3.5.2020. It has approx. 3 rooms.", []string{
			"Es kostet ca. 900 Euro in der Hauptstr. 5.", "See Eq. (3), Ref. 12 and L'art. 5.", "Nach Abs. 2 S. 1 gilt er v. 3.5.2020.", "It has approx. 3 rooms.",
		}},
		"capitals after abbreviations": {"Dr. med. Berg und Dr. rer. nat. Hall, Kanzler a. D. Kohl und Friedrich d. Gr. kamen, lt. Plan. The Ph.D. student near Mt. Fuji left Yahoo! Inc. today.", []string{
			"Dr. med. Berg und Dr. rer. nat. Hall, Kanzler a. D. Kohl und Friedrich d. Gr. kamen, lt. Plan.", "The Ph.D. student near Mt. Fuji left Yahoo! Inc. today.",
		}},
		"units before an end":   {"It was kept at 25 °C. Anna built it for 5 V. It ran.", []string{"It was kept at 25 °C.", "Anna built it for 5 V.", "It ran."}},
		"a number at the end":   {"Der Anteil stieg um etwa. 5 %.", []string{"Der Anteil stieg um etwa. 5 %."}},
		"dotted names":          {"Okapi v3.0 uses Node.JS, ASP.NET, java.util.List and .NET, see x.org/?B=a. It was old.The next is new.", []string{"Okapi v3.0 uses Node.JS, ASP.NET, java.util.List and .NET, see x.org/?B=a.", "It was old.", "The next is new."}},
		"number of a footnote":  {"It was found there.12 Nobody knew it.", []string{"It was found there.", "12 Nobody knew it."}},
		"inline code":           {"Call `code. With dot` inside. Say `Go. He said `no` here.", []string{"Call `code. With dot` inside.", "Say `Go.", "He said `no` here."}},
		"emphasis and an image": {"**Note.** Lock the cage. *Careful!* The otter ![otter](o.png) swims. Run it. `ls` lists.", []string{"**Note.**", "Lock the cage.", "*Careful!*", "The otter ![otter](o.png) swims.", "Run it.", "`ls` lists."}},
		"emoji":                 {"Great! 🎉 See you.", []string{"Great!", "🎉 See you."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, s := range Sentences(c.text) {
				got = append(got, c.text[s.Start:s.End])
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("sentences of %q (-want +got):\n%s", c.text, diff)
			}
		})
	}
}

// checkSpans fails unless spans ascend, do not overlap, and have a letter and no white
// space around them.
func checkSpans(t interface{ Fatalf(string, ...any) }, text string, spans []Span) {
	end := 0
	for _, s := range spans {
		if s.Start < end || s.End <= s.Start || s.End > len(text) {
			t.Fatalf("span %v, after one that ends at %d, in %d bytes", s, end, len(text))
		}
		end = s.End
		part := text[s.Start:s.End]
		if strings.TrimSpace(part) != part || !strings.ContainsFunc(part, unicode.IsLetter) {
			t.Fatalf("sentence %q has white space around it, or no letter", part)
		}
		if utf8.ValidString(text) && !utf8.ValidString(part) {
			t.Fatalf("sentence %q splits a character", part)
		}
	}
}

func TestSentencesOfAnyText(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{"Bob", " ", ". ", "! ", "\n", "\n\n", "Mr. ", "'s", "\"", "’", "“", "U.S.", "No. 5", "1,234.", "_", "-", "日本。", "\u0301", "\xff", "Ann: ", "é", "](", "etc. "})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(piece).Draw(t, "pieces"), "") + rapid.String().Draw(t, "tail")
		checkSpans(t, text, Sentences(text))
	})
}

func FuzzSentences(f *testing.F) {
	f.Add("Mr. Scrooge said \"Humbug!\" No. 5 is here… U.S. The end.")
	f.Add("Bob: hi\nAnn: ![x](y) [z](w)")
	f.Fuzz(func(t *testing.T, text string) {
		checkSpans(t, text, Sentences(text))
		for _, s := range Analyze(text).Sentences {
			checkSpans(t, text, []Span{s.Span})
		}
	})
}

func TestLongSentenceIsSplit(t *testing.T) {
	t.Parallel()
	for text, most := range map[string]int{
		strings.Repeat("and ", 1000):                         maxTokens + 1,
		"[a](" + strings.Repeat("b/", 5000) + ") is a link.": maxLinked + 1,
	} {
		for _, s := range Analyze(text).Sentences {
			if len(s.Tokens) > most {
				t.Errorf("a sentence has %d tokens, want at most %d", len(s.Tokens), most)
			}
		}
	}
}

func TestAddressesDoNotSplitSentences(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"[[7](https://example.org/papers/2-a/Al-Haytham.html?x=1&y=2#ref-7)]", "[the paper](../../papers/2-a/b.c/d-e/f_g.md#h)", "https://example.org/a/b/c/d/e?f=g&h=i",
	} {
		text := "Rashed (" + strings.Repeat(address+", ", 6) + "and others) claims that he was the first to state it."
		if got := Sentences(text); len(got) != 1 {
			t.Errorf("%d sentences of %q, want 1", len(got), text)
		}
	}
}

// A megabyte takes a second; with a quadratic step it would take minutes.
func TestSentencesOfHostileText(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"a", "and ", "1,", "\"A ", "A.     ", "[a]("} {
		text := strings.Repeat(unit, 1<<20/len(unit))
		checkSpans(t, text, Sentences(text))
		Analyze(text)
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
		"It cost $3.50.":                              false,
		"She earned $5 million.":                      false,
		"He lives in the U.S.":                        false,
		"Er wurde Zweiter.":                           false,
		"Der 2. Weltkrieg endete 1945.":               false,
		"Die Temperatur liegt bei -5 °C.":             false,
		"Neptune is a boat by **Anna Berg**.":         false,
		"The harbour[^1] is old.":                     false,
		"The otter ![otter](o.png) swims in the [Eider](https://x.org/eider \"Guide\").": false,
		"Run `pip install widget` in a *terminal*.":                                      false,
		"**The beaver sleeps at noon.**":                                                 false,
		"**Note.** ":                                                                     true,
		"[about the town](/a) and [news of the day](/b) and [sports of the week](/c)":    true,
	} {
		var fragments []bool
		eachSentence(text, func(s Sentence) { fragments = append(fragments, s.Fragment) })
		if fragments[0] != want {
			t.Errorf("%q is a fragment: %t, want %t", text, !want, want)
		}
	}
}

func BenchmarkSentences(b *testing.B) {
	text, err := os.ReadFile(filepath.Join(testcorpora.Dir(b), "christmas-carol", "docs", "stave-1.txt"))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Sentences(string(text))
	}
}
