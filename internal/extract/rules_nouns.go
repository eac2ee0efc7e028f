package extract

import (
	"math"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/textproc"
)

// A noun is a common noun phrase at tokens a to b of a sentence. owner is where
// the name before its possessive ends, or -1.
type noun struct{ a, b, owner int }

// readNouns finds the common nouns of English running text.
func (d *paper) readNouns() {
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
		for _, m := range d.spans[i] {
			for k := m.a; k < m.b; k++ {
				taken[k] = true
			}
		}
		d.nouns[i] = nounsOf(s.Tokens, taken)
	}
}

// function words end a noun phrase, unless they are also adverbs.
const function = textproc.Determiner | textproc.Pronoun | textproc.Preposition | textproc.Conjunction | textproc.Auxiliary

func stops(w *textproc.Word) bool { return w.Is(function) && !w.Is(textproc.Adverb) }

// nounsOf finds what follows a determiner, possessive or preposition: up to four
// words in lower case up to a function word, a verb or a mark.
func nounsOf(toks []textproc.Token, taken []bool) []noun {
	var out []noun
	for i := range len(toks) - 1 {
		d := toks[i]
		owned := textproc.Owns(toks, i)
		if d.Lower == "that" || !owned && (taken[i] || !d.Is(textproc.Determiner|textproc.Preposition)) {
			continue
		}
		end := i + 1
		for end < len(toks) && end-i <= 4 && !taken[end] && inNoun(toks[end].Word, end == i+1) {
			end++
		}
		b := trimNoun(toks, i, end)
		if b == i+1 || b == end && end < len(toks) && taken[end] || refused(toks[b-1].Word, d.Is(textproc.Preposition)) {
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

func inNoun(w *textproc.Word, first bool) bool {
	return w.Has(textproc.AllSmall) && w.Runes > 2 && !stops(w) && (first || !w.Has(textproc.Verb) || w.Base.After > 0)
}

// trimNoun is the end of the phrase after token i without the adverbs,
// adjectives and participles at its end.
func trimNoun(toks []textproc.Token, i, b int) int {
	for ; b > i+1; b-- {
		w := toks[b-1]
		s := w.Lower
		switch {
		case w.Is(textproc.Adverb | textproc.PastVerb):
		case endsIn(s, "ly", "ous", "ful", "ible", "ive"):
		case endsIn(s, "ed", "ing") && w.Base.After < 2 && !w.Is(textproc.GroupNoun|textproc.EventNoun):
		case b < len(toks) && b-i > 3 && toks[b].Has(textproc.AllSmall) && !toks[b].Is(textproc.StopClass):
		default:
			return b
		}
	}
	return b
}

func endsIn(s string, ends ...string) bool {
	for _, e := range ends {
		if strings.HasSuffix(s, e) {
			return true
		}
	}
	return false
}

// refused reports whether a head is too general, a verb, or no noun.
func refused(h *textproc.Word, behindPreposition bool) bool {
	b := h.Base
	switch {
	case h.Is(textproc.NeverHead), (h.Class|h.OneClass)&textproc.Generic != 0, b.Acts > b.After,
		h.Is(textproc.BaseVerb) && (behindPreposition || b.After < 2*b.Acts+1),
		h.OneClass&textproc.BaseVerb != 0 && h.Singular != h.Lower && b.After < 2,
		behindPreposition && b.After < 1:
		return true
	}
	return false
}

// gather makes the rows: per sentence the entities it mentions, in order. It
// counts votes for the types of names as it goes.
func (d *paper) gather() {
	heads, twice := d.countNouns()
	d.rows = make([][]mention, len(d.Sentences))
	d.nounsIn = make([]map[int]int, len(d.pages))
	for i, s := range d.Sentences {
		var row []mention
		if len(d.spans[i]) < crowd {
			for _, m := range d.spans[i] {
				if s.Fragment && d.running[m.e] == 0 || strings.Count(d.names[m.e], " ") >= maxWords {
					continue
				}
				m.e = d.alias[m.e]
				row = append(row, m)
				d.vote(m, s.Tokens)
			}
		}
		for _, n := range d.nouns[i] {
			e := d.nounEntity(s.Tokens, n, row, heads, twice)
			if e < 0 {
				continue
			}
			row = append(row, mention{n.a, n.b, e})
			if c := d.chunkOf[i]; c >= 0 {
				if d.nounsIn[c] == nil {
					d.nounsIn[c] = map[int]int{}
				}
				d.nounsIn[c][e]++
			}
		}
		slices.SortStableFunc(row, func(x, y mention) int {
			if x.a != y.a {
				return x.a - y.a
			}
			return x.b - y.b
		})
		d.rows[i] = row
	}
}

// countNouns counts heads and pairs of words over the document.
func (d *paper) countNouns() (heads, pairs map[string]int) {
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

// nounEntity is the entity of a noun: with its owner where a person, place, event
// or organization has one, the pair of words where it occurs twice, else the head.
func (d *paper) nounEntity(toks []textproc.Token, n noun, row []mention, heads, twice map[string]int) int {
	h := toks[n.b-1]
	name := h.Singular
	if n.b-n.a > 1 {
		if pair := toks[n.a].Lower + " " + h.Lower; twice[pair] > 1 {
			name = pair
		}
	}
	if n.owner >= 0 && (h.Class|h.OneClass)&textproc.NounClasses != 0 {
		for _, m := range row {
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
		d.target = append(d.target, false)
	}
	return e
}

// cue is what the class of a noun's head adds to its worth.
func cue(name string) float64 {
	switch c := textproc.ClassOf(textproc.Singular(name[strings.LastIndexByte(name, ' ')+1:])); {
	case c&textproc.PersonNoun != 0:
		return 1
	case c&(textproc.PlaceNoun|textproc.EventNoun|textproc.GroupNoun) != 0:
		return .8
	}
	return 0
}

// keepConcepts chooses the common nouns of each chunk.
func (d *paper) keepConcepts(most int) {
	if most == 0 {
		most = conceptsProse
		if d.namesAreMany() {
			most = conceptsNames
		}
	}
	d.kept = make([]map[int]bool, len(d.pages))
	total := make([]int, len(d.names))
	for _, in := range d.nounsIn {
		for e, n := range in {
			total[e] += n
		}
	}
	for c, in := range d.nounsIn {
		d.kept[c] = map[int]bool{}
		room := max(2, int(math.Round(float64(most)*min(1, float64(d.letters[c])/capLetters))))
		if most < 0 {
			room = 0
		}
		for _, e := range d.bestNouns(in, total, room) {
			d.kept[c][e] = true
		}
	}
}

func (d *paper) bestNouns(in map[int]int, total []int, room int) []int {
	score := make(map[int]float64, len(in))
	var best []int
	for e, n := range in {
		q := cue(d.names[e])
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
		if score[x] != score[y] {
			if score[x] > score[y] {
				return -1
			}
			return 1
		}
		return strings.Compare(d.names[x], d.names[y])
	})
	return best[:min(room, len(best))]
}

// manyNames is the share of words in names, in hundredths, above which a text is
// about names more than about things.
const manyNames = 6

func (d *paper) namesAreMany() bool {
	names, words := 0, 0
	for i, s := range d.Sentences {
		if s.Fragment || s.Speaker != "" {
			continue
		}
		words += len(s.Tokens)
		for _, m := range d.spans[i] {
			names += m.b - m.a
		}
	}
	return 100*names > manyNames*words
}
