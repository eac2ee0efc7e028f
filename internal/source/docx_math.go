package source

import (
	"strings"
	"unicode"

	"github.com/neorag/neorag/internal/text"
)

// A docxMath is an open part of a formula: where its text begins in the paragraph.
type docxMath struct {
	name string
	at   int
}

// mathParts are the parts of formulas that are written in another way than one after the other.
var mathParts = map[string]bool{"num": true, "den": true, "sup": true, "sub": true, "rad": true}

func (r *docxReader) startMath(name string) {
	if n := len(r.paragraphs); n > 0 && mathParts[name] {
		r.math = append(r.math, docxMath{name, len(r.paragraphs[n-1].b)})
	}
}

// endMath rewrites the text of a part of a formula: a fraction as a/b, a power as a^b or with
// raised digits.
func (r *docxReader) endMath(name string) {
	n := len(r.math)
	if n == 0 || r.math[n-1].name != name || len(r.paragraphs) == 0 {
		return
	}
	p := r.paragraphs[len(r.paragraphs)-1]
	at := min(r.math[n-1].at, len(p.b))
	r.math = r.math[:n-1]
	inner := strings.TrimSpace(string(p.b[at:]))
	p.b = p.b[:at]
	if inner == "" {
		return
	}
	switch name {
	case "num":
		r.write(bracketed(inner) + "/")
	case "den":
		r.write(bracketed(inner))
	case "rad":
		r.write("√" + bracketed(inner))
	case "sup":
		if raised, ok := text.Superscript(inner); ok {
			r.write(raised)
		} else {
			r.write("^" + bracketed(inner))
		}
	case "sub":
		if lowered, ok := text.Subscript(inner); ok {
			r.write(lowered)
		} else {
			r.write("_" + bracketed(inner))
		}
	}
}

// bracketed returns a term in brackets, unless it is one number or name.
func bracketed(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && r != ',' }) {
		return "(" + s + ")"
	}
	return s
}
