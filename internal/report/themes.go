package report

import (
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// themes adds findings: one for each child that is told by its report, then one
// for each prominent entity, twice where there is more to say, until there are
// five or the limit is reached.
func (w *writer) themes(d *draft, left int) {
	headings := map[string]bool{}
	add := func(heading func(*sentence) string, fits func(*sentence) bool) {
		if len(d.findings) == maxFindings {
			return
		}
		share := left / (maxFindings - len(d.findings))
		room := left
		list := w.take(nil, &room, findingSentences, fits, 1)
		if len(list) == 0 {
			return
		}
		spent := left - room
		left -= spent
		room = max(0, share-spent)
		before := room
		title := heading(list[0])
		list = w.take(list, &room, findingSentences, func(s *sentence) bool { return fits(s) && (s.from.child != nil || w.joins(s, list[0])) }, findingSentences)
		if headings[title] {
			at := slices.IndexFunc(d.findings, func(f draftFinding) bool { return f.heading == title })
			d.findings[at].sentences = append(d.findings[at].sentences, list...)
		} else {
			headings[title] = true
			d.findings = append(d.findings, draftFinding{title, list})
		}
		left -= before - room
	}
	for i := range w.context.Records {
		if r := &w.context.Records[i]; r.child != nil {
			add(func(*sentence) string { return line(r.name) }, func(s *sentence) bool { return s.from == r })
		}
	}
	for _, e := range slices.Concat(w.context.Prominent, w.context.Prominent) {
		add(func(s *sentence) string { return w.heading(s, e.Key) }, func(s *sentence) bool { return slices.Contains(s.about, e.Key) })
	}
}

// joins reports whether a sentence goes on with what the first of a finding tells of.
func (w *writer) joins(s, first *sentence) bool {
	if len(first.about) < 2 {
		return true
	}
	for _, a := range first.about {
		if !slices.Contains(s.about, a) {
			return false
		}
	}
	return true
}

// heading names a finding about an entity by the record of its first sentence:
// the two ends of a relationship, what a claim is of, else the entity and its type.
func (w *writer) heading(s *sentence, about string) string {
	name := w.show(about)
	switch {
	case s.from.Kind == graph.KindRelationship || len(s.about) == 2:
		ends := slices.Clone(s.about[:2])
		slices.SortStableFunc(ends, func(a, b string) int { return w.place(a) - w.place(b) })
		if a, b := w.show(ends[0]), w.show(ends[1]); a != "" && b != "" {
			return join([]string{a, b})
		}
	case s.from.Kind == graph.KindClaim && telling(s.from.typ):
		return upperFirst(name) + ": " + strings.ToLower(line(s.from.typ))
	}
	if typ := line(w.types[about]); typ != "" && typ != graph.TypeUnknown {
		return upperFirst(name) + " (" + strings.ToLower(typ) + ")"
	}
	return upperFirst(name)
}

func (w *writer) show(entity string) string { return display(w.names[entity], w.capitals) }

// place orders entities by prominence; those that are not prominent come last.
func (w *writer) place(entity string) int {
	if at, ok := w.rank[entity]; ok {
		return at
	}
	return maxProminent
}

// telling reports whether the type of a claim says what it is about.
func telling(typ string) bool {
	return len(strings.Fields(typ)) > 1
}
