package textproc

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// stated returns the sentences of a text that state something.
func stated(text string) []string {
	a := Analyze(text)
	var out []string
	for _, s := range a.Sentences {
		if !s.Fragment {
			out = append(out, a.Phrase(s.Span))
		}
	}
	return out
}

func TestNotProseStatesNothing(t *testing.T) {
	t.Parallel()
	const prose = "The miller Jonas Brandt rebuilt the bridge after the flood."
	for name, c := range map[string]struct{ text, after string }{
		"table of contents": {"How the miller of Arnsdorf rebuilt the bridge after the flood .......... 12\nWhy nobody in Arnsdorf thanked him for the bridge . . . . . . 31\n", ""},
		"contents without dots": {
			"Contents\n\nHow the old miller of Arnsdorf rebuilt the bridge after the flood 12\n\nWhy nobody in the town ever thanked him for the bridge 31\n",
			"He was born here in the year of the great fire, and he learned from his father how a mill is built and kept. Later he told it.",
		},
		"references": {
			"References\n\nBrandt, J. Mills and bridges were my life. Arnsdorf: Weir Press, 1931.\n\nOld mills of the valley are found and described. Arnsdorf, 1908.\n",
			"He was born here in the year of the great fire, and he learned from his father how a mill is built and kept. Later he told it.",
		},
		"references without a heading": {"Brandt, J., 1931, Mills are built by hand. Weir Press, Arnsdorf. Holm, K., 1908, Bridges fell in the flood. Arnsdorf, pp. 3-17.\n", ""},
		"notes":                        {"[12] Ibid., pp. 33-35. See also Brandt, Bridges, vol. 2, p. 4.\n", ""},
		"footers of pages": {
			strings.Repeat("Mills and Bridges of the Valley 17\nHe came to Arnsdorf.\n", 3),
			"",
		},
		"head of a comment": {"12. Jonas says: July 16, 2012 at 5:12 pm\n", ""},
		"link list":         {"See also\n\nThe bridge that was rebuilt after the flood in the valley of the old mills\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := []string{prose}
			if c.after != "" {
				want = append(want, strings.SplitAfter(c.after, ". ")...)
				for i := range want {
					want[i] = strings.TrimSpace(want[i])
				}
			}
			got := slices.DeleteFunc(stated(prose+"\n\n"+c.text+"\n"+c.after), func(s string) bool { return s == "He came to Arnsdorf." })
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("sentences that state something (-want +got):\n%s", diff)
			}
		})
	}
}

func TestProseStatesSomething(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"On July 16, 2012, at 5:12 pm, Jonas Brandt said that the bridge was done.",
		"The valley had three floods (Holm, 1931, pp. 3-17), and each of them took the bridge with it.",
		"In his last years he wrote three books that we have all read, Old Mills (1901), High Water (1908) and The Bridge (1931).",
		"In June 1931, after the flood, the town paid him for it... or so he said.",
		"He met Holm, J. Brandt and the others in vol. 2 of the story that the town told.",
		"Jonas said: the bridge is done, and it took us until 5:12 this morning.",
	} {
		if diff := cmp.Diff([]string{text}, stated(text)); diff != "" {
			t.Errorf("sentences that state something (-want +got):\n%s", diff)
		}
	}
}

// TestSentenceAfterTheHeadOfAComment checks that a comment is a sentence without its head.
func TestSentenceAfterTheHeadOfAComment(t *testing.T) {
	t.Parallel()
	for _, head := range []string{
		"7. Jonas says: July 16, 2012 at 5:12 pm", "[2012-07-16 at 17:12] Jonas says:", "Karl wrote on 16 July 2012 17:12",
		"Log in to Reply Like 2 Submit Reply Karl Holm 5 Sep 2012 at 8:43 am PST", "Jonas says: [July 16, 2012 at 5:12 pm](https://example.org/#7)",
	} {
		if diff := cmp.Diff([]string{"The bridge was done in a week."}, stated("A page of the town.\n\n" + head + " The bridge was done in a week.")[1:]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", head, diff)
		}
	}
}

func TestPagesDoNotEndSentences(t *testing.T) {
	t.Parallel()
	text := "It is told in vol. 2 of the story, on pp. 33-35, and in fig. 7 of it. Then it ends."
	var got []string
	for _, s := range Sentences(text) {
		got = append(got, text[s.Start:s.End])
	}
	if diff := cmp.Diff(strings.SplitAfter(text, "it. "), []string{got[0] + " ", got[1]}); diff != "" {
		t.Errorf("sentences (-want +got):\n%s", diff)
	}
}

func TestBlocksOfAnyText(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{"Contents\n", "References\n", "\n", "\n\n", " ", "A title ..... 12", "Brandt, J., 1931, ", "[12] Ibid., pp. 3", "Bob says: July 16, 2012 at 5:12 pm", "He went on for a long way. ", "Mills of the Valley 3\n", "\xff", "é"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(piece).Draw(t, "pieces"), "")
		end := 0
		for _, b := range blocksOf(text, false) {
			if b.Start < end || b.End <= b.Start || b.End > len(text) {
				t.Fatalf("block %v of %q after one that ends at %d", b.Span, text, end)
			}
			end = b.End
		}
		checkSpans(t, text, Sentences(text))
	})
}

func TestBlocksOfCode(t *testing.T) {
	t.Parallel()
	const before, after = "The miller rebuilt the bridge.\n\n", "\n\nThe town paid him for it."
	for name, code := range map[string]string{
		"Markdown":         "```python\n# The bridge was built\n\n- it was built\n```",
		"Org":              "#+BEGIN_SRC sh\n# The bridge was built\nIt was built.\n#+END_SRC",
		"AsciiDoc":         "----\n# The bridge was built\nIt was built.\n----",
		"after a rule":     "----\n\n----\n# The bridge was built\nIt was built.\n----",
		"directive":        ".. code-block:: python\n   :linenos:\n\n   # The bridge was built\n\n   It was built.",
		"indented literal": "It is done so::\n\n   The bridge was built.\n     It was built.",
	} {
		text := before + code + after
		if diff := cmp.Diff([]string{"The miller rebuilt the bridge.", "The town paid him for it."}, stated(text)); diff != "" {
			t.Errorf("%s: sentences that state something (-want +got):\n%s", name, diff)
		}
	}
	for name, text := range map[string]string{
		"rules of Markdown": "It was built.\n\n----\n\nIt was paid.\n\n----\n\nIt is old.",
		"a heading":         "It was built.\n----\nIt was paid.\n\nHe left it\n----\nIt is old.",
		"a definition":      "It was built::\n   It was paid for by him.",
	} {
		for _, u := range Units(text) {
			if u.Code {
				t.Errorf("%s: %q is code", name, text[u.Start:u.End])
			}
		}
	}
}
