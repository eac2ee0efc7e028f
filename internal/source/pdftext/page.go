package pdftext

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ledongthuc/pdf"
)

const (
	maxContent     = 32 << 20 // bytes of the unpacked content of one page
	maxFormDepth   = 8        // forms that draw forms
	maxSavedStates = 10_000
)

// A graphicsState holds what the operators of a page set.
type graphicsState struct {
	ctm, tm, tlm matrix // current transformation, text and text line matrix
	font         *font
	size         float64
	leading      float64
	charSpace    float64
	wordSpace    float64
	scale        float64
	rise         float64
}

// An interpreter follows the operators of a page and collects the text they show.
// Its methods panic where a page cannot be read.
type interpreter struct {
	ctx    context.Context //nolint:containedctx // it lives as long as one page
	fonts  fonts
	state  graphicsState
	saved  []graphicsState
	layout layout
	left   int64 // bytes of content that may still be read
}

// pageText returns the text of a page. With an error, it is the text up to there.
func pageText(ctx context.Context, page pdf.Value, known fonts) (text string, err error) {
	p := interpreter{ctx: ctx, fonts: known, left: maxContent}
	p.state.ctm, p.state.scale = identity, 1
	defer func() {
		if r := recover(); r != nil {
			err = errors.New(panicMessage(r))
		}
		text = p.layout.text()
	}()
	p.run(page.Key("Contents"), inherited(page, "Resources"), 0)
	return "", nil
}

// inherited returns a property of a page, or of the nearest node above it in the
// page tree that has it.
func inherited(page pdf.Value, key string) pdf.Value {
	for range maxPageTree {
		if v := page.Key(key); !v.IsNull() || page.IsNull() {
			return v
		}
		page = page.Key("Parent")
	}
	return pdf.Value{}
}

// run interprets a content stream, or an array of streams as one.
func (p *interpreter) run(content, resources pdf.Value, depth int) {
	switch content.Kind() {
	case pdf.Stream:
		p.countContent(content)
	case pdf.Array:
		for i := range content.Len() {
			p.countContent(content.Index(i))
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

// countContent panics when the content of the page unpacks to more than the limit.
func (p *interpreter) countContent(stream pdf.Value) {
	if stream.Kind() != pdf.Stream {
		return
	}
	n, _ := io.Copy(io.Discard, io.LimitReader(contextReader{p.ctx, stream.Reader()}, p.left+1)) // the parser reports damage
	if p.left -= n; p.left < 0 {
		panic(fmt.Sprintf("content unpacks to more than %d bytes", maxContent))
	}
}

// arity is the number of operands of each operator that matters for text. The
// others are skipped.
var arity = map[string]int{
	"q": 0, "Q": 0, "cm": 6, "BT": 0, "Tf": 2, "Tc": 1, "Tw": 1, "Tz": 1, "TL": 1, "Ts": 1,
	"Td": 2, "TD": 2, "Tm": 6, "T*": 0, "Tj": 1, "TJ": 1, "'": 1, "\"": 3, "Do": 1,
}

// operator executes one operator.
func (p *interpreter) operator(op string, args []pdf.Value, resources pdf.Value, depth int) {
	n, known := arity[op]
	if !known || len(args) < n {
		return
	}
	args = args[len(args)-n:]
	s := &p.state
	switch op {
	case "q":
		if len(p.saved) < maxSavedStates {
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

// text executes the operators that move and show text.
func (p *interpreter) text(op string, args []pdf.Value) {
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

// form draws a form XObject: content that is stored once and drawn in several places.
func (p *interpreter) form(form, resources pdf.Value, depth int) {
	if form.Kind() != pdf.Stream || form.Key("Subtype").Name() != "Form" || depth >= maxFormDepth {
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

// show adds a string at the current position to the layout, and advances.
func (p *interpreter) show(raw string) {
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

func (s *graphicsState) advance(tx float64) { s.tm = matrix{a: 1, d: 1, e: tx}.mul(s.tm) }

func (s *graphicsState) move(tx, ty float64) {
	s.tlm = matrix{a: 1, d: 1, e: tx, f: ty}.mul(s.tlm)
	s.tm = s.tlm
}
