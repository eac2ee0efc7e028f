package openai

import (
	"strings"
	"unicode"
)

// pieces joins the pieces of a streamed text. A server sends each piece once, or all text so
// far in each chunk, or pieces and at the end all text. The zero value is empty.
type pieces struct {
	text   strings.Builder
	form   form
	held   string // the second piece, if it may be all text so far
	deltas bool   // a delta was added
	looked int    // bytes in which a loop was looked for
}

// loops looks for a loop at the end of the text, if at least step bytes came since the last look.
// It returns the text with one copy of what the loop repeats.
func (p *pieces) loops(step int) (once string, found bool) {
	if p.text.Len()-p.looked < step {
		return "", false
	}
	p.looked = p.text.Len()
	return cutLoop(p.text.String())
}

// form is what the chunks of a stream hold.
type form int

const (
	formUnknown    form = iota
	formPieces          // each a new piece
	formCumulative      // each all text so far
)

// next adds what a chunk has as its delta and as its message, and returns what is new. Where
// chunks have both, the message repeats the deltas.
func (p *pieces) next(delta, message string) (fresh string) {
	switch {
	case delta != "":
		p.deltas = true
		return p.add(delta)
	case message == "":
		return ""
	case p.deltas || p.form == formPieces && p.repeatedBy(message):
		return p.complete(message)
	default:
		return p.add(message)
	}
}

// add adds a piece. Two pieces of which the second begins with a short first one may be either
// form: "1" and "10". Then the third decides.
func (p *pieces) add(piece string) (fresh string) {
	text := p.text.String()
	switch {
	case text == "" || p.form == formPieces:
		fresh = piece
	case p.form == formCumulative:
		fresh = piece
		if rest, ok := strings.CutPrefix(piece, text); ok {
			fresh = rest
		} else if strings.HasPrefix(text, piece) {
			fresh = ""
		}
	case p.held != "" && extends(piece, p.held):
		p.form, p.held, fresh = formCumulative, "", piece[len(text):]
	case p.held != "":
		p.form, fresh, p.held = formPieces, p.held+piece, ""
	case extends(piece, text) && p.repeatedBy(piece):
		p.form, fresh = formCumulative, piece[len(text):]
	case extends(piece, text):
		p.held = piece
	default:
		p.form, fresh = formPieces, piece
	}
	p.text.WriteString(fresh)
	return fresh
}

// complete adds the part of a whole text that did not arrive in pieces. A whole text that is
// not the sum of the pieces adds nothing: they were delivered already.
func (p *pieces) complete(whole string) (fresh string) {
	fresh = p.flush()
	rest, _ := strings.CutPrefix(whole, p.text.String())
	if len(rest) == len(whole) && p.text.Len() > 0 {
		return fresh
	}
	p.text.WriteString(rest)
	return fresh + rest
}

// flush adds the piece that is held back, at the end of the stream. A word that begins with
// another one is more likely all text so far: "Yes" and "Yes."
func (p *pieces) flush() (fresh string) {
	fresh, p.held = p.held, ""
	if text := p.text.String(); fresh != "" && strings.ContainsFunc(text, unicode.IsLetter) {
		fresh = fresh[len(text):]
	}
	p.text.WriteString(fresh)
	return fresh
}

// repeatedBy reports whether a text begins with all text so far, and this is long enough not
// to be a coincidence.
func (p *pieces) repeatedBy(text string) bool {
	const distinctive = 8 // bytes
	so := p.text.String()
	return len(so) >= distinctive && strings.ContainsFunc(so, unicode.IsLetter) && strings.HasPrefix(text, so)
}

// extends reports whether a text begins with another one and is longer.
func extends(text, beginning string) bool {
	return len(text) > len(beginning) && strings.HasPrefix(text, beginning)
}
