package score

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/neorag/neorag/internal/eval/claimset"
	"github.com/neorag/neorag/internal/text/textproc"
)

var citation = regexp.MustCompile(`(?: ?\[\d+\])+`)

// readAnswer returns the first line of an answer in Markdown, and all of it, without citations.
func readAnswer(answer string) (first, all string) {
	var b strings.Builder
	for line := range strings.Lines(citation.ReplaceAllString(answer, "")) {
		line = strings.ReplaceAll(strings.TrimPrefix(strings.TrimSpace(line), "- "), "**", "")
		if line == "" {
			continue
		}
		if first == "" {
			first = line
		}
		b.WriteString(line + "\n")
	}
	return first, b.String()
}

// leastWords is the share of the words of a known answer that an answer must have.
const leastWords = .8

// holds reports whether a text has four fifths of the different words of a known answer. Words are
// index terms, so that their endings do not count, or words as written if all are stop words.
func holds(text, known string) bool {
	want := textproc.TermSetOf(known)
	own := textproc.TermSetOf(text)
	if len(want) == 0 {
		want, own = textproc.TermSet{}, textproc.TermSet{}
		want.Add(claimset.Words(known)...)
		own.Add(claimset.Words(text)...)
	}
	return len(want) > 0 && float64(want.Shared(own)) >= leastWords*float64(len(want))
}

// article matches the words that normalized answers leave out.
var article = regexp.MustCompile(`\b(?:a|an|the)\b`)

// normalize returns an answer as the evaluation script of SQuAD 1.1 compares it: in lower case, without
// punctuation and English articles, with single spaces.
func normalize(answer string) string {
	answer = strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsPunct(r) || unicode.IsSymbol(r)) {
			return -1
		}
		return r
	}, strings.ToLower(answer))
	return strings.Join(strings.Fields(article.ReplaceAllString(answer, " ")), " ")
}

// tokenF1 returns the F1 of the words of two normalized answers, each as often as it occurs.
func tokenF1(given, known string) float64 {
	a, b := strings.Fields(normalize(given)), strings.Fields(normalize(known))
	left := map[string]int{}
	for _, w := range b {
		left[w]++
	}
	shared := 0
	for _, w := range a {
		if left[w] > 0 {
			left[w]--
			shared++
		}
	}
	if shared == 0 {
		return one(len(a) == 0 && len(b) == 0)
	}
	return 2 * float64(shared) / float64(len(a)+len(b))
}
