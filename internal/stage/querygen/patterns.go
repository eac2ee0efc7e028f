package querygen

import (
	"context"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text/textproc"
)

// patternsVersion changes when the same chunk gives other pairs.
const patternsVersion = "4"

// Patterns makes pairs without a model. A question is a sentence of the chunk with a gap:
// its subject, place, date, number or reason is replaced by a question word and is the
// answer. In a chat log the question names the speaker, and the message answers it. Of a
// text in another language than English, whose word order is not known, a question is the
// list of what the sentence names.
type Patterns struct{ Options }

// Fingerprint covers everything that affects the pairs of a text.
func (p Patterns) Fingerprint() string {
	return graph.Hash("patterns", patternsVersion, p.fingerprint())
}

// Pairs returns the pairs of a text, in the order in which they are made: one of each
// sentence, those with most content first, then more of each.
func (p Patterns) Pairs(ctx context.Context, chunk string) ([]QAPair, error) {
	a := textproc.Analyze(chunk)
	var perSentence [][]QAPair
	var weights []int
	for i, s := range a.Sentences {
		if i%100 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		r := sentenceReader{analysis: a, sentence: s}
		if pairs := r.pairs(); len(pairs) > 0 {
			perSentence, weights = append(perSentence, pairs), append(weights, r.weight())
		}
	}
	order := make([]int, len(perSentence))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return weights[b] - weights[a] })
	out := newList(p.count())
	for round, more := 0, true; more && !out.full(); round++ {
		more = false
		for _, i := range order {
			if round < len(perSentence[i]) {
				more = true
				out.add(perSentence[i][round])
			}
		}
	}
	return out.pairs, ctx.Err()
}

// Length limits of a sentence that pairs are made of, in tokens.
const (
	minSentence = 4
	maxSentence = 80
)

// A sentenceReader makes the pairs of one sentence.
type sentenceReader struct {
	analysis *textproc.Analysis
	sentence textproc.Sentence
	names    []textproc.Span // as ranges of tokens
}

// pairs returns the pairs of the sentence, the most specific first; none of a heading, a
// question outside of a chat, or a sentence that is too short or too long.
func (r *sentenceReader) pairs() []QAPair {
	toks := r.sentence.Tokens
	if n := len(toks); n < minSentence || n > maxSentence || r.sentence.Fragment {
		return nil
	}
	r.names = r.analysis.Names(r.sentence)
	question := strings.HasSuffix(r.text(0, len(toks)), "?")
	if !r.analysis.English {
		return r.about("", 1) // no words of any language
	}
	if r.sentence.Speaker != "" {
		return append(r.spoken(question), r.gaps(question)...)
	}
	if question {
		return nil
	}
	return append(r.gaps(false), r.about("What is said about ", 2)...)
}

// weight is how much a sentence has to ask for.
func (r *sentenceReader) weight() int {
	n := 0
	for _, t := range r.sentence.Tokens {
		if t.Has(textproc.Letters) && t.Runes > 2 && !t.Is(textproc.FunctionWord) || t.Has(textproc.Digits) {
			n++
		}
	}
	return n + 2*len(r.names)
}

// text returns the tokens from a to b as they are written, on one line.
func (r *sentenceReader) text(a, b int) string {
	toks := r.sentence.Tokens
	if a >= b {
		return ""
	}
	return r.analysis.Phrase(textproc.Span{Start: int(toks[a].Start), End: int(toks[b-1].End)})
}

// without returns the sentence without the tokens from a to b and without its end mark.
func (r *sentenceReader) without(a, b int) string {
	end := len(r.sentence.Tokens)
	for end > b && r.sentence.Tokens[end-1].Has(textproc.Symbol) {
		end--
	}
	return strings.TrimRight(strings.TrimSpace(r.text(0, a)+" "+r.text(b, end)), " ,;:")
}
