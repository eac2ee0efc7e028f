package extract

import (
	"slices"
	"strings"
	"unicode"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/textproc"
)

// Lengths of a sentence that states or describes something, in words and marks.
const (
	shortest = 5
	longest  = 60
)

// A claim is a sentence that states something of its first name.
type claim struct {
	subject, object int // object -1: none
	kind, status    string
	start, end      string
	sentence        int
}

// states reports whether a sentence is a statement of a length that can be read.
func states(s textproc.Sentence) bool {
	if n := len(s.Tokens); n < shortest || n > longest {
		return false
	}
	for _, t := range slices.Backward(s.Tokens) {
		if !is(t.Word, " ' \" ’ ” ") {
			return t.Lower != "?"
		}
	}
	return false
}

// claim notes what a sentence states of its first name, when it has a date, a
// figure, or, outside a conversation, a negation.
func (d *paper) claim(st *stage) {
	if !states(st.Sentence) {
		return
	}
	subject := -1
	for i, m := range st.seen {
		if d.proper[m.e] || st.Speaker != "" && m.e == d.speaker[st.Speaker] {
			subject = i
			break
		}
	}
	if subject < 0 || signed(st, st.seen[subject].b) || !acts(st.Tokens, st.seen[subject].b) {
		return
	}
	c := claim{subject: st.seen[subject].e, object: -1, sentence: st.at, status: "TRUE"}
	dated, start, end := d.written.dates(st.Tokens)
	var hedged, denied bool
	for _, t := range st.Tokens {
		hedged, denied = hedged || t.Is(textproc.Hedge), denied || t.Is(textproc.Negation)
	}
	switch {
	case dated:
		c.kind, c.start, c.end = "fact", start, end
	case figure(st):
		c.kind = "figure"
	case denied && st.Speaker == "":
		c.kind = "denial"
	default:
		return
	}
	if hedged {
		c.status = "SUSPECTED"
	} else if c.kind == "denial" {
		c.status = "FALSE"
	}
	for _, m := range st.seen {
		if m.e != c.subject {
			c.object = m.e
			break
		}
	}
	d.pages[st.chunk].claims = append(d.pages[st.chunk].claims, c)
}

// signed reports whether "says:" follows a name: the head of a comment, whose
// date is that of the comment.
func signed(st *stage, at int) bool {
	return at+1 < len(st.Tokens) && st.Tokens[at].Lower == "says" && st.Tokens[at+1].IsMark(':')
}

// acts reports whether a verb follows within eight words.
func acts(toks []textproc.Token, from int) bool {
	for k := from; k < min(from+8, len(toks)); k++ {
		if toks[k].Has(textproc.Verb) {
			return true
		}
	}
	return false
}

// figure reports whether a number stands outside the names of a sentence.
func figure(st *stage) bool {
	k := 0
	for i, t := range st.Tokens {
		for k < len(st.row) && st.row[k].b <= i {
			k++
		}
		if k < len(st.row) && st.row[k].a <= i {
			continue
		}
		if t.Is(textproc.NumberWord) || strings.ContainsFunc(t.Text, unicode.IsDigit) {
			return true
		}
	}
	return false
}

func (d *paper) claimRecord(c claim) graph.ClaimRecord {
	s := d.Sentences[c.sentence]
	r := graph.ClaimRecord{
		Subject: d.names[c.subject], Type: c.kind, Status: c.status, StartDate: c.start, EndDate: c.end,
		Description: d.Phrase(s.Span), SourceText: d.source[s.Start:s.End],
	}
	if c.object >= 0 {
		r.Object = d.names[c.object]
	}
	return r
}
