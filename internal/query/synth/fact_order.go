package synth

import (
	"strings"
	"unicode"

	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

// blockShare is how much all of a chat log counts next to its best message.
const blockShare = .4

// answerOrder answers a question whether one event was before or after another by the times of the two
// chat logs that are closest to the events, and shows the closest message of each. It returns none for
// another question, or if the times are not known or equal.
func answerOrder(question string, facts []fact) []Sentence {
	first, second, before, ok := textproc.OrderAsked(question)
	if !ok {
		return nil
	}
	times := timesOf(facts)
	a, b := closestMessage(first, facts, times), closestMessage(second, facts, times)
	if a == nil || b == nil || digits(times[a.block]) == digits(times[b.block]) {
		return nil
	}
	said := "No"
	if digits(times[a.block]) < digits(times[b.block]) == before {
		said = "Yes"
	}
	out := []Sentence{a.Sentence, b.Sentence}
	out[0].Text, out[0].Bold = said+": "+times[a.block]+", "+a.Text, said
	out[1].Text = times[b.block] + ", " + b.Text
	return out
}

// timesOf returns the times of chat logs by their blocks.
func timesOf(facts []fact) map[int]string {
	out := map[int]string{}
	for i := range facts {
		if f := &facts[i]; f.isTime && out[f.block] == "" {
			_, out[f.block], _ = strings.Cut(f.Text, ":")
			out[f.block] = strings.TrimSpace(out[f.block])
		}
	}
	return out
}

// digits returns the digits of a time, which sort as the times do if these are written in one form.
func digits(time string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, time)
}

// closestMessage returns the message that shares most with an event, of the chat log that does, nil if
// none shares anything.
func closestMessage(event string, facts []fact, times map[int]string) *fact {
	s := newFactScorer(textproc.FormOf(event, language.Unknown), event, facts)
	if s.total == 0 {
		return nil
	}
	whole := map[int]float64{}
	for i := range facts {
		block := facts[i].block
		if _, known := whole[block]; !known && times[block] != "" {
			whole[block] = weightOf(termsAround(facts, i, len(facts)), s.weights) / s.total
		}
	}
	var best *fact
	most := 0.
	for i := range facts {
		f := &facts[i]
		if own := s.share(f); times[f.block] != "" && !f.isTime && own > 0 {
			if score := (1-blockShare)*own + blockShare*whole[f.block]; score > most {
				best, most = f, score
			}
		}
	}
	return best
}
