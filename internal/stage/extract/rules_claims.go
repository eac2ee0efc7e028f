package extract

import (
	"slices"
	"strings"
	"unicode"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text/textproc"
)

// Length limits of a sentence that states or describes something, in tokens.
const (
	minStatement = 5
	maxStatement = 60
)

// A claim is a sentence that states something about its first name.
type claim struct {
	subject, object int // entities; object is -1 if there is none
	kind, status    string
	start, end      string
	sentence        int
}

// isStatement reports whether a sentence has a readable length and is not a question.
func isStatement(s textproc.Sentence) bool {
	if n := len(s.Tokens); n < minStatement || n > maxStatement {
		return false
	}
	for _, t := range slices.Backward(s.Tokens) {
		if !t.IsOneOf(" ' \" ’ ” ") {
			return t.Lower != "?"
		}
	}
	return false
}

// addClaim records what a sentence states about its first name if it has a date, a
// figure or, outside a conversation, a negation.
func (d *docReader) addClaim(sc *sentenceContext) {
	if !isStatement(sc.Sentence) {
		return
	}
	subject := slices.IndexFunc(sc.resolved, func(m mention) bool {
		return d.isName[m.e] || sc.Speaker != "" && m.e == d.speakerOf[sc.Speaker]
	})
	if subject < 0 || isCommentHead(sc, sc.resolved[subject].b) || !isFollowedByVerb(sc.Tokens, sc.resolved[subject].b) {
		return
	}
	c := claim{subject: sc.resolved[subject].e, object: -1, sentence: sc.index, status: "TRUE"}
	dated, start, end := d.written.dates(sc.Tokens)
	switch {
	case dated:
		c.kind, c.start, c.end = "fact", start, end
	case hasFigure(sc):
		c.kind = "figure"
	case sc.Speaker == "" && negates(sc.Tokens):
		c.kind = "denial"
	default:
		return
	}
	if anyIs(sc.Tokens, textproc.Hedge) {
		c.status = "SUSPECTED"
	} else if c.kind == "denial" {
		c.status = "FALSE"
	}
	if at := slices.IndexFunc(sc.resolved, func(m mention) bool { return m.e != c.subject }); at >= 0 {
		c.object = sc.resolved[at].e
	}
	d.findings[sc.chunk].claims = append(d.findings[sc.chunk].claims, c)
}

// affirmations are phrases with a word of negation that negate nothing.
var affirmations = phrasesOf("no doubt", "no question that", "no question but", "no wonder", "no sooner", "no less", "no fewer", "no other than", "none other than",
	"not only", "not just", "not merely", "not simply", "not least", "not surprisingly", "not to mention", "nothing but", "nothing less",
	"without doubt", "without a doubt", "without any doubt", "without question", "without exception", "without fail",
	"can't help but", "cannot help but", "couldn't help but", "could not help but", "never mind", "never fails to", "never failed to")

func phrasesOf(texts ...string) (phrases [][]string) {
	for _, text := range texts {
		phrases = append(phrases, strings.Fields(text))
	}
	return phrases
}

// negates reports whether a sentence has a word of negation outside of affirmations.
func negates(toks []textproc.Token) bool {
	for i := 0; i < len(toks); {
		if n := affirmationAt(toks[i:]); n > 0 {
			i += n
			continue
		}
		if toks[i].Is(textproc.Negation) {
			return true
		}
		i++
	}
	return false
}

// affirmationAt returns how many tokens at the start are an affirmation.
func affirmationAt(toks []textproc.Token) int {
	for _, phrase := range affirmations {
		if len(phrase) <= len(toks) && slices.EqualFunc(phrase, toks[:len(phrase)], func(word string, t textproc.Token) bool { return t.Lower == word }) {
			return len(phrase)
		}
	}
	return 0
}

// isCommentHead reports whether "says:" follows a name. That is the heading of a
// comment, and its date is the date of the comment.
func isCommentHead(sc *sentenceContext, at int) bool {
	return at+1 < len(sc.Tokens) && sc.Tokens[at].Lower == "says" && sc.Tokens[at+1].IsSymbol(':')
}

// isFollowedByVerb reports whether a verb follows within eight words.
func isFollowedByVerb(toks []textproc.Token, from int) bool {
	return slices.ContainsFunc(toks[from:min(from+8, len(toks))], func(t textproc.Token) bool { return t.Has(textproc.Verb) })
}

// hasFigure reports whether a sentence has a number outside of names.
func hasFigure(sc *sentenceContext) bool {
	k := 0
	for i, t := range sc.Tokens {
		for k < len(sc.mentions) && sc.mentions[k].b <= i {
			k++
		}
		if k < len(sc.mentions) && sc.mentions[k].a <= i {
			continue
		}
		if t.Is(textproc.NumberWord) || strings.ContainsFunc(t.Text, unicode.IsDigit) {
			return true
		}
	}
	return false
}

// claimRecord returns the record of a claim. Of a sentence that crosses the end of its
// chunk, it quotes what is in the chunk.
func (d *docReader) claimRecord(c claim, chunk graph.Chunk) graph.ClaimRecord {
	s := d.Sentences[c.sentence]
	r := graph.ClaimRecord{
		Subject: d.names[c.subject], Type: c.kind, Status: c.status, StartDate: c.start, EndDate: c.end,
		Description: d.Phrase(s.Span), SourceText: d.text[max(s.Start, chunk.Start):min(s.End, chunk.End)],
	}
	if c.object >= 0 {
		r.Object = d.names[c.object]
	}
	return r
}
