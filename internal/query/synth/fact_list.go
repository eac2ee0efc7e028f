package synth

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

const (
	maxListed = 12 // items of a list that an answer shows
	maxCode   = 4  // lines of code
	nearBest  = .8 // of the best score, from which what another sentence introduces is shown too
)

// minIntroducing is the number of words of a sentence that introduces something: fewer are a label, such
// as Added.
const minIntroducing = 3

// introduces reports whether a sentence ends with a colon, so that what follows it says the rest.
func introduces(f *fact) bool {
	line := strings.TrimRight(f.Text, " *_")
	label, ends := strings.CutSuffix(line, ":")
	if !ends {
		if label, ends = strings.CutSuffix(line, "："); !ends {
			return false
		}
	}
	words := len(strings.Fields(label))
	if !language.Of(label).SeparatesWords() {
		words = utf8.RuneCountInString(label) / 2
	}
	return !f.Heading && !f.Code && words >= minIntroducing
}

// withLists completes the chosen sentences of prose: the lines of a list, a table or code follow the
// sentence that introduces them. If the question asks for a list and the best sentence is an item of one,
// its whole list is the answer.
func (s *factScorer) withLists(facts []fact, chosen []Sentence) []Sentence {
	var out []Sentence
	for i, c := range chosen {
		at := indexOf(facts, c)
		if at < 0 || facts[at].chat {
			out = append(out, c)
			continue
		}
		from, to := at, at+1
		switch {
		case introduces(&facts[at]) || isBeforeList(facts, at) && textproc.Announces(c.Text) || s.form.Lists && (facts[at].Heading || i == 0 && isBeforeList(facts, at)):
			if i > 0 && c.Score < nearBest*chosen[0].Score {
				continue // it says little without what follows
			}
			to = s.introducedEnd(facts, at+1)
		case s.form.Lists && i == 0 && c.Listed:
			if from = s.listStart(facts, at); !facts[from].Listed || s.form.Members || s.isAbout(facts[at].section) {
				to = s.introducedEnd(facts, at)
			} else {
				from = at
			}
		}
		if s.form.Lists && i == 0 {
			to = s.reasonBelow(facts, at, s.codeBelow(facts, to))
		}
		for n := from; n < to; n++ {
			if line := s.shown(&facts[n]); !facts[n].columns && !isIn(out, line) {
				out = append(out, line)
			}
		}
	}
	return out
}

// reasonBelow returns the place after the sentence that follows the best one, if the question asks why and the
// best one does not say so.
func (s *factScorer) reasonBelow(facts []fact, at, to int) int {
	if s.form.Cue != textproc.Reason || to != at+1 || s.form.Cue.In(facts[at].Text) || to >= len(facts) {
		return to
	}
	next := &facts[to]
	if next.block != facts[at].block || next.heading != facts[at].heading || next.Fragment || next.Code {
		return to
	}
	return to + 1
}

// codeReach is how many sentences after the best one code is looked for.
const codeReach = 3

// codeBelow returns the place after the code that follows the place of a sentence soon, in its section; the
// place itself if there is none.
func (s *factScorer) codeBelow(facts []fact, to int) int {
	for n := to; n < len(facts) && n < to+codeReach; n++ {
		if f := &facts[n]; f.block != facts[to-1].block || f.Heading || f.chat {
			break
		}
		if facts[n].Code {
			return s.introducedEnd(facts, n)
		}
	}
	return to
}

// shown returns a sentence as an answer shows it: code is marked, and a sentence below a heading that has
// what the question asks for begins with the heading.
func (s *factScorer) shown(f *fact) Sentence {
	line := f.Sentence
	switch {
	case f.Code:
		line.Text = "`" + strings.Trim(f.Text, "`") + "`"
	case f.bare:
		line.Text = rowText(f.cells)
	case f.chat || f.Heading:
	case s.form.Ask == textproc.AskTime:
		line.Text, line.Bold = datedText(f)
	case s.form.Ask.In(f.Text) == "" && s.form.Ask.In(f.heading) != "":
		line.Text, line.Bold = strings.TrimSpace(f.heading)+": "+f.Text, s.form.Ask.In(f.heading)
	}
	return line
}

// isAbout reports whether headings hold half of what the question asks.
func (s *factScorer) isAbout(section textproc.TermSet) bool {
	return s.total > 0 && weightOf(section, s.weights) >= s.total/2
}

// isBeforeList reports whether a list follows a sentence that is not of one.
func isBeforeList(facts []fact, at int) bool {
	return at+1 < len(facts) && facts[at+1].block == facts[at].block && facts[at+1].Listed && !facts[at].Listed
}

// listStart returns the place of the sentence that introduces the list of an item, or else of the first
// item. If the question asks for members, any sentence before the list introduces it.
func (s *factScorer) listStart(facts []fact, at int) int {
	from := at
	for from > 0 && facts[from-1].block == facts[at].block && facts[from-1].Listed {
		from--
	}
	if from > 0 && facts[from-1].block == facts[at].block && (introduces(&facts[from-1]) || s.form.Members && !facts[from-1].Fragment) {
		from--
	}
	return from
}

// introducedEnd returns the place after the last line that the sentence before a place introduces: items
// of a list, rows of a table, or lines of code.
func (s *factScorer) introducedEnd(facts []fact, from int) int {
	to := from
	if from == len(facts) {
		return to
	}
	same := func(f *fact) bool { return f.block == facts[from-1].block && !f.Heading }
	switch first := &facts[from]; {
	case !same(first):
	case first.Code:
		for to < len(facts) && same(&facts[to]) && facts[to].Code && to < from+maxCode {
			to++
		}
	case first.Listed:
		for to < len(facts) && same(&facts[to]) && facts[to].Listed && to < from+maxListed {
			to++
		}
	case !s.form.Lists:
	default:
		for to < len(facts) && same(&facts[to]) && facts[to].Fragment && !facts[to].Code && to < from+maxListed {
			to++
		}
	}
	return to
}

// isIn reports whether sentences hold one of the same place.
func isIn(sentences []Sentence, s Sentence) bool {
	return slices.ContainsFunc(sentences, func(o Sentence) bool { return o.Target == s.Target && o.Quote == s.Quote })
}
