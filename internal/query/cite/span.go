package cite

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
)

const (
	// maxQuote is the largest number of sentences of a quote, except for a list.
	maxQuote = 3
	// quoteFloor is the smallest share of a statement's content that a quote has to hold.
	quoteFloor = .3
	// longerFloor is what the floor rises by with each sentence after the first.
	longerFloor = .05
	// spokenFloor is the floor of a quote that contains a question asked in the text: it is
	// evidence only of a statement about that question.
	spokenFloor = .5
	// hintedFloor is the floor of a quote that holds half of the words by which what is cited
	// was described.
	hintedFloor = .1
	// sureCoverage is the share of a statement's content from which no better quote is searched
	// for further down.
	sureCoverage = .85

	// miscounted is the share of a statement's content, of at least minMiscounted terms, that
	// sentences have to hold to be quoted in place of those that a model cited.
	miscounted    = .6
	minMiscounted = 5

	hintWeight   = .25 // of the words of what is cited, relative to the words of the statement
	sentenceCost = .06 // that another sentence of a quote has to add
	idleCost     = .06 // that it has to add besides if it has no rare term for itself
	absentWeight = .5  // of terms that no sentence has, relative to rare ones
)

// A unit is a sentence of a text, or a message of a chat.
type unit struct {
	textproc.Unit

	terms      []string // distinct, sorted
	question   bool
	spoken     bool // a question asked in the text
	introduces bool // a list, or speech
	depends    bool // begins with a word for something in the sentence before it
}

// dependent matches the beginning of a sentence that means little without the one before it.
var dependent = regexp.MustCompile(`^["'“‘(*_\s-]*(?i:he|she|it|they|his|her|hers|its|their|theirs|him|them|this|that|these|those|such|both|neither|er|sie|es|ihr|ihre|sein|seine|diese|dieser|dieses|il|elle|ils|elles|ce|cette|ces|este|esta|estos|estas|ello|ella|ellos|ellas)\b`)

// onlyAsks reports whether a unit is a question that nobody in the text asks, which states
// nothing.
func (u unit) onlyAsks() bool { return u.question && !u.spoken }

// unitsOf returns the sentences of a text, or the messages of a chat, in order.
func unitsOf(source string) []unit {
	all := textproc.Units(source)
	out := make([]unit, len(all))
	for i, u := range all {
		own := source[u.Start:u.End]
		question := isQuestion(own)
		out[i] = unit{
			Unit: u, terms: sortedTerms(textproc.TermSetOf(own)), question: question,
			spoken:     question && spoken(source, u.Span),
			introduces: strings.HasSuffix(strings.TrimSpace(own), ":"), depends: dependent.MatchString(own),
		}
	}
	return out
}

// Sentences returns the sentences of a text as they are numbered, from 1, for a model that
// cites them.
func Sentences(source string) []string {
	units := textproc.Units(source)
	out := make([]string, len(units))
	for i, u := range units {
		out[i] = text.OneLine(source[u.Start:u.End])
	}
	return out
}

// A content is what a quote has to hold: the terms of a statement, and as hints the terms of
// what the statement cites on the way to the quote.
type content struct {
	text  string
	terms textproc.TermSet
	hints textproc.TermSet
}

func contentOf(statement, about string) content {
	c := content{text: statement, terms: textproc.TermSetOf(statement), hints: textproc.TermSet{}}
	if len(c.terms) < minSaying {
		c.terms.Add(textproc.Terms(about)...)
	}
	return c
}

// hint adds the words of what is cited.
func (c *content) hint(s string) {
	for t := range textproc.TermSetOf(s) {
		if _, ok := c.terms[t]; !ok {
			c.hints[t] = struct{}{}
		}
	}
}

// covered returns the share of the statement's terms that a text has.
func (c *content) covered(s string) float64 {
	if len(c.terms) == 0 {
		return 0
	}
	return float64(textproc.TermSetOf(s).Shared(c.terms)) / float64(len(c.terms))
}

// shared returns the statement's terms that a text has, without those that say nothing.
func (c *content) shared(s string) textproc.TermSet {
	out := textproc.TermSet{}
	for _, t := range textproc.Terms(s) {
		if _, ok := c.terms[t]; ok && !slices.Contains(empty, t) {
			out[t] = struct{}{}
		}
	}
	return out
}

// maxParts is the number of parts of a report that a statement is followed through if it does
// not name them.
const maxParts = 2

// parts returns the parts of a report that are cited by number, or else those that hold most
// of the content.
func (c *content) parts(all []ReportPart, cited []int) []ReportPart {
	all = slices.DeleteFunc(all, func(p ReportPart) bool { return p.N == 0 })
	var out []ReportPart
	for _, n := range cited {
		if n <= len(all) {
			out = append(out, all[n-1])
		}
	}
	if len(out) > 0 {
		return out
	}
	covered := make([]float64, len(all))
	best := 0.
	for i, p := range all {
		covered[i] = c.covered(p.Text)
		best = max(best, covered[i])
	}
	for i, p := range all {
		if best > 0 && covered[i] >= .8*best && len(out) < maxParts {
			out = append(out, p)
		}
	}
	return out
}

// nearestSentence returns the sentence of a text that holds most of the content, "" for none.
func (c *content) nearestSentence(source string) string {
	best, nearest := 0., ""
	for _, at := range textproc.Sentences(source) {
		if covered := c.covered(source[at.Start:at.End]); covered > best {
			best, nearest = covered, source[at.Start:at.End]
		}
	}
	return nearest
}

// A found is a quote among several texts.
type found struct {
	text     int // its place among the texts
	span     textproc.Span
	score    float64 // by which quotes are compared
	coverage float64 // share of the statement's content, from 0 to 1
	exact    bool    // it holds the words of the statement, or the statement all its words
}

// find returns the one to three sentences of some texts that hold most of the content. It
// reports false if none holds enough of it. What a question holds is not enough, unless
// it is asked in the text and nothing else holds enough.
func (c *content) find(texts []string, units [][]unit) (found, bool) {
	w := weighing{rare: rareWeight(units)}
	w.terms, w.total = weights(c.terms, units)
	w.hints, w.hinted = weights(c.hints, units)
	best, ok := c.best(units, w, false)
	if !ok {
		best, ok = c.best(units, w, true)
	}
	if !ok {
		return found{}, false
	}
	return c.complete(best, texts[best.text], units[best.text])
}

// best returns the best quote as a range of units, with spoken questions as evidence or not.
func (c *content) best(units [][]unit, w weighing, withSpoken bool) (found, bool) {
	best := found{score: -1}
	for t, of := range units {
		for first := range of {
			for _, f := range c.quotesFrom(of, first, w, withSpoken) {
				if f.score > best.score {
					best = f
					best.text = t
				}
			}
		}
	}
	return best, best.score >= 0
}

// A weighing is the weights of a statement's terms and of its hints, and their sums.
type weighing struct {
	terms, hints  map[string]float64
	total, hinted float64
	rare          float64 // the weight from which a term is rare
}

// quotesFrom returns the quotes that begin with a sentence and hold enough of the content.
func (c *content) quotesFrom(of []unit, first int, w weighing, withSpoken bool) []found {
	var out []found
	seen, stated, floor := 0., 0., quoteFloor
	counted, statedTerms := textproc.TermSet{}, textproc.TermSet{}
	for last := first; last < min(len(of), first+maxQuote) && !of[last].Fragment; last++ {
		u := of[last]
		asks := u.onlyAsks() || u.question && !withSpoken
		if asks && last > first {
			continue // only one before its answer counts
		}
		seen += newWeight(u.terms, w.terms, counted)
		if asks {
			continue
		}
		if u.question {
			floor = spokenFloor
		}
		stated += newWeight(u.terms, w.terms, statedTerms)
		coverage, hint := share(seen, w.total), share(hintsOf(of[first:last+1], w), w.hinted)
		evidence := share(stated, w.total) - longerFloor*float64(last-first)
		enough := evidence >= floor || evidence >= hintedFloor && hint >= .5 && floor == quoteFloor
		if enough && shares(statedTerms, c.terms) {
			score := coverage + hintWeight*hint - lengthCost(of[first:last+1], w.terms, w.rare)
			out = append(out, found{span: textproc.Span{Start: first, End: last + 1}, score: score, coverage: coverage})
		}
	}
	return out
}

// hintsOf returns the weight of the hints in the sentences of a quote that say something of the statement
// which no other one says: no sentence is quoted for hints alone.
func hintsOf(quote []unit, w weighing) float64 {
	sum, counted := 0., textproc.TermSet{}
	for i, u := range quote {
		if len(quote) == 1 || hasOwn(quote, i, w.terms, 0) {
			sum += newWeight(u.terms, w.hints, counted)
		}
	}
	return sum
}

// hasOwn reports whether a sentence has a term of at least some weight that no other one of a quote has.
func hasOwn(quote []unit, at int, terms map[string]float64, least float64) bool {
	return slices.ContainsFunc(quote[at].terms, func(t string) bool {
		weight, ok := terms[t]
		return ok && weight >= least && !slices.ContainsFunc(quote, func(o unit) bool {
			_, has := slices.BinarySearch(o.terms, t)
			return has && o.Span != quote[at].Span
		})
	})
}

// rareWeight returns the weight of a term that one of sixteen sentences has, or only one of all.
func rareWeight(units [][]unit) float64 {
	n := 0
	for _, of := range units {
		n += len(of)
	}
	return inverseFrequency(n, max(1, n/16))
}

// inverseFrequency weighs a term that df of n sentences have.
func inverseFrequency(n, df int) float64 {
	return math.Log(1 + (float64(n-df)+.5)/(float64(df)+.5))
}

// lengthCost returns what a quote has to hold more than a single sentence, given the weights of
// terms, and the weight from which they are rare.
func lengthCost(quote []unit, terms map[string]float64, rare float64) float64 {
	if len(quote) == 1 {
		return 0
	}
	idle := 0
	for i := range quote {
		if !hasOwn(quote, i, terms, rare) {
			idle++
		}
	}
	return sentenceCost*float64(len(quote)-1) + idleCost*float64(min(idle, len(quote)-1))
}

// shares reports whether a quote has two terms of a statement, or all of a shorter one.
func shares(quote, statement textproc.TermSet) bool {
	return quote.Shared(statement) >= min(2, len(statement))
}

// weights weighs terms by their rarity among sentences, and returns the sum of the weights.
func weights(terms textproc.TermSet, units [][]unit) (map[string]float64, float64) {
	n := 0
	df := make(map[string]int, len(terms))
	for _, of := range units {
		for _, u := range of {
			n++
			for _, t := range u.terms {
				if _, ok := terms[t]; ok {
					df[t]++
				}
			}
		}
	}
	out := make(map[string]float64, len(terms))
	total := 0.
	for _, t := range sortedTerms(terms) {
		w := inverseFrequency(n, df[t])
		if df[t] == 0 {
			w *= absentWeight
		}
		out[t] = w
		total += w
	}
	return out, total
}

// newWeight returns the weight of the terms of a sentence that were not counted yet, and
// counts them.
func newWeight(sentence []string, weights map[string]float64, counted textproc.TermSet) float64 {
	sum := 0.
	for _, t := range sentence {
		w, ok := weights[t]
		if _, again := counted[t]; !ok || again {
			continue
		}
		counted[t] = struct{}{}
		sum += w
	}
	return sum
}

// weightShare returns the share of a total weight that some terms have.
func weightShare(terms []string, weights map[string]float64, total float64) float64 {
	return share(newWeight(terms, weights, textproc.TermSet{}), total)
}

// sortedTerms returns terms in order, so that sums do not depend on the order of a map.
func sortedTerms(set textproc.TermSet) []string { return slices.Sorted(maps.Keys(set)) }

func share(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}
