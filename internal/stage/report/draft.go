package report

import (
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/tokens"
)

const (
	summarySentences = 3
	maxFindings      = 5
	findingSentences = 3
	// duplicateOverlap is the overlap of terms from which two sentences are near-duplicates.
	duplicateOverlap = .7
)

// A selector chooses the sentences of one report (extractive summarisation).
type selector struct {
	context   Context
	sentences []*sentence // best first
	phrases   []keyPhrase // that name what the sentences are about
	rank      map[string]int
	names     map[string]string // of entities, by key
	types     map[string]string
	capitals  bool
	language  language.Language // of most sentences
	counter   *tokens.Counter
	chosen    []*sentence
}

// A draft is a report whose references are not numbered yet.
type draft struct {
	summary  []*sentence
	findings []draftFinding
}

type draftFinding struct {
	heading   string
	sentences []*sentence
}

func newSelector(c Context, counter *tokens.Counter) *selector {
	sel := &selector{context: c, counter: counter, rank: map[string]int{}, names: map[string]string{}, types: map[string]string{}, capitals: areShouted(c.Prominent)}
	for i, e := range c.Prominent {
		sel.rank[e.Key], sel.names[e.Key], sel.types[e.Key] = i, e.Name, e.Type
	}
	for _, r := range c.Records {
		if r.Kind == graph.KindEntity {
			sel.names[r.Key], sel.types[r.Key] = r.name, r.typ
		}
	}
	sel.sentences = sentencesOf(c)
	if sel.capitals {
		sel.lowerNames()
	}
	sel.language = language.Of(strings.Join(sel.texts(), "\n"))
	sel.score()
	sel.phrases = distinctivePhrases(sel.texts())
	return sel
}

// texts returns the texts of the sentences.
func (sel *selector) texts() []string {
	texts := make([]string, len(sel.sentences))
	for i, s := range sel.sentences {
		texts[i] = s.text
	}
	return texts
}

// lowerNames writes names in sentences as in headings, for sources that write them
// in capitals.
func (sel *selector) lowerNames() {
	for _, s := range sel.sentences {
		for _, a := range s.about {
			if name := sel.names[a]; len(name) > 3 {
				s.text = strings.ReplaceAll(s.text, name, displayName(name, true))
			}
		}
	}
}

// draft fills the limit of tokens with a summary of up to three sentences, then
// findings.
func (sel *selector) draft(limit int) *draft {
	d := &draft{}
	left := limit * 2 / 5
	for i := range sel.context.Records {
		if r := &sel.context.Records[i]; r.child != nil {
			d.summary = sel.selectSentences(d.summary, &left, summarySentences, func(s *sentence) bool { return s.from == r && s.lead }, 1)
		}
	}
	for i, e := range sel.context.Prominent[:min(2, len(sel.context.Prominent))] {
		about := func(s *sentence) bool { return slices.Contains(s.about, e.Key) }
		d.summary = sel.selectSentences(d.summary, &left, i+1, func(s *sentence) bool { return i == 0 && s.lead && about(s) }, 1)
		d.summary = sel.selectSentences(d.summary, &left, i+1, about, 1)
	}
	d.summary = sel.selectSentences(d.summary, &left, summarySentences, func(*sentence) bool { return true }, summarySentences)
	if len(d.summary) == 0 {
		d.summary = sel.listNames()
	}
	left = limit - sel.tokenCost(d.summary) - 60 // for title, rating and headings
	sel.addFindings(d, left)
	return d
}

// selectSentences adds up to n sentences to list, but no more than most in all. They
// satisfy fits, cost no more than left, which is reduced, and are not near-duplicates
// of chosen ones.
func (sel *selector) selectSentences(list []*sentence, left *int, most int, fits func(*sentence) bool, n int) []*sentence {
	for ; n > 0 && len(list) < most; n-- {
		best, bestScore, bestCost := (*sentence)(nil), 0., 0
		for _, s := range sel.sentences {
			if s.score <= bestScore {
				break
			}
			if s.used || !fits(s) {
				continue
			}
			score := s.score * sel.novelty(s)
			if score <= bestScore {
				continue
			}
			if cost := sel.tokenCost([]*sentence{s}); cost <= *left {
				best, bestScore, bestCost = s, score, cost
			}
		}
		if best == nil {
			return list
		}
		best.used = true
		*left -= bestCost
		sel.chosen = append(sel.chosen, best)
		list = append(list, best)
	}
	return list
}

// novelty is 1 minus the largest overlap with a chosen sentence, and 0 for a
// near-duplicate of one.
func (sel *selector) novelty(s *sentence) float64 {
	most := 0.
	for _, c := range sel.chosen {
		most = max(most, overlap(s.terms, c.terms))
	}
	if most >= duplicateOverlap {
		return 0
	}
	return 1 - most
}

// tokenCost estimates the tokens of sentences with their references.
func (sel *selector) tokenCost(list []*sentence) int {
	n := 0
	for _, s := range list {
		n += sel.counter.Count(s.text) + 3*len(s.refs) + 1
	}
	return n
}

// listNames returns a sentence that lists the prominent entities, for a community
// without any description.
func (sel *selector) listNames() []*sentence {
	var refs []target
	for _, r := range sel.context.Records {
		if r.Kind == graph.KindRelationship && len(refs) < maxRefs {
			refs = append(refs, target{Kind: r.Kind, Key: r.Key})
		}
	}
	text := "Mentioned together: "
	if len(refs) == 0 {
		text = "Mentioned: "
		for _, r := range sel.context.Records {
			if len(refs) < maxRefs {
				refs = append(refs, target{Kind: r.Kind, Key: r.Key})
			}
		}
	}
	var names []string
	for _, e := range sel.context.Prominent[:min(4, len(sel.context.Prominent))] {
		names = append(names, displayName(e.Name, sel.capitals))
	}
	if len(refs) == 0 || len(names) == 0 {
		return nil
	}
	return []*sentence{{text: text + sel.join(names) + ".", refs: refs}}
}

// render numbers the references and joins the sentences.
func (d *draft) render() (summary string, findings []graph.Finding, refs []graph.Reference) {
	var n Numbers
	summary = n.citeSentences(d.summary)
	for _, f := range d.findings {
		findings = append(findings, graph.Finding{Summary: f.heading, Explanation: n.citeSentences(f.sentences)})
	}
	return summary, findings, n.List()
}

// dropLast removes the sentence chosen last, and reports whether there was one.
func (d *draft) dropLast() bool {
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

// citeSentences joins sentences, each with its references before the full stop.
func (n *Numbers) citeSentences(list []*sentence) string {
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
