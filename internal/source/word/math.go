package word

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/source/plain"
	"github.com/neorag/neorag/internal/text"
)

// A docxMath is an open part of a formula: where its text begins in the paragraph.
type docxMath struct {
	name       string
	at         int
	begin, end string // brackets around it, or a sign before it
	separator  string // between its parts
	parts      int
}

// mathParts are the parts of formulas that are written in another way than one after the other, with
// what is written between their own parts.
var mathParts = map[string]string{
	"num": "", "den": "", "sup": "", "sub": "", "rad": "", "deg": "", "naryPr": "", "lim": "", "fName": "", "e": "",
	"d": "|", "mr": ", ", "m": "; ", "eqArr": "; ",
}

// mathSigns are the signs before parts of formulas that name no other.
var mathSigns = map[string]string{"d": "(", "naryPr": "∫", "rad": "√"}

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
		case "d sepChr":
			part.separator = value
		case "d e", "mr e", "m mr", "eqArr e":
			if part.parts++; part.parts > 1 {
				r.write(part.separator)
			}
		}
	}
	if n := len(r.paragraphs); n > 0 && name == "oMath" && r.mathEnd > 0 && len(r.paragraphs[n-1].Bytes) == r.mathEnd {
		r.write(" ") // between two formulas
	}
	if separator, found := mathParts[name]; found && len(r.paragraphs) > 0 {
		at := len(r.paragraphs[len(r.paragraphs)-1].Bytes)
		r.math = append(r.math, docxMath{name: name, at: at, begin: mathSigns[name], end: ")", separator: separator})
	}
}

// endMath rewrites the text of a part of a formula: a fraction as a/b, a power as a^b or with
// raised digits.
func (r *docxReader) endMath(name string) {
	n := len(r.math)
	if name == "oMath" && len(r.paragraphs) > 0 {
		r.mathEnd = len(r.paragraphs[len(r.paragraphs)-1].Bytes)
	}
	if n == 0 || r.math[n-1].name != name || len(r.paragraphs) == 0 {
		return
	}
	p := r.paragraphs[len(r.paragraphs)-1]
	part := r.math[n-1]
	at := min(part.at, len(p.Bytes))
	r.math = r.math[:n-1]
	if name == "e" || part.parts > 0 && name != "d" { // as it is
		return
	}
	inner := strings.TrimSpace(string(p.Bytes[at:]))
	p.Bytes = p.Bytes[:at]
	if name == "naryPr" {
		r.write(part.begin)
	}
	if inner == "" {
		return
	}
	switch name {
	case "d":
		if at > 0 && at == r.nameEnd && p.Bytes[at-1] == ' ' { // the argument of a function
			p.Bytes = p.Bytes[:at-1]
		}
		r.write(part.begin + inner + part.end)
	case "num":
		if before, _ := utf8.DecodeLastRune(p.Bytes); unicode.IsDigit(before) { // a whole number before a fraction
			r.write(" ")
		}
		r.write(plain.Bracketed(inner) + "/")
	case "den":
		r.write(plain.Bracketed(inner))
	case "rad":
		r.write(part.begin + plain.Bracketed(inner))
	case "deg":
		if raised, ok := text.Superscript(inner); ok && n > 1 {
			r.math[n-2].begin = raised + "√"
		} else {
			r.write(inner)
		}
	case "lim":
		r.write("_" + plain.Bracketed(inner))
	case "fName":
		r.write(inner + " ")
		r.nameEnd = len(p.Bytes)
	case "sup":
		r.write(plain.Exponent(inner))
	case "sub":
		r.write(plain.Index(inner))
	}
}
