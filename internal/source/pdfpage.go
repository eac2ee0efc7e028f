package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/ledongthuc/pdf"
)

const (
	maxPDFPage  = 32 << 20 // bytes of the unpacked content of one page
	maxPDFForms = 8        // drawings inside one another
	maxPDFSaved = 10_000   // states that are saved at once
)

// A matrix maps points as in PDF: x' = a*x + c*y + e, y' = b*x + d*y + f.
type matrix struct{ a, b, c, d, e, f float64 }

var identity = matrix{a: 1, d: 1}

// mul is m, then n.
func (m matrix) mul(n matrix) matrix {
	return matrix{
		m.a*n.a + m.b*n.c, m.a*n.b + m.b*n.d,
		m.c*n.a + m.d*n.c, m.c*n.b + m.d*n.d,
		m.e*n.a + m.f*n.c + n.e, m.e*n.b + m.f*n.d + n.f,
	}
}

// A pdfState is what operators of a page set.
type pdfState struct {
	ctm, tm, tlm matrix
	font         *pdfFont
	size         float64
	leading      float64
	charSpace    float64
	wordSpace    float64
	scale        float64
	rise         float64
}

// A pdfPainter follows the operators of a page and writes down what they show.
type pdfPainter struct {
	ctx    context.Context //nolint:containedctx // it lives as long as one page
	fonts  pdfFonts
	state  pdfState
	saved  []pdfState
	layout pdfLayout
	left   int64 // bytes of content that may still be read
}

// pdfPage is the text of a page. With an error it is what comes before.
func pdfPage(ctx context.Context, page pdf.Value, fonts pdfFonts) (text string, err error) {
	p := pdfPainter{ctx: ctx, fonts: fonts, left: maxPDFPage}
	p.state.ctm, p.state.scale = identity, 1
	defer func() {
		if r := recover(); r != nil {
			err = errors.New(oneLine(r))
		}
		text = p.layout.text()
	}()
	p.run(page.Key("Contents"), inherited(page, "Resources"), 0)
	return "", nil
}

// inherited is a property of a page or of what is above it in the tree.
func inherited(page pdf.Value, key string) pdf.Value {
	for range maxPDFTree {
		if v := page.Key(key); !v.IsNull() || page.IsNull() {
			return v
		}
		page = page.Key("Parent")
	}
	return pdf.Value{}
}

// run interprets a content stream, or several that are one.
func (p *pdfPainter) run(content, resources pdf.Value, depth int) {
	switch content.Kind() {
	case pdf.Stream:
		p.measure(content)
	case pdf.Array:
		for i := range content.Len() {
			p.measure(content.Index(i))
		}
	default:
		return
	}
	pdf.Interpret(content, func(stack *pdf.Stack, op string) {
		args := make([]pdf.Value, min(stack.Len(), 8))
		for i := len(args) - 1; i >= 0; i-- {
			args[i] = stack.Pop()
		}
		for stack.Len() > 0 {
			stack.Pop()
		}
		p.operator(op, args, resources, depth)
	})
}

// measure stops at content that unpacks to too much.
func (p *pdfPainter) measure(stream pdf.Value) {
	if stream.Kind() != pdf.Stream {
		return
	}
	n, _ := io.Copy(io.Discard, io.LimitReader(reader{p.ctx, stream.Reader()}, p.left+1)) // damage shows when it is read
	if p.left -= n; p.left < 0 {
		panic(fmt.Sprintf("its content unpacks to more than %d bytes", maxPDFPage))
	}
}

// arity is how many operands an operator takes; those not listed show no text.
var arity = map[string]int{
	"q": 0, "Q": 0, "cm": 6, "BT": 0, "Tf": 2, "Tc": 1, "Tw": 1, "Tz": 1, "TL": 1, "Ts": 1,
	"Td": 2, "TD": 2, "Tm": 6, "T*": 0, "Tj": 1, "TJ": 1, "'": 1, "\"": 3, "Do": 1,
}

func (p *pdfPainter) operator(op string, args []pdf.Value, resources pdf.Value, depth int) {
	n, known := arity[op]
	if !known || len(args) < n {
		return
	}
	args = args[len(args)-n:]
	s := &p.state
	switch op {
	case "q":
		if len(p.saved) < maxPDFSaved {
			p.saved = append(p.saved, *s)
		}
	case "Q":
		if n := len(p.saved); n > 0 {
			p.state, p.saved = p.saved[n-1], p.saved[:n-1]
		}
	case "cm":
		s.ctm = matrixOf(args).mul(s.ctm)
	case "Tf":
		s.font, s.size = p.fonts.get(p.ctx, resources.Key("Font").Key(args[0].Name())), args[1].Float64()
	case "Tc":
		s.charSpace = args[0].Float64()
	case "Tw":
		s.wordSpace = args[0].Float64()
	case "Tz":
		s.scale = args[0].Float64() / 100
	case "TL":
		s.leading = args[0].Float64()
	case "Ts":
		s.rise = args[0].Float64()
	case "Do":
		p.form(resources.Key("XObject").Key(args[0].Name()), resources, depth)
	default:
		p.text(op, args)
	}
}

// text does the operators that move and show text.
func (p *pdfPainter) text(op string, args []pdf.Value) {
	s := &p.state
	switch op {
	case "BT":
		s.tm, s.tlm = identity, identity
	case "Td", "TD":
		if op == "TD" {
			s.leading = -args[1].Float64()
		}
		s.move(args[0].Float64(), args[1].Float64())
	case "Tm":
		s.tm = matrixOf(args)
		s.tlm = s.tm
	case "T*":
		s.move(0, -s.leading)
	case "\"":
		s.wordSpace, s.charSpace = args[0].Float64(), args[1].Float64()
		s.move(0, -s.leading)
		p.show(args[2].RawString())
	case "'":
		s.move(0, -s.leading)
		p.show(args[0].RawString())
	case "Tj":
		p.show(args[0].RawString())
	case "TJ":
		for i := range args[0].Len() {
			if v := args[0].Index(i); v.Kind() == pdf.String {
				p.show(v.RawString())
			} else {
				s.advance(-v.Float64() / 1000 * s.size * s.scale)
			}
		}
	}
}

// form draws what is kept apart to be drawn in several places.
func (p *pdfPainter) form(form, resources pdf.Value, depth int) {
	if form.Kind() != pdf.Stream || form.Key("Subtype").Name() != "Form" || depth >= maxPDFForms {
		return
	}
	before, saved := p.state, p.saved
	p.saved = nil
	if m := form.Key("Matrix"); m.Len() == 6 {
		p.state.ctm = matrixOf([]pdf.Value{m.Index(0), m.Index(1), m.Index(2), m.Index(3), m.Index(4), m.Index(5)}).mul(p.state.ctm)
	}
	if own := form.Key("Resources"); !own.IsNull() {
		resources = own
	}
	p.run(form, resources, depth+1)
	p.state, p.saved = before, saved
}

// show writes down a string at the place of the pen, and moves the pen.
func (p *pdfPainter) show(raw string) {
	s := &p.state
	if s.font == nil || raw == "" {
		return
	}
	if s.font.err != nil {
		panic(s.font.err)
	}
	trm := matrix{a: s.scale, d: 1, f: s.rise}.mul(s.tm).mul(s.ctm)
	from := trm
	var text strings.Builder
	for code := range s.font.codes(raw) {
		glyph := s.font.glyph(code)
		text.WriteString(glyph.text)
		width := glyph.width/1000*s.size + s.charSpace
		if code == " " {
			width += s.wordSpace
		}
		s.advance(width * s.scale)
	}
	trm = matrix{a: s.scale, d: 1, f: s.rise}.mul(s.tm).mul(s.ctm)
	p.layout.add(text.String(), from, trm, s.size)
}

func (s *pdfState) advance(tx float64) { s.tm = matrix{a: 1, d: 1, e: tx}.mul(s.tm) }

func (s *pdfState) move(tx, ty float64) {
	s.tlm = matrix{a: 1, d: 1, e: tx, f: ty}.mul(s.tlm)
	s.tm = s.tlm
}

func matrixOf(v []pdf.Value) matrix {
	return matrix{v[0].Float64(), v[1].Float64(), v[2].Float64(), v[3].Float64(), v[4].Float64(), v[5].Float64()}
}

// A pdfLayout makes lines and words of strings by where they stand.
type pdfLayout struct {
	b       strings.Builder
	begun   bool
	u, v    float64 // where the last string ended: along its line, and across
	size    float64
	leading float64 // between the last lines
}

// add writes a string that stands from one place to another.
func (l *pdfLayout) add(s string, from, to matrix, size float64) {
	if s == "" {
		return
	}
	long := math.Hypot(from.a, from.b)
	if long == 0 {
		long = 1
	}
	ux, uy := from.a/long, from.b/long // the direction of the line
	size = math.Abs(size) * math.Hypot(from.c, from.d)
	u, v := from.e*ux+from.f*uy, from.f*ux-from.e*uy
	if l.begun {
		l.separate(s, u-l.u, l.v-v, max(size, l.size))
	}
	l.b.WriteString(s)
	l.begun, l.size = true, size
	l.u, l.v = to.e*ux+to.f*uy, to.f*ux-to.e*uy
}

// separate writes what is between two strings: nothing, a blank, the end of a
// line, or that of a paragraph.
func (l *pdfLayout) separate(s string, right, down, size float64) {
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

// text is what was written, without blanks at the ends of lines.
func (l *pdfLayout) text() string {
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
