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
	case sc.Speaker == "" && anyIs(sc.Tokens, textproc.Negation):
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
