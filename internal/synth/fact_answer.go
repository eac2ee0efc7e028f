package synth

import (
	"slices"

	"github.com/neorag/neorag/internal/textproc"
)

const (
	// factTokens and factSentences bound an answer to a question for one fact.
	factTokens    = 140
	factSentences = 5
	// minFactShare is the share of the best score below which a sentence is left out.
	minFactShare = .4
)

// answerFact chooses the sentences that answer a question for one fact, the best first. It chooses
// none if no sentence holds enough of the question.
func answerFact(r Request, blocks []Block) []Sentence {
	facts := readFacts(blocks)
	if order := answerOrder(r.Question, facts); order != nil {
		return order
	}
	s := newFactScorer(r.Question, facts)
	if s.read(facts); !s.answered(facts) {
		return nil
	}
	s.score(facts)
	sorted := make([]Sentence, 0, len(facts))
	for i := range facts {
		if f := &facts[i]; f.Score > 0 {
			f.Bold = s.ask.In(textOf(f))
			sorted = append(sorted, f.Sentence)
		}
	}
	slices.SortStableFunc(sorted, byScore)
	chosen := chooseFacts(sorted, min(r.AnswerTokens, factTokens))
	if s.ask == textproc.AskTime && len(chosen) > 0 {
		chosen = slices.Insert(chosen, 1, timeOf(facts, chosen[0])...)
	}
	return chosen
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

// chooseFacts chooses sentences, best first, within some tokens; the best one is chosen whatever its
// length. A sentence that repeats a chosen one is left out, or cited with it if it says the same in
// nearly the same words.
func chooseFacts(sorted []Sentence, limit int) []Sentence {
	var chosen []Sentence
	var terms []textproc.TermSet
	tokens := 0
	for _, s := range sorted {
		if len(chosen) == factSentences || s.Score < minFactShare*sorted[0].Score {
			break
		}
		own := textproc.TermSetOf(s.Text)
		if slices.ContainsFunc(terms, func(o textproc.TermSet) bool { return overlap(own, o) }) {
			citeAlso(chosen, s)
			continue
		}
		n := ApproximateTokens(s.Text)
		if tokens+n > limit && len(chosen) > 0 {
			continue
		}
		tokens += n
		terms, chosen = append(terms, own), append(chosen, s)
	}
	return chosen
}
