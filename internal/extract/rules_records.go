package extract

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/textproc"
)

// longestDescription is the most letters of a description.
const longestDescription = 300

// A portrait holds the two sentences of a chunk that say most of an entity.
type portrait struct {
	best [2]view
}

// A view is a sentence with its worth, in fortieths; a worth of 0 is none.
type view struct{ worth, sentence int }

// see notes that a chunk mentions an entity.
func (d *paper) see(chunk, e int) *portrait {
	p := &d.pages[chunk]
	if p.seen == nil {
		p.seen = map[int]*portrait{}
	}
	one := p.seen[e]
	if one == nil {
		one = &portrait{}
		p.seen[e] = one
		p.entities = append(p.entities, e)
	}
	return one
}

// base keeps the worth of a sentence above zero.
const base = 1000

// portray weighs a sentence as a description of each of its entities: best where
// it defines one, or begins with it.
func (d *paper) portray(st *stage) {
	describes := !st.Fragment && states(st.Sentence)
	for _, m := range st.seen {
		p := d.see(st.chunk, m.e)
		if !describes || st.Speaker == "" && !slices.Contains(st.row, m) {
			continue
		}
		s := siteOf(m, st.Tokens)
		worth := base + 12*len(st.seen) - max(len(st.Tokens)-20, 20-len(st.Tokens))
		switch {
		case is(s.next, " is was are were ") && s.then.Is(textproc.Determiner):
			worth += 120
		case s.next.Lower == "," && (is(s.then, " a an the his her ") || s.then.Is(textproc.PersonNoun)) && s.first.Has(textproc.Capital):
			worth += 100
		case m.a < 3:
			worth += 40
		}
		p.add(view{worth, st.at})
	}
}

func (p *portrait) add(v view) {
	if v.worth > p.best[0].worth {
		p.best[0], p.best[1] = v, p.best[0]
	} else if v.worth > p.best[1].worth {
		p.best[1] = v
	}
}

// records are the extractions of all chunks.
func (d *paper) records(chunks []graph.Chunk) []graph.Extraction {
	out := make([]graph.Extraction, len(chunks))
	tied := d.tied()
	for i, c := range chunks {
		p := &d.pages[i]
		x := graph.Extraction{Chunk: c.Key}
		for _, e := range p.entities {
			if !d.proper[e] && !tied[e] {
				continue
			}
			x.Entities = append(x.Entities, graph.EntityRecord{Name: d.names[e], Type: d.kind[e], Description: d.describe(p.seen[e])})
		}
		for _, q := range p.pairs {
			if q.keeps() {
				x.Relationships = append(x.Relationships, d.relationship(q, i))
			}
		}
		for _, c := range p.claims {
			x.Claims = append(x.Claims, d.claimRecord(c))
		}
		out[i] = x
	}
	return out
}

func (q *pair) keeps() bool { return q.strength >= keepAt || q.times >= keepTimes }

// tied is the entities that the document ties to another or claims something of.
// A common noun that stands alone tells nothing.
func (d *paper) tied() map[int]bool {
	tied := map[int]bool{}
	for key, q := range d.pairs {
		if q.keeps() {
			tied[key[0]], tied[key[1]] = true, true
		}
	}
	for _, p := range d.pages {
		for _, c := range p.claims {
			tied[c.object] = true
		}
	}
	return tied
}

func (d *paper) describe(p *portrait) string {
	if p.best[0].worth == 0 {
		return ""
	}
	first := shorten(d.Phrase(d.Sentences[p.best[0].sentence].Span))
	if p.best[1].worth == 0 {
		return first
	}
	second := d.Phrase(d.Sentences[p.best[1].sentence].Span)
	if second == first || utf8.RuneCountInString(first)+1+utf8.RuneCountInString(second) > longestDescription {
		return first
	}
	return first + " " + second
}

// shorten cuts a text at a word when it is too long for a description.
func shorten(s string) string {
	if utf8.RuneCountInString(s) <= longestDescription {
		return s
	}
	n := 0
	for i := range s {
		if n++; n == longestDescription {
			s = s[:i]
			break
		}
	}
	if i := strings.LastIndexByte(s, ' '); i > longestDescription/2 {
		s = s[:i]
	}
	return s + "…"
}

func (d *paper) relationship(q *pair, chunk int) graph.RelationshipRecord {
	i := slices.IndexFunc(q.in, func(in instance) bool { return in.chunk == chunk })
	in := q.in[i]
	span := textproc.Span{Start: d.Sentences[in.from].Start, End: d.Sentences[in.sentence].End}
	r := graph.RelationshipRecord{
		Source: d.names[in.source], Target: d.names[in.target],
		Description: shorten(d.Phrase(span)), Strength: max(100, 50*in.strength),
	}
	if in.verb != "" {
		r.Keywords = []string{in.verb}
	}
	return r
}
