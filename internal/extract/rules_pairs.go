package extract

import (
	"cmp"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/textproc"
)

const (
	maxPairs    = 12 // per sentence, and no more than two for each entity
	maxDistance = 30 // tokens between the ends of a pair
	nearNouns   = 6  // the same for two common nouns
	keepAt      = 6  // strength, in halves, from which a pair is kept
	keepTimes   = 3  // or instances
	most        = 20 // strength of a pair, in halves
)

// A pair is two entities that sentences tie to each other. Strengths are in halves.
type pair struct {
	strength, times int
	in              []instance
}

// An instance is what the sentences of one chunk say of a pair.
type instance struct {
	chunk, source, target int
	strength, times       int
	best, from, sentence  int // strongest sentence, and the first and last that state it
	verb                  string
}

// A page is what was found in one chunk.
type page struct {
	entities []int
	seen     map[int]*portrait
	pairs    []*pair
	claims   []claim
}

// A stage is one sentence with its entities, the words behind them included.
type stage struct {
	at    int // sentence
	chunk int
	textproc.Sentence
	row  []mention // written in the sentence
	seen []mention // first mention of each entity, pronouns of speakers and persons included
}

// relate goes through the sentences and notes pairs, portraits and claims.
func (d *paper) relate() {
	last := map[int]int{} // sex to person
	chunk, paragraph := -1, -1
	before := -1 // first name of the sentence before, in the paragraph
	for i, s := range d.Sentences {
		c := d.chunkOf[i]
		if c != chunk || s.Paragraph != paragraph {
			chunk, paragraph, before = c, s.Paragraph, -1
			if s.Speaker == "" {
				clear(last)
			}
		}
		if c < 0 {
			continue
		}
		st := stage{at: i, chunk: c, Sentence: s, row: d.rows[i]}
		d.resolve(&st, last)
		d.portray(&st)
		for _, m := range st.row {
			if d.proper[m.e] && d.kind[m.e] == kinds[person] {
				last[sign(d.sex[m.e])] = m.e
			}
		}
		if s.Fragment {
			continue
		}
		d.pairUp(&st)
		if before >= 0 && s.Speaker == "" {
			d.pairBefore(&st, before)
		}
		if len(st.row) > 0 {
			before = d.firstName(st.row)
		}
		d.claim(&st)
	}
}

func sign(sex int) int {
	if sex < 0 {
		return -1
	}
	return 1
}

func (d *paper) firstName(row []mention) int {
	for _, m := range row {
		if d.proper[m.e] {
			return m.e
		}
	}
	return -1
}

// resolve fills st.seen: I is the speaker; he and she are the last person of
// that sex in the paragraph.
func (d *paper) resolve(st *stage, last map[int]int) {
	full := slices.Clone(st.row)
	if st.Speaker != "" {
		me := d.speaker[st.Speaker]
		d.see(st.chunk, me)
		for i, t := range st.Tokens {
			if t.Is(textproc.SpeakerWord) {
				full = append(full, mention{i, i + 1, me})
				break
			}
		}
		for _, m := range st.row {
			if m.e != me && d.speaks[m.e] {
				d.tie(st, me, m.e, 8, "addresses", st.at)
			}
		}
	} else if len(last) > 0 {
		for i, t := range st.Tokens {
			g := 0
			if is(t.Word, " he his him ") {
				g = 1
			} else if is(t.Word, " she her ") {
				g = -1
			}
			if e, ok := last[g]; ok && !slices.ContainsFunc(full, func(m mention) bool { return m.e == e }) {
				full = append(full, mention{i, i + 1, e})
				break
			}
		}
	}
	slices.SortStableFunc(full, func(x, y mention) int { return cmp.Or(x.a-y.a, x.b-y.b) })
	for _, m := range full {
		if !slices.ContainsFunc(st.seen, func(s mention) bool { return s.e == m.e }) {
			st.seen = append(st.seen, m)
		}
	}
}

// A tie is a pair of one sentence before the best are chosen.
type tie struct {
	strength, distance, e, f int
	verb                     string
}

// pairUp ties the entities of a sentence.
func (d *paper) pairUp(st *stage) {
	var ties []tie
	for i, x := range st.seen {
		for _, y := range st.seen[i+1:] {
			if t, ok := d.tieOf(st, x, y); ok {
				ties = append(ties, t)
			}
		}
	}
	slices.SortStableFunc(ties, func(x, y tie) int {
		return cmp.Or(y.strength-x.strength, x.distance-y.distance,
			strings.Compare(d.names[x.e], d.names[y.e]), strings.Compare(d.names[x.f], d.names[y.f]))
	})
	for _, t := range ties[:min(len(ties), max(3, min(maxPairs, 2*len(st.seen))))] {
		d.tie(st, t.e, t.f, t.strength, t.verb, st.at)
	}
}

// tieOf weighs how a sentence ties x to the later y. Strengths are in halves.
func (d *paper) tieOf(st *stage, x, y mention) (tie, bool) {
	distance := max(0, y.a-x.b)
	named := d.proper[x.e] || d.proper[y.e]
	if distance >= maxDistance || !named && distance > nearNouns {
		return tie{}, false
	}
	gap := st.Tokens[x.b:max(x.b, y.a)]
	t := tie{strength: 2, distance: distance, e: x.e, f: y.e}
	verb, acts := verbIn(gap)
	if acts {
		t.strength += 4
		t.verb = verb
	}
	if distance <= 4 {
		t.strength += 4
	} else if distance <= 10 {
		t.strength += 2
	}
	if d.proper[x.e] && d.proper[y.e] {
		t.strength += 2
	}
	if apposition(gap) || len(gap) == 1 && (gap[0].Has(textproc.PossessiveS) || is(gap[0].Word, " of in and ")) {
		t.strength += 4
	}
	if len(st.seen) > 4 && isList(gap) {
		t.strength -= 6
	}
	return t, t.strength > 0
}

// verbIn is the first verb that the text does not mostly use as a noun, and
// whether any verb or auxiliary is there.
func verbIn(gap []textproc.Token) (verb string, acts bool) {
	for _, t := range gap {
		if t.Has(textproc.VerbEnd) && (t.OneClass&textproc.BaseVerb == 0 || t.Base.After <= t.Base.Acts) {
			return t.Lower, true
		}
		acts = acts || t.Has(textproc.Verb)
	}
	return "", acts
}

func apposition(gap []textproc.Token) bool {
	if len(gap) == 0 || gap[0].Lower != "," {
		return false
	}
	for _, t := range gap[:min(5, len(gap))] {
		if t.Is(textproc.PersonNoun | textproc.GroupNoun | textproc.PlaceNoun) {
			return true
		}
	}
	return false
}

func isList(gap []textproc.Token) bool {
	for _, t := range gap {
		if t.Lower != "," && !t.Is(textproc.Determiner|textproc.Conjunction) {
			return false
		}
	}
	return true
}

// pairBefore ties the first name of the sentence before to the first two of this one.
func (d *paper) pairBefore(st *stage, before int) {
	n := 0
	for _, m := range st.seen {
		if n < 2 && d.proper[m.e] {
			n++
			d.tie(st, before, m.e, 2, "", st.at-1)
		}
	}
}

// tie notes an instance of a pair. from is the first sentence that states it.
func (d *paper) tie(st *stage, e, f, strength int, verb string, from int) {
	if e == f || strength < 6 && strings.Contains(d.names[f], "'s") && strings.Contains(d.names[f], d.names[e]) {
		return
	}
	key := [2]int{min(e, f), max(e, f)}
	p := d.pairs[key]
	if p == nil {
		p = &pair{}
		d.pairs[key] = p
	}
	p.strength, p.times = raise(p.strength, strength, p.times), p.times+1
	if n := len(p.in); n == 0 || p.in[n-1].chunk != st.chunk {
		p.in = append(p.in, instance{chunk: st.chunk, source: e, target: f})
		d.pages[st.chunk].pairs = append(d.pages[st.chunk].pairs, p)
	}
	in := &p.in[len(p.in)-1]
	in.strength, in.times = raise(in.strength, strength, in.times), in.times+1
	if length := st.End - st.Start; in.times == 1 || strength > in.best || strength == in.best && length < d.Sentences[in.sentence].End-d.Sentences[in.sentence].Start {
		in.best, in.from, in.sentence = strength, from, st.at
		if verb != "" {
			in.verb = verb
		}
	}
}

// raise is a strength after one more instance: the greatest, and a half for each further one.
func raise(old, new, times int) int {
	old = max(old, new)
	if times > 0 {
		old++
	}
	return min(old, most)
}
