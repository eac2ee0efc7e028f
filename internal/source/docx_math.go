package source

import (
	"strings"
	"unicode"

	"github.com/neorag/neorag/internal/text"
)

// A docxMath is an open part of a formula: where its text begins in the paragraph.
type docxMath struct {
	name       string
	at         int
	begin, end string // brackets around it, or a sign before it
}

// mathParts are the parts of formulas that are written in another way than one after the other.
var mathParts = map[string]bool{"num": true, "den": true, "sup": true, "sub": true, "rad": true, "d": true, "naryPr": true}

// mathSigns are the signs before parts of formulas that name no other.
var mathSigns = map[string]string{"d": "(", "naryPr": "∫"}

func (r *docxReader) startMath(name, value string) {
	if open := len(r.math); open > 0 {
		part := &r.math[open-1]
		switch part.name + " " + name {
		case "naryPr chr": // of a sum or a product
			part.begin = value
		case "d begChr":
			part.begin = value
		case "d endChr":
			part.end = value
		}
	}
	if n := len(r.paragraphs); n > 0 && mathParts[name] {
		r.math = append(r.math, docxMath{name, len(r.paragraphs[n-1].b), mathSigns[name], ")"})
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
	part := r.math[n-1]
	at := min(part.at, len(p.b))
	r.math = r.math[:n-1]
	inner := strings.TrimSpace(string(p.b[at:]))
	p.b = p.b[:at]
	if name == "naryPr" {
		r.write(part.begin)
	}
	if inner == "" {
		return
	}
	switch name {
	case "d":
		r.write(part.begin + inner + part.end)
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
