package textproc

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/text/language"
)

// Names of a script without capitals are found by statistics over one text: phrases that are
// repeated, hold together, and occur in different surroundings. Some of them are not names.
const (
	leastRepeats   = 3
	leastCohesion  = 15. // times as often as its parts would meet by chance; less in a short text
	shortCohesion  = 8.  // units of a text for each of these times
	mostNeighbour  = .7  // share of the most frequent character before or after it
	maxPhrase      = 4   // characters, or words of a language that separates them
	runesPerPhrase = 200 // of the text: more of it gives more phrases
	leastPhrases   = 8
	keptPart       = .3 // share of the occurrences of a phrase outside longer ones that it needs
)

// A phraseCounter counts the sequences of the units of a text: characters, or words.
type phraseCounter struct {
	join   string // between units
	total  int    // units
	counts map[string]*phraseCount
}

type phraseCount struct {
	n             int
	before, after map[string]int // units next to it; "" is the end of a run
}

// addRun counts a run of units without a break.
func (c *phraseCounter) addRun(units []string) {
	c.total += len(units)
	unit := func(i int) string {
		if i < 0 || i >= len(units) {
			return ""
		}
		return units[i]
	}
	for i := range units {
		for n := 1; n <= maxPhrase && i+n <= len(units); n++ {
			key := strings.Join(units[i:i+n], c.join)
			p := c.counts[key]
			if p == nil {
				p = &phraseCount{before: map[string]int{}, after: map[string]int{}}
				c.counts[key] = p
			}
			p.n++
			p.before[unit(i-1)]++
			p.after[unit(i+n)]++
		}
	}
}

// isFree reports whether a phrase occurs next to different units.
func (p *phraseCount) isFree() bool {
	for _, side := range []map[string]int{p.before, p.after} {
		for unit, n := range side {
			if unit != "" && float64(n) > mostNeighbour*float64(p.n) {
				return false
			}
		}
	}
	return true
}

// cohesion returns how much more often the parts of a phrase meet than by chance, for the two
// parts that do so least.
func (c *phraseCounter) cohesion(units []string) float64 {
	whole := float64(c.counts[strings.Join(units, c.join)].n) * float64(c.total)
	least := whole
	for i := 1; i < len(units); i++ {
		a, b := c.counts[strings.Join(units[:i], c.join)], c.counts[strings.Join(units[i:], c.join)]
		least = min(least, whole/float64(a.n*b.n))
	}
	return least
}

// A phrase is a sequence of units that is repeated.
type phrase struct {
	text string
	n    int
}

// phrases returns at most some phrases that are repeated, the most frequent first. A single unit is
// a phrase only where units are words.
func (c *phraseCounter) phrases(limit int) []phrase {
	var found []phrase
	least := min(leastCohesion, float64(c.total)/shortCohesion)
	for text, p := range c.counts {
		units := c.split(text)
		if p.n < leastRepeats || c.join == "" && len(units) == 1 || !p.isFree() || len(units) > 1 && c.cohesion(units) < least {
			continue
		}
		found = append(found, phrase{text, p.n})
	}
	// Longer ones first: what mostly occurs inside one is dropped.
	slices.SortFunc(found, func(a, b phrase) int {
		return cmp.Or(cmp.Compare(len(b.text), len(a.text)), cmp.Compare(a.text, b.text))
	})
	inside := map[string]int{}
	var kept []phrase
	for _, p := range found {
		if alone := p.n - inside[p.text]; float64(alone) < keptPart*float64(p.n) {
			continue
		}
		kept = append(kept, p)
		units := c.split(p.text)
		for i := range units {
			for n := i + 1; n <= len(units); n++ {
				if n-i < len(units) {
					inside[strings.Join(units[i:n], c.join)] += p.n
				}
			}
		}
	}
	slices.SortStableFunc(kept, func(a, b phrase) int { return cmp.Compare(b.n, a.n) })
	return kept[:min(limit, len(kept))]
}

func (c *phraseCounter) split(text string) []string { return strings.Split(text, c.join) }

// phrasesOf returns the phrases that are repeated in a text of a language without capitals.
func phrasesOf(l language.Language, text string) map[string]bool {
	c := phraseCounter{join: " ", counts: map[string]*phraseCount{}}
	if l.SeparatesWords() {
		wordRuns(l, text, c.addRun)
	} else {
		c.join = ""
		characterRuns(text, c.addRun)
	}
	out := map[string]bool{}
	for _, p := range c.phrases(max(leastPhrases, utf8.RuneCountInString(text)/runesPerPhrase)) {
		out[p.text] = true
	}
	return out
}

// characterRuns passes the runs of Chinese characters and katakana of a text between marks, hiragana,
// and characters that mostly are function words.
func characterRuns(text string, add func([]string)) {
	var run []string
	for _, r := range text {
		if isIdeographic(r) && (r < 0x3041 || r >= 0x30A0) && // no hiragana
			!strings.ContainsRune(chineseFunctionCharacters(), r) {
			run = append(run, string(r))
			continue
		}
		add(run)
		run = run[:0:0]
	}
	add(run)
}

// chineseFunctionCharacters are characters that mostly are function words, with spaces between them.
var chineseFunctionCharacters = sync.OnceValue(func() string { return listText("chinese_function_characters") })

// minPhraseWord is the least number of characters of a word that is a phrase or part of one.
const minPhraseWord = 3

// wordRuns passes the runs of words of a text between marks, short words and stop words.
func wordRuns(l language.Language, text string, add func([]string)) {
	var run []string
	end := 0
	for i := 0; ; {
		start, stop := scan(text, i)
		if start == len(text) {
			break
		}
		word := text[start:stop]
		first, _ := utf8.DecodeRuneInString(word)
		isWord := isInWord(first) && first >= utf8.RuneSelf && utf8.RuneCountInString(word) >= minPhraseWord && l.Term(strings.ToLower(word)) != ""
		if !isWord || strings.ContainsAny(text[end:start], "\n\t") {
			add(run)
			run = run[:0:0]
		}
		if isWord {
			run = append(run, word)
		}
		i, end = stop, stop
	}
	add(run)
}

// phraseCut returns the end of the next token of a text within a word from start to end: a phrase, or
// what precedes the next one.
func phraseCut(phrases map[string]bool, text string, start, end int) int {
	for i := start; i < end; {
		if n := phraseAt(phrases, text[i:end]); n > 0 {
			if i == start {
				return i + n
			}
			return i
		}
		_, size := utf8.DecodeRuneInString(text[i:end])
		i += size
	}
	return end
}

// phraseAt returns the length in bytes of the longest phrase that a text begins with, 0 for none.
func phraseAt(phrases map[string]bool, text string) int {
	longest, n := 0, 0
	for i := range maxPhrase {
		_, size := utf8.DecodeRuneInString(text[n:])
		if size == 0 {
			break
		}
		if n += size; i > 0 && phrases[text[:n]] {
			longest = n
		}
	}
	return longest
}

// phraseNames returns the phrases of a sentence as ranges of its tokens, the longest at each place.
func (a *Analysis) phraseNames(s Sentence) []Span {
	var out []Span
	for i := 0; i < len(s.Tokens); {
		n := 0
		for k := i + 1; k <= min(i+maxPhrase, len(s.Tokens)); k++ {
			if a.phrases[joinWords(s.Tokens[i:k])] {
				n = k - i
			}
		}
		if n > 0 {
			out = append(out, Span{i, i + n})
		}
		i += max(n, 1)
	}
	return out
}

// joinWords returns the words of tokens with a space between them.
func joinWords(tokens []Token) string {
	words := make([]string, len(tokens))
	for i, t := range tokens {
		words[i] = t.Text
	}
	return strings.Join(words, " ")
}
