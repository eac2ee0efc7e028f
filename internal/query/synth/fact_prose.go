package synth

import (
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/text/textproc"
)

// How sentences of prose are scored. The values were chosen on documentation in English and German.
const (
	kindLoss     = .5 // for one without the kind of answer that the question asks for
	personBonus  = .5 // for one that names somebody, if the question asks for a person
	cueBonus     = .5 // for one that shows where or why, if the question asks for it
	figureLoss   = .7 // for one without a number that the question has
	propertyLoss = .5 // for one without the property that the question asks for
	sectionShare = .5 // of what the headings above it share, which it gets
	sectionReach = 3. // statements below a heading after which it gets half of that
	fragmentLoss = .5 // of a line that is not a sentence
	introduced   = .7 // of what the lines that it introduces share, which it gets
	defineBonus  = 2. // for one that says what the thing is that the question asks to define
	belowHeading = .8 // the grade as a definition of the first one below a heading that is the thing
)

// contextShare is what a sentence gets of the headings above it and of the lines that it introduces. What a
// question asks to define is not defined by a heading.
func (s *factScorer) contextShare(facts []fact, n int) float64 {
	f, share := &facts[n], introduced*s.introducedShare(facts, n)
	if s.form.Thing == "" || s.form.Lists {
		above := 0.
		for _, w := range s.weights {
			_, has := f.terms[w.Term]
			if _, over := f.section[w.Term]; over && !has {
				above += w.Weight
			}
		}
		share += sectionShare * above / s.total / (1 + float64(f.place)/sectionReach)
	}
	return share
}

// proseScore returns the score of a sentence of prose, from what it shares with the question.
func (s *factScorer) proseScore(facts []fact, n int, score float64) float64 {
	f := &facts[n]
	score *= s.fit(f)
	if s.form.Thing != "" && !f.Heading {
		if p := before(facts, n, 1); score == 0 && p != nil && p.Fragment && textproc.SameTerms(s.form.Language, p.Text, s.form.Thing) {
			score = p.own + aroundShare // what it defines is above it alone
		}
		score *= 1 + defineBonus*s.grade(facts, n)
	}
	switch {
	case f.Code, f.columns, f.Heading && (s.form.Ask.In(f.Text) == "" || s.need == 0 || weightOf(f.terms, s.needed) < s.need):
		return 0
	case s.form.Ask == textproc.AskPerson && f.Listed && textproc.BeginsWithVerb(s.form.Language, f.Text):
		return 0 // a note of what was done, not by whom
	case f.Fragment && !f.Heading && !introduces(f) && !strings.Contains(f.Text, ": "):
		return score * (1 - fragmentLoss)
	}
	return score
}

// introducedShare returns the share of the question that only the lines after a sentence hold which it
// introduces.
func (s *factScorer) introducedShare(facts []fact, n int) float64 {
	if !introduces(&facts[n]) {
		return 0
	}
	sum := 0.
	for _, w := range s.weights {
		if _, has := facts[n].terms[w.Term]; has {
			continue
		}
		for i := n + 1; i < s.introducedEnd(facts, n+1); i++ {
			if _, has := facts[i].terms[w.Term]; has {
				sum += w.Weight
				break
			}
		}
	}
	return sum / s.total
}

// fit returns the factor by which a sentence of prose fits what the question asks for.
func (s *factScorer) fit(f *fact) float64 {
	factor := 1.
	if s.form.Ask != "" && s.form.Ask != textproc.AskPerson && !s.hasKind(f) {
		factor *= 1 - kindLoss
	}
	if s.form.Ask == textproc.AskPerson && textproc.NamesPersonBesides(s.form.Language, f.Text, s.asked) {
		factor *= 1 + personBonus
	}
	if s.form.Cue.In(f.Text) {
		factor *= 1 + cueBonus
	}
	if len(s.form.Figures) > 0 && !s.hasFigure(f) {
		factor *= 1 - figureLoss
	}
	if len(s.property) > 0 && s.property.Shared(f.terms) == 0 {
		factor *= 1 - propertyLoss
	}
	return factor
}

// hasFigure reports whether a sentence, or a heading above it, has a number that the question has.
func (s *factScorer) hasFigure(f *fact) bool {
	return slices.ContainsFunc(s.form.Figures, func(figure string) bool {
		return slices.Contains(textproc.FiguresIn(f.Text+" "+f.heading), figure)
	})
}

// grade returns how much a sentence defines the thing that the question asks to define, from 0 to 1.
func (s *factScorer) grade(facts []fact, n int) float64 {
	f := &facts[n]
	grade := textproc.DefinitionGrade(s.form.Language, f.Text, s.form.Thing)
	if f.chat || f.Fragment {
		return grade
	}
	below := f.place == 0 && textproc.SameTerms(s.form.Language, f.heading, s.form.Thing)
	if p := before(facts, n, 1); p != nil && p.Fragment { // a term above its definition
		below = below || textproc.SameTerms(s.form.Language, p.Text, s.form.Thing)
	}
	if below {
		grade = max(grade, belowHeading)
	}
	return grade
}
