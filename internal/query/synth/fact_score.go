package synth

import (
	"maps"
	"math"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/text/textproc"
)

// How facts are scored. The values were chosen on questions of LiHuaWorld with even ids.
const (
	askPenalty   = .4 // of a sentence that asks what the question asks
	replyShare   = 1. // of what a question before it shares with the question, which a reply gets
	replyToWho   = .3 // of that, for a question for a person: who asked or said it is the answer
	replyReach   = 2  // messages; in prose one sentence
	furtherShare = .5 // of what the line before it shares, which a further line of a message gets
	aroundShare  = .5 // of what the sentences around it hold of the question
	aroundReach  = 3  // sentences on each side
	kindBonus    = .5 // for a time or number, if the question asks for one
	pronounShare = .6 // of what the sentence before it shares, which prose with a pronoun gets
	subjectBonus = .5 // for a message of the first person that the question names
	subjectLoss  = .3 // for such a message, if the question asks for a person
	timeLineLoss = .7
)

// A factScorer scores sentences for a question.
type factScorer struct {
	form     textproc.Form           // of the question
	names    []textproc.TermSet      // that the question has
	weights  []textproc.WeightedTerm // its terms: rare ones in the context weigh more
	total    float64
	needed   []textproc.WeightedTerm // those that an answer needs to hold
	need     float64
	pairs    map[string]bool
	asksOne  bool             // the question asks for one thing of something, such as a time or an address
	property textproc.TermSet // terms of what it asks of something, such as address
	asked    textproc.TermSet // its terms
}

// newFactScorer weighs the terms of a question of a form by their rarity among sentences.
func newFactScorer(form textproc.Form, question string, facts []fact) *factScorer {
	base := textproc.WithBaseForms(form.Language, question)
	q := textproc.ReadQuestionIn(form.Language, base)
	s := &factScorer{form: form, pairs: map[string]bool{}, asked: textproc.TermSet{}}
	s.property = textproc.TermSetIn(form.Language, form.Property)
	s.asksOne = !form.Lists && (form.Ask != "" || len(s.property) > 0)
	needed := textproc.AnswerTerms(form.Language, base)
	for i := range facts {
		facts[i].terms.AddNearForms(s.form.Language, q.Terms)
	}
	for _, t := range q.Terms {
		with := 0
		for i := range facts {
			if _, has := facts[i].terms[t.Term]; has {
				with++
			}
		}
		s.asked.Add(t.Term)
		w := textproc.WeightedTerm{Term: t.Term, Weight: rank.Rarity(len(facts), with)}
		s.weights, s.total = append(s.weights, w), s.total+w.Weight
		if slices.Contains(needed, t.Term) {
			w.Weight = max(w.Weight, leastWeight)
			s.needed, s.need = append(s.needed, w), s.need+w.Weight
		}
	}
	for _, p := range q.Pairs {
		s.pairs[p] = true
	}
	for _, name := range q.Names {
		s.names = append(s.names, textproc.TermSetIn(s.form.Language, name))
	}
	return s
}

// read sets what each sentence shares with the question.
func (s *factScorer) read(facts []fact) {
	for i := range facts {
		f := &facts[i]
		f.own = s.share(f)
		asked, all := 0., 0.
		questionsIn(f.base, func(part string, asks bool) {
			w := weightOf(textproc.TermSetIn(s.form.Language, part), s.weights)
			if all += w; asks {
				asked += w
			}
		})
		if all > 0 {
			f.asks = asked / all
		}
		if !f.chat && s.total > 0 {
			f.own += s.contextShare(facts, i)
		}
	}
}

// share returns the share of the question's terms that a sentence holds, by weight, with a bonus for
// pairs of terms.
func (s *factScorer) share(f *fact) float64 {
	if s.total == 0 {
		return 0
	}
	share := weightOf(f.terms, s.weights) / s.total
	if len(s.pairs) == 0 {
		return share
	}
	found := map[string]bool{}
	for _, p := range textproc.TermPairs(textproc.TermsIn(s.form.Language, f.base)) {
		if s.pairs[p] {
			found[p] = true
		}
	}
	return (share + pairBonus*float64(len(found))/float64(len(s.pairs))) / (1 + pairBonus)
}

// pairBonus is the weight of all pairs of a question, relative to all terms.
const pairBonus = .2

// weightOf returns the weight of the terms that a text has.
func weightOf(terms textproc.TermSet, weights []textproc.WeightedTerm) float64 {
	sum := 0.
	for _, w := range weights {
		if _, has := terms[w.Term]; has {
			sum += w.Weight
		}
	}
	return sum
}

// score sets the score of each sentence, from what it and the sentences around it share with the
// question.
func (s *factScorer) score(facts []fact) {
	for i := range facts {
		f := &facts[i]
		score := f.own*(1-askPenalty*f.asks) + s.fromBefore(facts, i)
		if f.chat || score > 0 {
			score += aroundShare * s.around(facts, i)
		}
		if s.form.Ask.In(f.Text) != "" || !f.chat && s.form.Ask.In(f.heading) != "" {
			score *= 1 + kindBonus
		}
		if len(s.names) > 0 && f.speaker != "" && textproc.TermSetIn(s.form.Language, f.speaker).Shared(s.names[0]) > 0 {
			if s.form.Ask == textproc.AskPerson {
				score *= 1 - subjectLoss
			} else {
				score *= 1 + subjectBonus
			}
		}
		if f.isTime {
			score *= 1 - timeLineLoss
		}
		if !f.chat {
			score = s.proseScore(facts, i, score)
		}
		// Length lowers the score slowly: by a tenth at twenty terms.
		f.Score = score * f.weight / (1 + float64(.15*math.Log(1+float64(len(f.terms))/20)))
	}
}

// fromBefore is what a sentence gets of those before it: a reply of a question, and a further line of
// a message of the line before.
func (s *factScorer) fromBefore(facts []fact, n int) float64 {
	reply := replyShare
	if s.form.Ask == textproc.AskPerson && facts[n].chat {
		reply *= replyToWho
	}
	sum := 0.
	for places := 1; places <= replyReach; places++ {
		p := before(facts, n, places)
		if p == nil || places > 1 && !p.chat {
			break
		}
		near := p.own / float64(places)
		answers := p.asks
		if !p.chat && answers > 0 && textproc.HasQuestionWord(p.Text) != s.form.Open { // yes answers another question than who
			answers = 0
		}
		if p.chat { // what follows a message often answers it, also if it asks nothing
			answers = .3 + .7*p.asks
		}
		sum += reply * near * answers
		if !facts[n].chat && places == 1 && textproc.HasPronoun(facts[n].Text) {
			sum += pronounShare * p.own * (1 - p.asks)
		}
		if f := &facts[n]; f.speaker != "" && f.speaker == p.speaker && !f.opens {
			sum += furtherShare * near
		}
	}
	return sum
}

// around returns the share of the question that a sentence holds with those around it.
func (s *factScorer) around(facts []fact, n int) float64 {
	if s.total == 0 {
		return 0
	}
	return weightOf(termsAround(facts, n, aroundReach), s.weights) / s.total
}

// termsAround returns the terms of a sentence and of those around it in its block.
func termsAround(facts []fact, n, reach int) textproc.TermSet {
	all := textproc.TermSet{}
	for i := max(0, n-reach); i <= min(len(facts)-1, n+reach); i++ {
		if facts[i].block == facts[n].block {
			for t := range facts[i].terms {
				all.Add(t)
			}
		}
	}
	return all
}

// When nothing answers a question: no message of a chat log, or no place in another text, holds the
// least share of what an answer needs to hold. A long question says more than its answer does, so
// that in prose about two and a half of its terms are enough. The values were chosen on questions
// of LiHuaWorld and wild with even ids, inProse on the sample.
const (
	leastNeeded = .5
	inProse     = .35 // where other words than the question's are likely
	leastWeight = 2.  // of a term that most of what was read has
	leastTerms  = 2.5
	proseReach  = 2 // sentences on each side
)

// answered reports whether some sentence holds enough of the question. Where there are sources, other
// nodes do not count: what they say is in a source, or says less. In prose, a question about something that
// it names is answered only where what it asks of that is spoken of too.
func (s *factScorer) answered(facts []fact) bool {
	if s.need == 0 {
		return true
	}
	sourced := slices.ContainsFunc(facts, func(f fact) bool { return f.Target.Kind == graph.KindChunk })
	prose := min(inProse, leastTerms/float64(len(s.needed)))
	asked, named := s.askedOfNames()
	for i := range facts {
		f := &facts[i]
		if sourced && f.Target.Kind != graph.KindChunk {
			continue
		}
		terms, least := f.terms, leastNeeded
		if !f.chat {
			terms, least = termsAround(facts, i, proseReach), prose
			terms.Add(slices.Collect(maps.Keys(f.section))...)
			if s.asksOne && len(named) > 0 && len(asked) > 0 && (weightOf(terms, named) == 0 || weightOf(terms, asked) == 0) ||
				len(s.property) > 0 && s.property.Shared(terms) == 0 ||
				len(s.form.Figures) > 0 && !s.hasFigure(f) {
				continue
			}
		}
		if weightOf(terms, s.needed) >= least*s.need {
			return true
		}
	}
	return false
}

// askedOfNames splits what an answer needs to hold into what is asked and the names of what it is asked of.
func (s *factScorer) askedOfNames() (asked, named []textproc.WeightedTerm) {
	for _, w := range s.needed {
		if slices.ContainsFunc(s.names, func(name textproc.TermSet) bool { _, has := name[w.Term]; return has }) {
			named = append(named, w)
		} else {
			asked = append(asked, w)
		}
	}
	return asked, named
}
