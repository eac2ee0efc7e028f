package cite

import (
	"regexp"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
)

const (
	// minMembers is the number of members of the shortest list in a statement.
	minMembers = 3
	// maxMemberTerms is the number of terms of the longest member of a list.
	maxMemberTerms = 4
	// minAbout is the number of terms that the sentence of a member shares with the rest of the
	// statement; an item of a list needs one.
	minAbout = 2
	// lastFloor is the share of a statement's content that the sentence of its last rare term holds.
	lastFloor = .3
	// maxMembers is the number of quotes that a statement may have for the members of its lists.
	maxMembers = 6
)

// memberEnd matches what ends a member of a list in a sentence.
var memberEnd = regexp.MustCompile(`[,;:，、；：](?:\s|$)|[，、；：]|[.!?](?:\s|$)`)

// members returns the terms of each member of the lists that a statement names: of its short parts
// between commas and conjunctions, if there are several in a row.
func (c *content) members() []textproc.TermSet {
	var out, row []textproc.TermSet
	end := func() {
		if len(row) >= minMembers {
			out = append(out, row...)
		}
		row = nil
	}
	for _, part := range memberEnd.Split(c.text, -1) {
		var words []string
		add := func() {
			member := common(textproc.TermSetOf(strings.Join(words, " ")), c.terms)
			for _, t := range empty {
				delete(member, t)
			}
			if words = nil; len(member) > 0 && len(member) <= maxMemberTerms {
				row = append(row, member)
			} else if len(member) > 0 {
				end()
			}
		}
		for word := range strings.FieldsSeq(part) {
			if textproc.ClassOf(strings.ToLower(word))&textproc.Conjunction != 0 {
				add()
				continue
			}
			words = append(words, word)
		}
		add()
	}
	end()
	return out
}

// quoteMembers adds quotes for the members of the lists in a statement that no quote names: a text
// may name them in several places.
func (g statementQuotes) quoteMembers() {
	added := 0
	members := g.trails[0].content.members()
	last := len(members)
	if one := g.lastTerm(); len(one) > 0 {
		members = append(members, one)
	}
	for at, member := range members {
		if len(without(member, held(g.trails))) == 0 {
			continue
		}
		for i := range g.trails {
			p := &g.trails[i]
			if !p.near || added == maxMembers {
				continue
			}
			isParallel := slices.ContainsFunc(slices.Concat(members[:at], members[at+1:]), func(o textproc.TermSet) bool { return o.Shared(member) > 0 })
			if r, ok := g.findMember(p, member, isParallel, at == last); ok {
				if !g.extend(p, r) {
					p.rest = append(p.rest, r)
					added++
				}
				break
			}
		}
	}
}

// lastTerm returns the only rare term of the statement that no quote holds, nor says in other words, if
// it is the only one and not a name.
func (g statementQuotes) lastTerm() textproc.TermSet {
	rest := without(g.rest().terms, g.said())
	for i := range g.trails {
		p := &g.trails[i]
		if len(p.chunks) == 0 {
			continue
		}
		_, of := g.units.ofAll(p.chunks)
		if rare := rareTerms(rest, of); len(rare) == 1 && len(p.names(rare, p.chunks[0].ChunkText)) == 0 {
			return rare
		}
	}
	return nil
}

// findMember returns the sentence of the chunks of a citation that names a member of a list, with what
// introduces it: it has all terms of the member that the chunks have and no quote holds, and another
// two of the statement, unless the member is parallel: it shares a word with another one, as "paper mill"
// does with "saw mill". It reports false for a member whose words the text does not use.
func (g statementQuotes) findMember(p *quoteSearch, member textproc.TermSet, isParallel, isLast bool) (resolved, bool) {
	texts, of := g.units.ofAll(p.chunks)
	wanted := presentTerms(without(member, held(g.trails)), of)
	if wanted = without(wanted, frequentTerms(wanted, of)); len(wanted) == 0 {
		return resolved{}, false
	}
	about := without(p.content.terms, wanted)
	about = without(about, p.names(about, texts[0]))
	enough := func(unit) bool { return true }
	if isLast {
		weighed, total := weights(p.content.terms, of)
		enough = func(u unit) bool { return weightShare(u.terms, weighed, total) >= lastFloor }
	}
	best, out := 0, resolved{}
	for i, units := range of {
		for at, u := range units {
			says := sentenceTerms(units, at)
			if u.Fragment || u.onlyAsks() || wanted.Shared(termSet(u.terms)) < len(wanted) {
				continue
			}
			shared, least := 4*says.Shared(p.content.terms)+says.Shared(p.content.hints), minAbout
			switch {
			case isParallel && says.Shared(member) == len(member):
				least = 0
			case u.Item:
				least = 1
			}
			if says.Shared(about) < least || shared <= best || !enough(u) {
				continue
			}
			f, ok := p.content.complete(found{span: textproc.Span{Start: at, End: at + 1}}, texts[i], units)
			if !ok {
				continue
			}
			f.span = g.unquoted(p.chunks[i], units, f.span, at)
			best, out = shared, quoteAt(p.chunks[i], f.span, true, 0)
		}
	}
	return out, best > 0
}

// extend makes a quote of a citation longer by the item of a list that follows it. It reports false if
// none ends there, or if it would be too long.
func (g statementQuotes) extend(p *quoteSearch, r resolved) bool {
	for _, chunk := range p.chunks {
		if chunk.Chunk != r.Chunk {
			continue
		}
		units := g.units.of(chunk)
		at, _ := unitsAt(units, textproc.Span{Start: r.Start - chunk.Start, End: r.End - chunk.Start})
		if at == 0 || !units[at].Item {
			return false
		}
		before := chunk.Start + units[at-1].End
		for _, q := range p.quotes() {
			if q.Chunk == r.Chunk && q.End == before && r.End-q.Start <= maxListQuote {
				q.End = r.End
				q.Quote = chunk.ChunkText[q.Start-chunk.Start : q.End-chunk.Start]
				return true
			}
		}
	}
	return false
}

// quotes returns the quotes of a citation.
func (p *quoteSearch) quotes() []*resolved {
	out := []*resolved{&p.resolved}
	for i := range p.rest {
		out = append(out, &p.rest[i])
	}
	return out
}

// presentTerms returns the terms that at least one sentence has.
func presentTerms(terms textproc.TermSet, units [][]unit) textproc.TermSet {
	out := textproc.TermSet{}
	for _, of := range units {
		for _, u := range of {
			for _, t := range u.terms {
				if _, ok := terms[t]; ok {
					out[t] = struct{}{}
				}
			}
		}
	}
	return out
}

// unquoted returns a quote without the sentences at its beginning, before that of a place, that other
// quotes of the statement hold.
func (g statementQuotes) unquoted(chunk neo4jstore.Evidence, units []unit, quote textproc.Span, at int) textproc.Span {
	for i := at - 1; i >= 0 && units[i].Start >= quote.Start; i-- {
		if quotes(g.trails, chunk.DocumentURI, textproc.Span{Start: chunk.Start + units[i].Start, End: chunk.Start + units[i].End}) {
			quote.Start = units[i+1].Start
			break
		}
	}
	return quote
}

// sentenceTerms returns the terms of a sentence and of what introduces it, if it is an item of a list.
func sentenceTerms(units []unit, at int) textproc.TermSet {
	out := termSet(units[at].terms)
	if intro := introduction(units, at); intro < at {
		out.Add(units[intro].terms...)
	}
	return out
}

func termSet(terms []string) textproc.TermSet {
	out := textproc.TermSet{}
	out.Add(terms...)
	return out
}
