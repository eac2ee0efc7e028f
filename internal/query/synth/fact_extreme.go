package synth

import (
	"strings"

	"github.com/neorag/neorag/internal/text/textproc"
)

// answerExtreme answers a question for the largest, oldest or latest of several things by comparing the rows
// of a table, or versions. It returns none for another question, or if nothing can be compared.
func (s *factScorer) answerExtreme(question string, facts []fact) []Sentence {
	e := textproc.ExtremeOf(s.form.Language, question)
	switch {
	case e == nil:
		return nil
	case e.Version:
		return s.extremeVersion(e, facts)
	}
	word := textproc.TermSetIn(s.form.Language, e.Word)
	best, most := -1, 0.
	for i := range facts {
		n, has := s.extremeValue(e, &facts[i])
		if e.Lowest {
			n = -n
		}
		if has && s.isAsked(facts, i, word) && (best < 0 || n > most) {
			best, most = i, n
		}
	}
	if best < 0 {
		return nil
	}
	return []Sentence{s.shown(&facts[best])}
}

// extremeValue returns the value of a row that a question compares, false for none.
func (s *factScorer) extremeValue(e *textproc.Extreme, f *fact) (float64, bool) {
	for _, column := range e.Columns {
		for _, c := range f.cells {
			if textproc.TermSetIn(s.form.Language, c.Column).Shared(column) == 0 {
				continue
			}
			if n, is := textproc.Amount(s.form.Language, c.Value); is {
				return n, true
			}
		}
	}
	return 0, false
}

// isAsked reports whether a row, the headings above it or its title have what a question asks for, besides
// the word for the extreme.
func (s *factScorer) isAsked(facts []fact, n int, word textproc.TermSet) bool {
	f := &facts[n]
	title := textproc.TermSetIn(s.form.Language, f.Title)
	for _, w := range s.needed {
		_, extreme := word[w.Term]
		_, own := f.terms[w.Term]
		_, above := f.section[w.Term]
		_, over := title[w.Term]
		if !extreme && (own || above || over) {
			return true
		}
	}
	return false
}

// extremeVersion returns what is below the heading with the highest or lowest version, or the sentence that
// has it.
func (s *factScorer) extremeVersion(e *textproc.Extreme, facts []fact) []Sentence {
	best, version := -1, ""
	for i := range facts {
		f := &facts[i]
		v := textproc.AskVersion.In(f.heading)
		if v == "" && s.isAsked(facts, i, nil) {
			v = textproc.AskVersion.In(f.Text)
		}
		if v == "" || f.chat || f.Code {
			continue
		}
		if by := textproc.CompareVersions(v, version); best < 0 || by != 0 && by > 0 != e.Lowest {
			best, version = i, v
		}
	}
	if best < 0 {
		return nil
	}
	first := facts[best].Sentence
	first.Bold = version
	if !strings.Contains(first.Text, version) {
		first.Text = strings.TrimSpace(facts[best].heading) + ": " + first.Text
	}
	out := []Sentence{first}
	for i := best + 1; i < len(facts) && len(out) < factSentences; i++ {
		if f := &facts[i]; f.block == facts[best].block && f.heading == facts[best].heading && strings.Contains(f.heading, version) && !f.Heading {
			out = append(out, f.Sentence)
		}
	}
	return out
}
