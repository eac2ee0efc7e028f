package extract

import (
	"cmp"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/text/textproc"
)

const (
	maxPairs        = 12 // per sentence; at most two per entity if there are more than three
	maxDistance     = 30 // tokens between the ends of a pair
	maxNounDistance = 6  // tokens between two common nouns
	minPairStrength = 6  // in halves: a pair of this strength is kept
	minInstances    = 3  // a weaker pair is kept if it has this many instances
	maxPairStrength = 20 // in halves
)

// An entityPair is two entities that sentences relate to each other. Strengths are in halves.
type entityPair struct {
	strength, times int
	instances       []instance
}

// An instance is what the sentences of one chunk say about a pair.
type instance struct {
	chunk, source, target int
	strength, times       int
	best, from, sentence  int // strength of the strongest statement, and its first and last sentence
	verb                  string
}

// chunkFindings are the entities, pairs and claims of one chunk.
type chunkFindings struct {
	entities     []int
	descriptions map[int]*descriptionCandidates
	pairs        []*entityPair
	claims       []claim
}

// A sentenceContext is one sentence with the entities that it mentions.
type sentenceContext struct {
	index int // sentence
	chunk int
	textproc.Sentence
	mentions []mention // by name or noun
	resolved []mention // first mention of each entity, including pronouns
}

// relate goes through the sentences and collects pairs, descriptions and claims.
func (d *docReader) relate() {
	last := map[int]int{} // last person by sex
	chunk, paragraph := -1, -1
	previous := -1 // first name of the previous sentence of the paragraph
	for i, s := range d.Sentences {
		c := d.chunkOf[i]
		if c != chunk || s.Paragraph != paragraph {
			chunk, paragraph, previous = c, s.Paragraph, -1
			if s.Speaker == "" {
				clear(last)
			}
		}
		if c < 0 {
			continue
		}
		sc := sentenceContext{index: i, chunk: c, Sentence: s, mentions: d.mentions[i]}
		d.resolvePronouns(&sc, last)
		d.scoreDescriptions(&sc)
		for _, m := range sc.mentions {
			if d.isName[m.e] && d.types[m.e] == typeNames[person] {
				last[sign(d.sex[m.e])] = m.e
			}
		}
		if s.Fragment {
			continue
		}
		d.relateMentions(&sc)
		if previous >= 0 && s.Speaker == "" {
			d.relateToPrevious(&sc, previous)
		}
		if len(sc.mentions) > 0 {
			previous = d.firstName(sc.mentions)
		}
		d.addClaim(&sc)
	}
}

func sign(sex int) int {
	if sex < 0 {
		return -1
	}
	return 1
}

// firstName returns the entity of the first name, or -1.
func (d *docReader) firstName(mentions []mention) int {
	for _, m := range mentions {
		if d.isName[m.e] {
			return m.e
		}
	}
	return -1
}

// resolvePronouns fills sc.resolved: "I" is the speaker, "he" and "she" are the
// last person of that sex in the paragraph.
func (d *docReader) resolvePronouns(sc *sentenceContext, last map[int]int) {
	full := slices.Clone(sc.mentions)
	if sc.Speaker != "" {
		me := d.speakerOf[sc.Speaker]
		d.noteEntity(sc.chunk, me)
		for i, t := range sc.Tokens {
			if t.Is(textproc.FirstPerson) {
				full = append(full, mention{i, i + 1, me})
				break
			}
		}
		for _, m := range sc.mentions {
			if m.e != me && d.isSpeaker[m.e] {
				d.addEntityPair(sc, me, m.e, 8, "addresses", sc.index)
			}
		}
	} else if len(last) > 0 {
		for i, t := range sc.Tokens {
			g := 0
			if t.IsOneOf(" he his him ") {
				g = 1
			} else if t.IsOneOf(" she her ") {
				g = -1
			}
			if e, ok := last[g]; ok && !slices.ContainsFunc(full, func(m mention) bool { return m.e == e }) {
				full = append(full, mention{i, i + 1, e})
				break
			}
		}
	}
	slices.SortStableFunc(full, inOrder)
	for _, m := range full {
		if !slices.ContainsFunc(sc.resolved, func(s mention) bool { return s.e == m.e }) {
			sc.resolved = append(sc.resolved, m)
		}
	}
}

// A pairCandidate is a pair in one sentence, before the best ones are chosen.
type pairCandidate struct {
	strength, distance, e, f int
	verb                     string
}

// relateMentions relates the entities of a sentence to each other.
func (d *docReader) relateMentions(sc *sentenceContext) {
	var candidates []pairCandidate
	for i, x := range sc.resolved {
		for _, y := range sc.resolved[i+1:] {
			if t, ok := d.scorePair(sc, x, y); ok {
				candidates = append(candidates, t)
			}
		}
	}
	slices.SortStableFunc(candidates, func(x, y pairCandidate) int {
		return cmp.Or(y.strength-x.strength, x.distance-y.distance,
			strings.Compare(d.names[x.e], d.names[y.e]), strings.Compare(d.names[x.f], d.names[y.f]))
	})
	for _, t := range candidates[:min(len(candidates), max(3, min(maxPairs, 2*len(sc.resolved))))] {
		d.addEntityPair(sc, t.e, t.f, t.strength, t.verb, sc.index)
	}
}

// scorePair returns how strongly a sentence relates x to the later mention y, and
// whether it does.
func (d *docReader) scorePair(sc *sentenceContext, x, y mention) (pairCandidate, bool) {
	distance := max(0, y.a-x.b)
	named := d.isName[x.e] || d.isName[y.e]
	if distance >= maxDistance || !named && distance > maxNounDistance {
		return pairCandidate{}, false
	}
	gap := sc.Tokens[x.b:max(x.b, y.a)]
	t := pairCandidate{strength: 2, distance: distance, e: x.e, f: y.e}
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
	if d.isName[x.e] && d.isName[y.e] {
		t.strength += 2
	}
	if apposition(gap) || len(gap) == 1 && (gap[0].Has(textproc.PossessiveS) || gap[0].IsOneOf(" of in and ")) {
		t.strength += 4
	}
	if len(sc.resolved) > 4 && isList(gap) {
		t.strength -= 6
	}
	return t, t.strength > 0
}

// verbIn returns the first verb that the text does not mostly use as a noun, and
// whether there is any verb or auxiliary.
func verbIn(gap []textproc.Token) (verb string, acts bool) {
	for _, t := range gap {
		if t.Has(textproc.MainVerb) && (t.SingularClass&textproc.BaseVerb == 0 || t.Base.AfterDeterminer <= t.Base.AfterVerbCue) {
			return t.Lower, true
		}
		acts = acts || t.Has(textproc.Verb)
	}
	return "", acts
}

// apposition reports whether the words between two mentions describe the first one:
// a comma, and soon a noun for a person, group or place.
func apposition(gap []textproc.Token) bool {
	return len(gap) > 0 && gap[0].Lower == "," && anyIs(gap[:min(5, len(gap))], textproc.PersonNoun|textproc.OrganizationNoun|textproc.PlaceNoun)
}

// isList reports whether the words between two mentions are words of a list.
func isList(gap []textproc.Token) bool {
	return !slices.ContainsFunc(gap, func(t textproc.Token) bool {
		return t.Lower != "," && !t.Is(textproc.Determiner|textproc.Conjunction)
	})
}

// relateToPrevious relates the first name of the previous sentence to the first two
// names of this one.
func (d *docReader) relateToPrevious(sc *sentenceContext, previous int) {
	n := 0
	for _, m := range sc.resolved {
		if n < 2 && d.isName[m.e] {
			n++
			d.addEntityPair(sc, previous, m.e, 2, "", sc.index-1)
		}
	}
}

// addEntityPair adds an instance of a pair. from is the first sentence that states it; the
// last is the sentence of sc.
func (d *docReader) addEntityPair(sc *sentenceContext, e, f, strength int, verb string, from int) {
	if e == f || strength < 6 && strings.Contains(d.names[f], "'s") && strings.Contains(d.names[f], d.names[e]) {
		return
	}
	key := [2]int{min(e, f), max(e, f)}
	p := d.pairs[key]
	if p == nil {
		p = &entityPair{}
		d.pairs[key] = p
	}
	p.strength, p.times = raiseStrength(p.strength, strength, p.times), p.times+1
	if n := len(p.instances); n == 0 || p.instances[n-1].chunk != sc.chunk {
		p.instances = append(p.instances, instance{chunk: sc.chunk, source: e, target: f})
		d.findings[sc.chunk].pairs = append(d.findings[sc.chunk].pairs, p)
	}
	in := &p.instances[len(p.instances)-1]
	in.strength, in.times = raiseStrength(in.strength, strength, in.times), in.times+1
	if length := sc.End - sc.Start; in.times == 1 || strength > in.best || strength == in.best && length < d.Sentences[in.sentence].End-d.Sentences[in.sentence].Start {
		in.best, in.from, in.sentence = strength, from, sc.index
		if verb != "" {
			in.verb = verb
		}
	}
}

// raiseStrength returns a strength after one more instance: the greater of the two,
// plus a half for each instance after the first.
func raiseStrength(old, new, times int) int {
	old = max(old, new)
	if times > 0 {
		old++
	}
	return min(old, maxPairStrength)
}
