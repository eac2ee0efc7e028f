package extract

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text/textproc"
)

// maxDescription is the maximum number of characters of a description.
const maxDescription = 300

// descriptionCandidates are the two sentences of a chunk that describe an entity best.
type descriptionCandidates struct {
	best [2]candidate
}

// A candidate is a sentence with its score, in fortieths; 0 means no sentence.
type candidate struct{ score, sentence int }

// noteEntity adds an entity to those that a chunk mentions, and returns the
// candidates for its description.
func (d *docReader) noteEntity(chunk, e int) *descriptionCandidates {
	p := &d.findings[chunk]
	if p.descriptions == nil {
		p.descriptions = map[int]*descriptionCandidates{}
	}
	c := p.descriptions[e]
	if c == nil {
		c = &descriptionCandidates{}
		p.descriptions[e] = c
		p.entities = append(p.entities, e)
	}
	return c
}

// baseScore keeps the score of every sentence above zero.
const baseScore = 1000

// scoreDescriptions scores a sentence as a description of each of its entities. The
// score is best if the sentence defines the entity, and better if it begins with it.
func (d *docReader) scoreDescriptions(sc *sentenceContext) {
	describes := !sc.Fragment && isStatement(sc.Sentence)
	for _, m := range sc.resolved {
		p := d.noteEntity(sc.chunk, m.e)
		if !describes || sc.Speaker == "" && !slices.Contains(sc.mentions, m) {
			continue
		}
		s := contextOf(m, sc.Tokens)
		score := baseScore + 12*len(sc.resolved) - max(len(sc.Tokens)-20, 20-len(sc.Tokens))
		switch {
		case s.next.IsOneOf(" is was are were ") && s.next2.Is(textproc.Determiner):
			score += 120
		case s.next.Lower == "," && (s.next2.IsOneOf(" a an the his her ") || s.next2.Is(textproc.PersonNoun)) && s.first.Has(textproc.Capital):
			score += 100
		case m.a < 3:
			score += 40
		}
		p.add(candidate{score, sc.index})
	}
}

func (p *descriptionCandidates) add(v candidate) {
	if v.score > p.best[0].score {
		p.best[0], p.best[1] = v, p.best[0]
	} else if v.score > p.best[1].score {
		p.best[1] = v
	}
}

// records returns the extractions of all chunks.
func (d *docReader) records(chunks []graph.Chunk) []graph.Extraction {
	out := make([]graph.Extraction, len(chunks))
	connected := d.connected()
	for i, c := range chunks {
		p := &d.findings[i]
		x := graph.Extraction{Chunk: c.Key}
		for _, e := range p.entities {
			if !d.isName[e] && !connected[e] {
				continue
			}
			x.Entities = append(x.Entities, graph.EntityRecord{Name: d.names[e], Type: d.types[e], Description: d.describe(p.descriptions[e])})
		}
		for _, q := range p.pairs {
			if q.isKept() {
				x.Relationships = append(x.Relationships, d.relationship(q, i))
			}
		}
		for _, c := range p.claims {
			x.Claims = append(x.Claims, d.claimRecord(c, chunks[i]))
		}
		out[i] = x
	}
	return out
}

// isKept reports whether a pair is strong or frequent enough to be a relationship.
func (q *entityPair) isKept() bool { return q.strength >= minPairStrength || q.times >= minInstances }

// connected returns the entities with a relationship or as the object of a claim in
// the document. A common noun without either is dropped: it says nothing.
func (d *docReader) connected() map[int]bool {
	out := map[int]bool{}
	for key, q := range d.pairs {
		if q.isKept() {
			out[key[0]], out[key[1]] = true, true
		}
	}
	for _, p := range d.findings {
		for _, c := range p.claims {
			out[c.object] = true
		}
	}
	return out
}

// describe returns the best sentence about an entity, and the second best if both
// fit into a description.
func (d *docReader) describe(p *descriptionCandidates) string {
	if p.best[0].score == 0 {
		return ""
	}
	first := shortenDescription(d.Phrase(d.Sentences[p.best[0].sentence].Span))
	if p.best[1].score == 0 {
		return first
	}
	second := d.Phrase(d.Sentences[p.best[1].sentence].Span)
	if second == first || utf8.RuneCountInString(first)+1+utf8.RuneCountInString(second) > maxDescription {
		return first
	}
	return first + " " + second
}

// shortenDescription cuts a text that is too long for a description at a word. It is
// not text.Shorten, which cuts elsewhere: descriptions are stored and must not change.
func shortenDescription(s string) string {
	if utf8.RuneCountInString(s) <= maxDescription {
		return s
	}
	n := 0
	for i := range s {
		if n++; n == maxDescription {
			s = s[:i]
			break
		}
	}
	if i := strings.LastIndexByte(s, ' '); i > maxDescription/2 {
		s = s[:i]
	}
	return s + "…"
}

// relationship returns the record of a pair in a chunk.
func (d *docReader) relationship(q *entityPair, chunk int) graph.RelationshipRecord {
	i := slices.IndexFunc(q.instances, func(in instance) bool { return in.chunk == chunk })
	in := q.instances[i]
	span := textproc.Span{Start: d.Sentences[in.from].Start, End: d.Sentences[in.sentence].End}
	return graph.RelationshipRecord{
		Source: d.names[in.source], Target: d.names[in.target],
		Description: shortenDescription(d.Phrase(span)), Strength: max(100, 50*in.strength), Keywords: d.themes(in),
	}
}

// maxThemes is how many words of the text are themes of a relationship in a chunk.
const maxThemes = 3

// themeless are the classes of words that say too little to be a theme.
const themeless = textproc.FunctionWord | textproc.GenericNoun | textproc.NeverHead | textproc.Negation | textproc.NumberWord | textproc.Calendar | textproc.SentenceOpener | textproc.Hedge

// themes returns the verb of an instance, and the content words of its sentences that are
// rarest in the document. Names are left out.
func (d *docReader) themes(in instance) []string {
	var words []*textproc.Word
	for _, s := range d.Sentences[in.from : in.sentence+1] {
		for _, t := range s.Tokens {
			w := t.Word
			if w.Has(textproc.AllLetters) && w.Has(textproc.AllLower) && w.Runes > 3 && !w.Has(textproc.Verb) && (w.Class|w.SingularClass)&themeless == 0 && !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
	}
	slices.SortStableFunc(words, func(a, b *textproc.Word) int { return a.Base.Lowercase - b.Base.Lowercase })
	var out []string
	if in.verb != "" {
		out = append(out, in.verb)
	}
	for _, w := range words[:min(maxThemes, len(words))] {
		out = append(out, w.Singular)
	}
	return out
}
