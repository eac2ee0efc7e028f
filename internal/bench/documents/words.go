package main

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

var (
	// hyphenPattern matches a hyphen in a word, with the line break after it.
	hyphenPattern = regexp.MustCompile(`([\p{L}\p{M}\p{N}])(?:[-\x{2010}][ \t]*\n?[ \t]*|\x{00ad}\s*)([\p{L}\p{M}\p{N}])`)
	// notePattern matches the label of a note: "[^2]: " by our reader, "[2]" by pandoc.
	notePattern = regexp.MustCompile(`\[\^?[a-z]?\d{1,4}\]:?`)
	// marks are those that Markdown writes in words.
	marks = strings.NewReplacer("*", "", "_", "", "^", "", "`", "", "~", "")
)

// wordsOf returns the words of a text in their order.
func wordsOf(text string) []string {
	text = norm.NFKC.String(strings.ReplaceAll(text, "\r\n", "\n"))
	text = notePattern.ReplaceAllString(text, " ")
	text = hyphenPattern.ReplaceAllString(marks.Replace(text), "$1$2")
	text = strings.ToLower(text)
	var words []string
	start := -1 // of the word that is not ended
	end := func(at int) {
		if start >= 0 {
			words = append(words, text[start:at])
		}
		start = -1
	}
	for i, r := range text {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			end(i)
			words = append(words, string(r))
		case !unicode.In(r, unicode.Letter, unicode.Mark, unicode.Number):
			end(i)
		case start < 0:
			start = i
		}
	}
	end(len(text))
	return words
}

// shares are how far the words of two texts agree.
type shares struct {
	ours, theirs       int // words
	common             int // words in both
	pairs, commonPairs int // adjacent words of theirs, and those that ours has too
	lostIn, inventedIn map[string]int
}

// found returns the share of their words that ours has, and 1 if they have none.
func (s shares) found() float64 { return ratio(s.common, s.theirs, 1) }

// invented returns the share of our words that theirs does not have.
func (s shares) invented() float64 { return ratio(s.ours-s.common, s.ours, 0) }

// order returns the share of their pairs of adjacent words that ours has, and 1 if they have none.
func (s shares) order() float64 { return ratio(s.commonPairs, s.pairs, 1) }

// add adds the counts of another text.
func (s *shares) add(t shares) {
	s.ours += t.ours
	s.theirs += t.theirs
	s.common += t.common
	s.pairs += t.pairs
	s.commonPairs += t.commonPairs
}

// ratio returns a/b, or none if b is 0.
func ratio(a, b int, none float64) float64 {
	if b == 0 {
		return none
	}
	return float64(a) / float64(b)
}

// share compares the words of two texts. Equal words count as often as both have them.
func share(ours, theirs []string) shares {
	a, b := count(ours), count(theirs)
	lost, invented := less(b, a), less(a, b)
	pairs := count(adjacent(theirs))
	missing := total(less(pairs, count(adjacent(ours))))
	return shares{
		ours: len(ours), theirs: len(theirs), common: len(theirs) - total(lost),
		pairs: total(pairs), commonPairs: total(pairs) - missing,
		lostIn: lost, inventedIn: invented,
	}
}

// adjacent returns the pairs of words that follow each other.
func adjacent(words []string) []string {
	var pairs []string
	for i := 1; i < len(words); i++ {
		pairs = append(pairs, words[i-1]+" "+words[i])
	}
	return pairs
}

// count returns how often each word occurs.
func count(words []string) map[string]int {
	counts := map[string]int{}
	for _, w := range words {
		counts[w]++
	}
	return counts
}

// less returns what a has more of than b.
func less(a, b map[string]int) map[string]int {
	more := map[string]int{}
	for w, n := range a {
		if n > b[w] {
			more[w] = n - b[w]
		}
	}
	return more
}

// total returns the sum of counts.
func total(counts map[string]int) int {
	sum := 0
	for _, n := range counts {
		sum += n
	}
	return sum
}

// mostFrequent returns the n words that occur most, the most frequent first.
func mostFrequent(counts map[string]int, n int) []string {
	words := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	return words[:min(n, len(words))]
}
