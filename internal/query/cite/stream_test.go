package cite

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/report"
	"github.com/neorag/neorag/internal/text/sanitize"
)

var offeredReports = map[report.Local]string{{Kind: graph.KindReport, N: 1}: "a", {Kind: graph.KindReport, N: 2}: "b", {Kind: graph.KindReport, N: 7}: "c"}

// TestStream writes answers in pieces of every size: the stream delivers the
// checked text.
func TestStream(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"One [Data: Reports (7, 2)]. Two [Data: Reports (2)], and [a link](x) too. Three [Data: Reports (99)].": "One [1][2]. Two [2], and a link too. Three.",
		"Nothing at all":                  "Nothing at all",
		" \n\nOpen [Data: Reports (1\n\n": "Open [Data: Reports (1",
		"Bare [3] and [Data: Reports (1)]\n\n- item [Data: Reports (7)]\n    code  \nend": "Bare and [1]\n\n- item [2]\n    code  \nend",
		"Stop![Data: Reports (1)] 1 < 2 [sic] [Data: Reports (1)]: so":                    "Stop! [1] 1 < 2 [sic] [1]: so",
		"![logo](http://evil.example/a b.png) seen":                                       "logo seen",
		"[click\nhere](http://evil.example) now":                                          "[click\nhere] (http://evil.example) now",
		"<img src=x onerror=alert(1)>hello <b\nonclick=x>":                                "hello < b\nonclick=x>",
		"\x1b[31mred\x1b[0m \x1b]0;a title\x07and":                                        "red and",
		"[r]: http://evil.example\n[1]: http://evil.example":                              "[r] : http://evil.example\n[1] : http://evil.example",
		"One 【Data: Reports （7， 2）】. Two [Report 2] and [7]. Three [Quelle 1], 【a note】.": "One [1][2]. Two [2] and [1]. Three, 【a note】.",
	} {
		for size := 1; size <= len(text); size++ {
			var got strings.Builder
			s := NewStream(offeredReports, func(d string) { got.WriteString(d) })
			for at := 0; at < len(text); at += size {
				s.Write(text[at:min(at+size, len(text))])
			}
			s.Close()
			if diff := cmp.Diff(want, got.String()); diff != "" {
				t.Fatalf("%q in pieces of %d (-want +got):\n%s", text, size, diff)
			}
		}
	}
}

// activeText matches an image, a link, a link definition, a tag, a comment, and what a
// terminal acts on.
var activeText = regexp.MustCompile(`!\[|\]\(|(?m:^[\s>*+\-\d.)]*\[[^\[\]]*\]:)|<[A-Za-z/!?]|\[\s*(?i:data)\s*:\s*(?i:reports)\s*\(1\)\]`)

func checkHarmless(t *rapid.T, text, delivered string) {
	if activeText.MatchString(delivered) || strings.ContainsFunc(delivered, func(r rune) bool { return r != '\n' && r != '\t' && sanitize.IsControl(r) }) {
		t.Fatalf("of %q is delivered %q", text, delivered)
	}
}

// TestStreamIsTheAnswer writes dangerous texts in random pieces: at the end the stream has
// delivered the checked answer, byte for byte, and nothing active at any time before.
func TestStreamIsTheAnswer(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{
		"![", "[", "]", "](", "(", ")", "<", ">", "<b", "/", "a", " ", "  ", "!", "http://x y", "\x1b", "[3m", "]0;", "\x07", "[1]", "[r]", ":", "\u202e", "\u009b", "\u200f", "é",
		" [Data: Reports (1)]", "[Data: Reports (1, 99)]", "[Data: Reports (99)]", "[Da", "ta: Reports (2)]", "\n", "\n\n", "\t", ". ", "Marley was dead", "<!--", "-->", "\uE000", "\uE001", "\xff", "<a href=x>", "![i](u)",
		"【", "】", " 【Report 2】", "［Claims：3］", "[Reports 1-2]", "[Report 1 says]",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 20).Draw(t, "pieces"), "")
		want, _, _, _ := CheckAnswer(text, offeredReports)
		checkHarmless(t, text, want)
		var got strings.Builder
		s := NewStream(offeredReports, func(d string) {
			got.WriteString(d)
			checkHarmless(t, text, got.String())
		})
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "size")
			s.Write(rest[:n])
			rest = rest[n:]
		}
		s.Close()
		if diff := cmp.Diff(want, got.String()); diff != "" {
			t.Fatalf("%q (-answer +stream):\n%s", text, diff)
		}
	})
}

// TestUncheckedTextIsChecked: what Stream does not check is what checking leaves.
func TestUncheckedTextIsChecked(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := strings.TrimSpace(rapid.String().Draw(t, "text"))
		if strings.ContainsFunc(text, mayBeActive) {
			return
		}
		if checked, removed := report.CheckReferences(sanitize.Text(text), offeredReports, &report.Numbers{}); checked != text || removed != 0 {
			t.Fatalf("%q is checked as %q", text, checked)
		}
	})
}
