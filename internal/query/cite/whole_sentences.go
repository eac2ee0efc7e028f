package cite

import (
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
)

// maxListQuote is the largest number of bytes of a quote that begins with the sentence that
// introduces a list.
const maxListQuote = 1200

// verbatim returns the sentences of a text that hold the words of a statement. It reports false
// for words that are too few for a statement, which may be anywhere, and for words of a heading
// or a question.
func (c *content) verbatim(source string, units []unit) (found, bool) {
	if len(textproc.TermSetOf(c.text)) < minSaying {
		return found{}, false
	}
	at, ok := locateWords(source, c.text)
	if !ok {
		return found{}, false
	}
	first, last := unitsAt(units, at)
	if last == first || last-first > maxQuote {
		return found{}, false
	}
	return c.complete(found{span: textproc.Span{Start: first, End: last}, coverage: 1}, source, units)
}

// cited returns the quote for sentences of a text that a model cited, by number from 1: all of
// them, or the best if they are too far apart. It reports false if there is no such sentence that states something.
func (c *content) cited(numbers []int, source string, units []unit) (found, bool) {
	terms, total := weights(c.terms, [][]unit{units})
	best, at := -1., -1
	for _, n := range numbers {
		if n > len(units) || units[n-1].Fragment {
			continue
		}
		score := weightShare(units[n-1].terms, terms, total)
		if units[n-1].onlyAsks() {
			score -= 1
		}
		if at < 0 || score > best {
			best, at = score, n-1
		}
	}
	if at < 0 {
		return found{}, false
	}
	first, last := slices.Min(numbers)-1, min(len(units), slices.Max(numbers))
	if last-first > maxQuote {
		first, last = at, at+1
	}
	first, last = trimFragments(units, first, last)
	for last < len(units) && last-first < maxQuote && units[last-1].question && !units[last].Fragment {
		last++ // its answer
	}
	coverage, counted := 0., textproc.TermSet{}
	for _, u := range units[first:last] {
		coverage += newWeight(u.terms, terms, counted)
	}
	return c.complete(found{span: textproc.Span{Start: first, End: last}, coverage: share(coverage, total)}, source, units)
}

// trimFragments returns a range of units without the headings at its ends.
func trimFragments(units []unit, first, last int) (from, to int) {
	for first < last && units[first].Fragment {
		first++
	}
	for first < last && units[last-1].Fragment {
		last--
	}
	return first, last
}

// complete extends a quote, given as a range of units, by the sentence that its first one
// depends on, and returns it as a range of bytes. It reports false if the quote states nothing.
func (c *content) complete(f found, source string, units []unit) (found, bool) {
	first, last := trimFragments(units, f.span.Start, f.span.End)
	if !slices.ContainsFunc(units[first:last], func(u unit) bool { return !u.Fragment && !u.onlyAsks() }) {
		return found{}, false
	}
	for last-first < maxQuote && first > 0 && units[first].depends && !units[first-1].Fragment {
		first--
	}
	if intro := introduction(units, first); intro < first && units[last-1].End-units[intro].Start <= maxListQuote {
		first = intro
	}
	f.span = textproc.Span{Start: units[first].Start, End: units[last-1].End}
	f.exact = sameWords(text.OneLine(c.text), text.OneLine(source[f.span.Start:f.span.End]))
	return f, true
}

// introduction returns the place of the sentence that introduces the list of an item, or the
// place of the item. It ends in a colon, or else comes before items that are not sentences.
func introduction(units []unit, at int) int {
	if !units[at].Item {
		return at
	}
	for i := at - 1; i >= 0; i-- {
		if units[i].introduces {
			return i
		}
		if !units[i].Item {
			if units[at].Phrase && !units[i].Fragment && !units[i].question {
				return i
			}
			return at
		}
	}
	return at
}

// sameWords reports whether one of two texts holds the other, whatever marks they end in.
func sameWords(a, b string) bool {
	const marks = " .,;:!?…"
	a, b = strings.TrimRight(a, marks), strings.TrimRight(b, marks)
	return a != "" && b != "" && (strings.Contains(a, b) || strings.Contains(b, a))
}
