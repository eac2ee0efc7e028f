package extract

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
)

// A noun is a common noun phrase at tokens a to b-1 of a sentence. owner is the end
// of the name in the possessive before it, or -1.
type noun struct{ a, b, owner int }

// readNouns finds the common nouns of English running text.
func (d *docReader) readNouns() {
	d.nouns = make([][]noun, len(d.Sentences))
	if !d.English {
		return
	}
	var taken []bool
	for i, s := range d.Sentences {
		if s.Fragment {
			continue
		}
		taken = append(taken[:0], make([]bool, len(s.Tokens))...)
		if d.Technical {
			taken = d.AppendCode(s.Tokens, taken[:0])
		}
		for _, m := range d.nameMentions[i] {
			for k := m.a; k < m.b; k++ {
				taken[k] = true
			}
		}
		d.nouns[i] = nounsOf(s.Tokens, taken)
	}
}

// functionClasses are the classes of words that end a noun phrase, unless the word
// is also an adverb.
const functionClasses = textproc.Determiner | textproc.Pronoun | textproc.Preposition | textproc.Conjunction | textproc.Auxiliary

// nounsOf finds the noun phrases that follow a determiner, possessive or
// preposition: up to four lower case words, ended by a function word, a verb or
// punctuation.
func nounsOf(toks []textproc.Token, taken []bool) []noun {
	var out []noun
	for i := range len(toks) - 1 {
		d := toks[i]
		owned := textproc.IsPossessive(toks, i)
		if d.Lower == "that" || !owned && (taken[i] || !d.Is(textproc.Determiner|textproc.Preposition)) {
			continue
		}
		end := i + 1
		for end < len(toks) && end-i <= 4 && !taken[end] && continuesNoun(toks[end].Word, end == i+1) {
			end++
		}
		b := trimNoun(toks, i, end)
		if b == i+1 || b == end && end < len(toks) && taken[end] || isRejectedHead(toks[b-1].Word, d.Is(textproc.Preposition)) {
			continue
		}
		a := max(i+1, b-2)
		if toks[a].Is(textproc.Adverb | textproc.PastVerb) {
			a = b - 1
		}
		n := noun{a, b, -1}
		if owned {
			n.owner = i
		}
		out = append(out, n)
	}
	return out
}

// continuesNoun reports whether a word can be part of a noun phrase.
func continuesNoun(w *textproc.Word, first bool) bool {
	return w.Has(textproc.AllLower) && w.Runes > 2 && (!w.Is(functionClasses) || w.Is(textproc.Adverb)) && (first || !w.Has(textproc.Verb) || w.Base.AfterDeterminer > 0)
}

// trimNoun returns the end of the phrase after token i, without trailing adverbs,
// adjectives and participles.
func trimNoun(toks []textproc.Token, i, b int) int {
	for ; b > i+1; b-- {
		w := toks[b-1]
		s := w.Lower
		switch {
		case w.Is(textproc.Adverb | textproc.PastVerb):
		case text.HasAnySuffix(s, "ly", "ous", "ful", "ible", "ive"):
		case text.HasAnySuffix(s, "ed", "ing") && w.Base.AfterDeterminer < 2 && !w.Is(textproc.OrganizationNoun|textproc.EventNoun):
		case b < len(toks) && b-i > 3 && toks[b].Has(textproc.AllLower) && !toks[b].Is(textproc.FunctionWord):
		default:
			return b
		}
	}
	return b
}

// isRejectedHead reports whether the head of a phrase is too general, a verb, or
// not a noun.
func isRejectedHead(h *textproc.Word, behindPreposition bool) bool {
	b := h.Base
	switch {
	case h.Is(textproc.NeverHead), (h.Class|h.SingularClass)&textproc.GenericNoun != 0, b.AfterVerbCue > b.AfterDeterminer,
		h.Is(textproc.BaseVerb) && (behindPreposition || b.AfterDeterminer < 2*b.AfterVerbCue+1),
		h.SingularClass&textproc.BaseVerb != 0 && h.Singular != h.Lower && b.AfterDeterminer < 2,
		behindPreposition && b.AfterDeterminer < 1:
		return true
	}
	return false
}

// collectMentions fills d.mentions: per sentence the entities it mentions, in
// order. It also collects the votes for the types of names.
func (d *docReader) collectMentions() {
	heads, pairs := d.countNouns()
	topics := d.topics(heads, pairs)
	d.mentions = make([][]mention, len(d.Sentences))
	d.nounCounts = make([]map[int]int, len(d.findings))
	for i, s := range d.Sentences {
		var found []mention
		if len(d.nameMentions[i]) < maxNamesPerSentence {
			for _, m := range d.nameMentions[i] {
				if s.Fragment && d.runningCount[m.e] == 0 && !d.isListed(m.e) || strings.Count(d.names[m.e], " ") >= maxNameWords {
					continue
				}
				m.e = d.alias[m.e]
				found = append(found, m)
				d.vote(m, s.Tokens)
			}
		}
		for _, n := range d.nouns[i] {
			e := d.nounEntity(s.Tokens, n, found, heads, pairs)
			if e < 0 || d.Technical && !topics[d.names[e]] {
				continue
			}
			found = append(found, mention{n.a, n.b, e})
			if c := d.chunkOf[i]; c >= 0 {
				if d.nounCounts[c] == nil {
					d.nounCounts[c] = map[int]int{}
				}
				d.nounCounts[c][e]++
			}
		}
		slices.SortStableFunc(found, inOrder)
		d.mentions[i] = found
	}
}

// countNouns counts the heads of noun phrases, and the pairs of their first and
// last words, over the document.
func (d *docReader) countNouns() (heads, pairs map[string]int) {
	heads, pairs = map[string]int{}, map[string]int{}
	for i, s := range d.Sentences {
		for _, n := range d.nouns[i] {
			heads[s.Tokens[n.b-1].Singular]++
			if n.b-n.a > 1 {
				pairs[s.Tokens[n.a].Lower+" "+s.Tokens[n.b-1].Lower]++
			}
		}
	}
	return heads, pairs
}

// How often a technical text has a common noun, or a pair of words, that is a term.
const (
	minRepeatedNoun = 3
	minRepeatedPair = 3
)

// vagueClasses are the classes of nouns that do not make a term alone: any technical text has them.
const vagueClasses = textproc.TechnicalWord | textproc.VagueNoun | textproc.GenericNoun | textproc.EverydayNoun | textproc.NumberedPart

// topics returns the common nouns that a technical text is about, which are its terms: they are in its
// headings and repeated, or are pairs of words that it repeats. All others, such as file and value,
// are what any such text has.
func (d *docReader) topics(heads, pairs map[string]int) map[string]bool {
	if !d.Technical {
		return nil
	}
	out := map[string]bool{}
	isVague := func(w string) bool {
		return (textproc.ClassOf(w)|textproc.ClassOf(textproc.Singular(w)))&vagueClasses != 0
	}
	for pair, n := range pairs {
		first, head, _ := strings.Cut(pair, " ")
		if n >= minRepeatedPair && !isVague(head) && !isDescriptive(first) {
			out[pair] = true
		}
	}
	for _, s := range d.Sentences {
		if !d.IsHeading(s) {
			continue
		}
		for i, t := range s.Tokens {
			if heads[t.Singular] >= minRepeatedNoun && !isVague(t.Lower) {
				out[t.Singular] = true
			}
			if i > 0 && !isDescriptive(s.Tokens[i-1].Lower) {
				out[s.Tokens[i-1].Lower+" "+t.Lower] = true
			}
		}
	}
	return out
}

// isDescriptive reports whether a word before a noun does not make a term of it: a following line, a
// custom file.
func isDescriptive(w string) bool {
	return textproc.ClassOf(w)&(textproc.FunctionWord|textproc.NumberWord|textproc.SentenceOpener) != 0 ||
		text.HasAnySuffix(w, "ed", "ing", "able", "ible", "ive", "ous", "ful", "less") || slices.Contains(descriptive, w)
}

// descriptive are adjectives that say which thing is meant, not what kind of thing.
var descriptive = []string{
	"actual", "latest", "intermediate", "straight", "next", "last", "additional", "alternate", "appropriate", "basic", "certain", "common", "complete", "correct", "current", "custom", "default", "different",
	"entire", "exact", "explicit", "final", "full", "further", "general", "initial", "internal", "large", "local", "main", "maximum", "minimum", "new",
	"normal", "old", "optional", "original", "own", "particular", "previous", "proper", "recent", "remote", "shallow", "short", "similar", "simple", "single", "small",
	"special", "specific", "standard", "suitable", "third", "typical", "usual", "valid", "whole", "wrong",
}

// isListed reports whether a name is in a list of people.
func (d *docReader) isListed(e int) bool { return e < len(d.listed) && d.listed[e] }

// nounEntity returns the entity of a noun, or -1. Its name includes the owner if
// the noun is a person, place, event or organization; else it is the pair of words
// if that occurs at least twice, else the head.
func (d *docReader) nounEntity(toks []textproc.Token, n noun, found []mention, heads, pairs map[string]int) int {
	h := toks[n.b-1]
	name := h.Singular
	if n.b-n.a > 1 {
		if pair := toks[n.a].Lower + " " + h.Lower; pairs[pair] > 1 {
			name = pair
		}
	}
	if n.owner >= 0 && (h.Class|h.SingularClass)&textproc.TypedNoun != 0 {
		for _, m := range found {
			if m.b == n.owner {
				name = d.names[m.e] + "'s " + h.Lower
				break
			}
		}
	}
	if len(name) > maxName || heads[h.Singular] == 0 {
		return -1
	}
	e := d.id(name)
	for len(d.alias) <= e {
		d.alias = append(d.alias, len(d.alias))
		d.isAliasTarget = append(d.isAliasTarget, false)
	}
	return e
}

// classBonus returns what the class of a noun's head adds to its score.
func classBonus(name string) float64 {
	switch c := textproc.ClassOf(textproc.Singular(name[strings.LastIndexByte(name, ' ')+1:])); {
	case c&textproc.PersonNoun != 0:
		return 1
	case c&(textproc.PlaceNoun|textproc.EventNoun|textproc.OrganizationNoun) != 0:
		return .8
	}
	return 0
}

// chooseConcepts chooses the common nouns to keep in each chunk.
func (d *docReader) chooseConcepts(most int) {
	if most == 0 {
		most = conceptsProse
		if d.hasManyNames() {
			most = conceptsNames
		}
	}
	d.keptConcepts = make([]map[int]bool, len(d.findings))
	total := make([]int, len(d.names))
	for _, in := range d.nounCounts {
		for e, n := range in {
			total[e] += n
		}
	}
	for c, in := range d.nounCounts {
		d.keptConcepts[c] = map[int]bool{}
		room := max(2, int(math.Round(float64(most)*min(1, float64(d.letters[c])/capLetters))))
		if most < 0 {
			room = 0
		}
		for _, e := range d.bestNouns(in, total, room) {
			d.keptConcepts[c][e] = true
		}
	}
}

// bestNouns returns the room best nouns of a chunk. in counts them in the chunk,
// total in the document.
func (d *docReader) bestNouns(in map[int]int, total []int, room int) []int {
	score := make(map[int]float64, len(in))
	var best []int
	for e, n := range in {
		q := classBonus(d.names[e])
		if total[e] < 2 && q == 0 {
			continue
		}
		v := math.Pow(float64(n), .7) * (1 + .5*math.Log(float64(total[e]))) * (1 + q)
		if strings.Contains(d.names[e], " ") {
			v *= 1.3
		}
		score[e] = v
		best = append(best, e)
	}
	slices.SortFunc(best, func(x, y int) int {
		return cmp.Or(cmp.Compare(score[y], score[x]), strings.Compare(d.names[x], d.names[y]))
	})
	return best[:min(room, len(best))]
}

// manyNames is the share of words in names, in percent, above which a text has
// many names.
const manyNames = 6

func (d *docReader) hasManyNames() bool {
	names, words := 0, 0
	for i, s := range d.Sentences {
		if s.Fragment || s.Speaker != "" {
			continue
		}
		words += len(s.Tokens)
		for _, m := range d.nameMentions[i] {
			names += m.b - m.a
		}
	}
	return 100*names > manyNames*words
}
