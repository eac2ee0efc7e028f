package report

import (
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/tokens"
)

const (
	summarySentences = 3
	maxFindings      = 5
	findingSentences = 3
	// near is the overlap of terms from which a sentence says what another said.
	near = .7
)

// writer chooses sentences for one report.
type writer struct {
	context   Context
	sentences []*sentence // best first
	rank      map[string]int
	names     map[string]string // of entities, by key
	types     map[string]string
	capitals  bool
	counter   *tokens.Counter
	chosen    []*sentence
}

// A draft is a report whose numbers are not yet given.
type draft struct {
	summary  []*sentence
	findings []draftFinding
}

type draftFinding struct {
	heading   string
	sentences []*sentence
}

func newWriter(c Context, counter *tokens.Counter) *writer {
	w := &writer{context: c, counter: counter, rank: map[string]int{}, names: map[string]string{}, types: map[string]string{}, capitals: inCapitals(c.Prominent)}
	for i, e := range c.Prominent {
		w.rank[e.Key], w.names[e.Key], w.types[e.Key] = i, e.Name, e.Type
	}
	for _, r := range c.Records {
		if r.Kind == graph.KindEntity {
			w.names[r.Key], w.types[r.Key] = r.name, r.typ
		}
	}
	w.sentences = sentencesOf(c)
	if w.capitals {
		w.lowerNames()
	}
	w.score()
	return w
}

// lowerNames writes names in sentences as headings do where a source has them in capitals.
func (w *writer) lowerNames() {
	for _, s := range w.sentences {
		for _, a := range s.about {
			if name := w.names[a]; len(name) > 3 {
				s.text = strings.ReplaceAll(s.text, name, display(name, true))
			}
		}
	}
}

// draft fills the limit: a summary of two or three sentences, then findings.
func (w *writer) draft(limit int) *draft {
	d := &draft{}
	left := limit * 2 / 5
	for i := range w.context.Records {
		if r := &w.context.Records[i]; r.child != nil {
			d.summary = w.take(d.summary, &left, summarySentences, func(s *sentence) bool { return s.from == r && s.lead }, 1)
		}
	}
	for i, e := range w.context.Prominent[:min(2, len(w.context.Prominent))] {
		about := func(s *sentence) bool { return slices.Contains(s.about, e.Key) }
		d.summary = w.take(d.summary, &left, i+1, func(s *sentence) bool { return i == 0 && s.lead && about(s) }, 1)
		d.summary = w.take(d.summary, &left, i+1, about, 1)
	}
	d.summary = w.take(d.summary, &left, summarySentences, func(*sentence) bool { return true }, summarySentences)
	if len(d.summary) == 0 {
		d.summary = w.bare()
	}
	left = limit - w.cost(d.summary) - 60 // title, rating and headings
	w.themes(d, left)
	return d
}

// take adds up to n sentences that fit, are about the right thing and say
// something new, so that list holds at most most.
func (w *writer) take(list []*sentence, left *int, most int, fits func(*sentence) bool, n int) []*sentence {
	for ; n > 0 && len(list) < most; n-- {
		best, bestScore, bestCost := (*sentence)(nil), 0., 0
		for _, s := range w.sentences {
			if s.score <= bestScore {
				break
			}
			if s.used || !fits(s) {
				continue
			}
			score := s.score * w.newness(s)
			if score <= bestScore {
				continue
			}
			if cost := w.cost([]*sentence{s}); cost <= *left {
				best, bestScore, bestCost = s, score, cost
			}
		}
		if best == nil {
			return list
		}
		best.used = true
		*left -= bestCost
		w.chosen = append(w.chosen, best)
		list = append(list, best)
	}
	return list
}

// newness falls from 1 with what the chosen sentences have said; 0 when near one of them.
func (w *writer) newness(s *sentence) float64 {
	most := 0.
	for _, c := range w.chosen {
		most = max(most, overlap(s.terms, c.terms))
	}
	if most >= near {
		return 0
	}
	return 1 - most
}

func (w *writer) cost(list []*sentence) int {
	n := 0
	for _, s := range list {
		n += w.counter.Count(s.text) + 3*len(s.refs) + 1
	}
	return n
}

// bare tells what is connected where no record has a description.
func (w *writer) bare() []*sentence {
	var refs []target
	for _, r := range w.context.Records {
		if r.Kind == graph.KindRelationship && len(refs) < maxRefs {
			refs = append(refs, target{r.Kind, r.Key})
		}
	}
	text := "Mentioned together: "
	if len(refs) == 0 {
		text = "Mentioned: "
		for _, r := range w.context.Records {
			if len(refs) < maxRefs {
				refs = append(refs, target{r.Kind, r.Key})
			}
		}
	}
	var names []string
	for _, e := range w.context.Prominent[:min(4, len(w.context.Prominent))] {
		names = append(names, display(e.Name, w.capitals))
	}
	if len(refs) == 0 || len(names) == 0 {
		return nil
	}
	return []*sentence{{text: text + join(names) + ".", refs: refs}}
}

// write gives the numbers and joins the texts.
func (d *draft) write() (summary string, findings []graph.Finding, refs []graph.Reference) {
	var n Numbers
	summary = n.cite(d.summary)
	for _, f := range d.findings {
		findings = append(findings, graph.Finding{Summary: f.heading, Explanation: n.cite(f.sentences)})
	}
	return summary, findings, n.List()
}

// shorten takes away what was chosen last, and reports whether there was anything.
func (d *draft) shorten() bool {
	if last := len(d.findings) - 1; last >= 0 {
		f := &d.findings[last]
		if f.sentences = f.sentences[:len(f.sentences)-1]; len(f.sentences) == 0 {
			d.findings = d.findings[:last]
		}
		return true
	}
	if last := len(d.summary) - 1; last >= 0 {
		d.summary = d.summary[:last]
		return true
	}
	return false
}

// cite joins sentences, each with its references before its full stop.
func (n *Numbers) cite(list []*sentence) string {
	texts := make([]string, len(list))
	for i, s := range list {
		marks := n.marks(s.refs)
		if end, ok := strings.CutSuffix(s.text, "."); ok && !strings.HasSuffix(end, ".") {
			texts[i] = end + " " + marks + "."
		} else {
			texts[i] = s.text + " " + marks
		}
	}
	return strings.Join(texts, " ")
}
