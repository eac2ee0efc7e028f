package report

import (
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// addFindings adds findings to a draft: one for each child whose report is in the
// context, one for the most distinctive phrase, then one for each prominent entity, then
// more about the same entities if there is more to say. It stops at five findings or at
// the limit of left tokens.
func (sel *selector) addFindings(d *draft, left int) {
	headings := map[string]bool{}
	add := func(heading func(*sentence) string, fits func(*sentence) bool) {
		if len(d.findings) == maxFindings {
			return
		}
		share := left / (maxFindings - len(d.findings))
		room := left
		list := sel.selectSentences(nil, &room, findingSentences, fits, 1)
		if len(list) == 0 {
			return
		}
		spent := left - room
		left -= spent
		room = max(0, share-spent)
		before := room
		title := heading(list[0])
		list = sel.selectSentences(list, &room, findingSentences, func(s *sentence) bool { return fits(s) && (s.from.child != nil || sel.continues(s, list[0])) }, findingSentences)
		if headings[title] {
			at := slices.IndexFunc(d.findings, func(f draftFinding) bool { return f.heading == title })
			d.findings[at].sentences = append(d.findings[at].sentences, list...)
		} else {
			headings[title] = true
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
	for _, e := range slices.Concat(sel.context.Prominent, sel.context.Prominent) {
		add(func(s *sentence) string { return sel.heading(s, e.Key) }, func(s *sentence) bool { return slices.Contains(s.about, e.Key) })
	}
}

// continues reports whether a sentence is about everything that the first sentence of
// a finding is about.
func (sel *selector) continues(s, first *sentence) bool {
	return len(first.about) < 2 || subset(first.about, s.about)
}

// heading returns the heading of a finding about an entity. It depends on the record
// of the first sentence: the two ends of a relationship, the type of a claim, else the
// entity and its type.
func (sel *selector) heading(s *sentence, about string) string {
	name := sel.entityName(about)
	switch {
	case s.from.Kind == graph.KindRelationship || len(s.about) == 2:
		ends := slices.Clone(s.about[:2])
		slices.SortStableFunc(ends, func(a, b string) int { return sel.prominenceRank(a) - sel.prominenceRank(b) })
		if a, b := sel.entityName(ends[0]), sel.entityName(ends[1]); a != "" && b != "" {
			return joinNames([]string{a, b})
		}
	case s.from.Kind == graph.KindClaim && len(strings.Fields(s.from.typ)) > 1: // the type says what it is about
		return upperFirst(name) + ": " + strings.ToLower(plainLine(s.from.typ))
	}
	if typ := plainLine(sel.types[about]); typ != "" && typ != graph.TypeUnknown {
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
