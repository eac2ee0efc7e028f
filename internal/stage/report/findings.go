package report

import (
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text/textproc"
)

// addFindings adds findings to a draft: one for each child whose report is in the
// context, one for the most distinctive phrase, then one for each prominent entity, then
// more about the same entities if there is more to say. It stops at five findings or at
// the limit of left tokens.
func (sel *selector) addFindings(d *draft, left int) {
	add := func(heading func(*sentence) string, fits func(*sentence) bool) {
		if len(d.findings) == maxFindings {
			return
		}
		share := left / (maxFindings - len(d.findings))
		room := left
		list := sel.selectSentences(nil, &room, findingSentences, func(s *sentence) bool {
			if !fits(s) {
				return false
			}
			at := d.findingOf(heading(s))
			return at < 0 || sel.continues(s, d.findings[at].sentences[0])
		}, 1)
		if len(list) == 0 {
			return
		}
		spent := left - room
		left -= spent
		room = max(0, share-spent)
		before := room
		title := heading(list[0])
		first := list[0]
		list = sel.selectSentences(list, &room, findingSentences, func(s *sentence) bool { return fits(s) && sel.continues(s, first) }, findingSentences)
		if at := d.findingOf(title); at >= 0 {
			d.findings[at].sentences = append(d.findings[at].sentences, list...)
		} else {
			d.findings = append(d.findings, draftFinding{title, list})
		}
		left -= before - room
	}
	for i := range sel.context.Records {
		if r := &sel.context.Records[i]; r.child != nil {
			add(func(*sentence) string { return plainLine(r.name) }, func(s *sentence) bool { return s.from == r })
		}
	}
	for _, p := range sel.phrases[:min(1, len(sel.phrases))] {
		add(func(*sentence) string { return upperFirst(p.text) }, func(s *sentence) bool { return p.in(s.text) })
	}
	for _, e := range sel.findingEntities() {
		add(func(s *sentence) string { return sel.heading(s, e.Key) }, func(s *sentence) bool { return slices.Contains(s.about, e.Key) })
	}
}

// findingOf returns the place of the finding with a heading in any case, or -1.
func (d *draft) findingOf(heading string) int {
	return slices.IndexFunc(d.findings, func(f draftFinding) bool { return strings.EqualFold(f.heading, heading) })
}

// findingEntities returns the entities that findings are about, twice: prominent ones whose names say
// what they name, or all if none does.
func (sel *selector) findingEntities() []rankedEntity {
	named := slices.DeleteFunc(slices.Clone(sel.context.ranked), func(e rankedEntity) bool { return !sel.isTitleName(e.Name, e.Type) && len(e.Name) < minNoun })
	if len(named) == 0 {
		named = sel.context.ranked
	}
	return slices.Concat(named, named)
}

// continues reports whether a sentence belongs to the topic of the first sentence of a finding: it is
// about everything that the first one is about, and has another word of it.
func (sel *selector) continues(s, first *sentence) bool {
	if s.from.child == nil && len(first.about) > 1 && !subset(first.about, s.about) {
		return false
	}
	names := textproc.TermSet{}
	for _, a := range first.about {
		names.Add(textproc.TermsIn(sel.language, sel.names[a])...)
	}
	return s.terms.Shared(first.terms) > names.Shared(first.terms)
}

// heading returns the heading of a finding about an entity. It depends on the record
// of the first sentence: the two ends of a relationship, the type of a claim, else the
// entity, in English with its type. A name that says nothing alone is left out of two.
func (sel *selector) heading(s *sentence, about string) string {
	name := sel.entityName(about)
	switch {
	case s.from.Kind == graph.KindRelationship || len(s.about) == 2:
		ends := slices.Clone(s.about[:2])
		slices.SortStableFunc(ends, func(a, b string) int { return sel.prominenceRank(a) - sel.prominenceRank(b) })
		ends = slices.DeleteFunc(ends, func(key string) bool { return key != about && !sel.isTitleName(sel.names[key], sel.types[key]) })
		if len(ends) == 2 {
			return sel.join([]string{sel.entityName(ends[0]), sel.entityName(ends[1])})
		}
	case s.from.Kind == graph.KindClaim && len(strings.Fields(s.from.typ)) > 1: // the type says what it is about
		return upperFirst(name) + ": " + strings.ToLower(plainLine(s.from.typ))
	}
	if typ := plainLine(sel.types[about]); isProper(typ) && sel.isEnglish() { // types are in English
		return upperFirst(name) + " (" + strings.ToLower(typ) + ")"
	}
	return upperFirst(name)
}

// entityName returns the name of an entity as headings show it.
func (sel *selector) entityName(entity string) string {
	return displayName(sel.names[entity], sel.capitals)
}

// prominenceRank returns the rank of an entity by prominence; entities that are not
// prominent come last.
func (sel *selector) prominenceRank(entity string) int {
	if at, ok := sel.rank[entity]; ok {
		return at
	}
	return maxProminent
}
