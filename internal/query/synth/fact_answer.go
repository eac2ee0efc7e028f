package synth

import (
	"slices"

	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

const (
	// factTokens and factSentences bound an answer to a question for one fact.
	factTokens    = 140
	factSentences = 5
	// minFactShare is the share of the best score below which a sentence is left out.
	minFactShare = .4
	minListShare = .6 // if the question asks for a definition or a list
)

// answerFact chooses the sentences that answer a question for one fact, the best first. It chooses
// none if no sentence holds enough of the question.
func answerFact(r Request, blocks []Block) []Sentence {
	form := textproc.FormOf(r.Question, languageOf(blocks))
	facts := readFacts(form.Language, blocks)
	if order := answerOrder(r.Question, facts); order != nil {
		return order
	}
	s := newFactScorer(form, r.Question, facts)
	if extreme := s.answerExtreme(r.Question, facts); extreme != nil {
		return extreme
	}
	if s.read(facts); !s.answered(facts) {
		return nil
	}
	s.score(facts)
	sorted := make([]Sentence, 0, len(facts))
	for i := range facts {
		if f := &facts[i]; f.Score > 0 {
			f.Bold = s.form.Ask.In(textOf(f))
			sorted = append(sorted, f.Sentence)
		}
	}
	slices.SortStableFunc(sorted, byScore)
	least := minFactShare
	if prose := !slices.ContainsFunc(facts, func(f fact) bool { return f.chat }); prose && (s.form.Thing != "" || s.form.Lists) {
		least = minListShare
	}
	chosen := chooseFacts(sorted, least, min(r.AnswerTokens, factTokens))
	if !s.haveKind(facts, chosen) {
		return nil
	}
	if s.form.Ask == textproc.AskTime && len(chosen) > 0 {
		chosen = slices.Insert(chosen, 1, timeOf(facts, chosen[0])...)
	}
	return s.withLists(facts, chosen)
}

// languageOf returns the language of the first block, Unknown without any.
func languageOf(blocks []Block) language.Language {
	if len(blocks) == 0 {
		return language.Unknown
	}
	return language.Of(blocks[0].Text)
}

// haveKind reports whether one of the chosen sentences, a heading above it or its title has the time, number
// or version that the question asks for. Chat logs tell it elsewhere.
func (s *factScorer) haveKind(facts []fact, chosen []Sentence) bool {
	if s.form.Ask == "" || s.form.Ask == textproc.AskPerson {
		return true
	}
	return slices.ContainsFunc(chosen, func(c Sentence) bool {
		at := indexOf(facts, c)
		return at < 0 || facts[at].chat || s.hasKind(&facts[at]) || s.form.Ask == textproc.AskTime && s.form.Ask.In(c.Title) != ""
	})
}

// timeOf returns the line that tells when the chat log of a message was, if its block has one.
func timeOf(facts []fact, message Sentence) []Sentence {
	for i := range facts {
		if f := &facts[i]; f.isTime && f.Target == message.Target && f.Text != message.Text {
			return []Sentence{f.Sentence}
		}
	}
	return nil
}

// textOf returns the text of a sentence without its speaker.
func textOf(f *fact) string {
	if _, at := textproc.Speaker(f.Text); f.speaker != "" && at > 0 {
		return f.Text[at:]
	}
	return f.Text
}

// chooseFacts chooses sentences with a share of the best score, best first, within some tokens; the best one is chosen whatever its
// length.
func chooseFacts(sorted []Sentence, least float64, limit int) []Sentence {
	if end := slices.IndexFunc(sorted, func(s Sentence) bool { return s.Score < least*sorted[0].Score }); end >= 0 {
		sorted = sorted[:end]
	}
	tokens := 0
	return choose(sorted, factSentences, func(s Sentence) bool {
		n := ApproximateTokens(s.Text)
		if tokens > 0 && tokens+n > limit {
			return false
		}
		tokens += n
		return true
	})
}
