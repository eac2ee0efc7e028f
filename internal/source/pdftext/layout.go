package pdftext

import (
	"math"
	"strings"

	"github.com/ledongthuc/pdf"
)

// A matrix maps points as in PDF: x' = a*x + c*y + e, y' = b*x + d*y + f.
type matrix struct{ a, b, c, d, e, f float64 }

var identity = matrix{a: 1, d: 1}

// mul returns the matrix that applies m, then n.
func (m matrix) mul(n matrix) matrix {
	return matrix{
		m.a*n.a + m.b*n.c, m.a*n.b + m.b*n.d,
		m.c*n.a + m.d*n.c, m.c*n.b + m.d*n.d,
		m.e*n.a + m.f*n.c + n.e, m.e*n.b + m.f*n.d + n.f,
	}
}

// matrixOf returns the matrix of six operands.
func matrixOf(v []pdf.Value) matrix {
	return matrix{v[0].Float64(), v[1].Float64(), v[2].Float64(), v[3].Float64(), v[4].Float64(), v[5].Float64()}
}

// A layout separates strings into words, lines and paragraphs by their positions.
type layout struct {
	b       strings.Builder
	begun   bool    // it has a string
	u, v    float64 // the end of the last string: along its line, and across
	size    float64 // of the last string
	leading float64 // distance between the last two lines
}

// add appends a string of a font size. The matrices give its start and its end.
func (l *layout) add(s string, from, to matrix, size float64) {
	if s == "" {
		return
	}
	length := math.Hypot(from.a, from.b)
	if length == 0 {
		length = 1
	}
	ux, uy := from.a/length, from.b/length // the direction of the line
	size = math.Abs(size) * math.Hypot(from.c, from.d)
	u, v := from.e*ux+from.f*uy, from.f*ux-from.e*uy
	if l.begun {
		l.separate(s, u-l.u, l.v-v, max(size, l.size))
	}
	l.b.WriteString(s)
	l.begun, l.size = true, size
	l.u, l.v = to.e*ux+to.f*uy, to.f*ux-to.e*uy
}

// separate writes what separates s from the string before it: nothing, a space, a
// line end or a blank line. right and down are the distances between the two.
func (l *layout) separate(s string, right, down, size float64) {
	switch {
	case math.Abs(down) > size/2:
		l.b.WriteString("\n")
		if down < 0 || down > 1.5*size && down > 1.3*l.leading {
			l.b.WriteString("\n")
		}
		if down > 0 {
			l.leading = down
		}
	case right > 0.15*size || right < -size:
		if !strings.HasPrefix(s, " ") {
			l.b.WriteString(" ")
		}
	}
}

// text returns the collected text, with single spaces within lines, none at their
// ends, and at most one blank line in a row.
func (l *layout) text() string {
	var b strings.Builder
	for s := range strings.Lines(l.b.String()) {
		b.WriteString(strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\u00a0' }), " "))
		b.WriteString("\n")
	}
	text := b.String()
	for strings.Contains(text, "\n\n\n") {
		text = strings.ReplaceAll(text, "\n\n\n", "\n\n")
	}
	return strings.TrimSpace(text)
}
