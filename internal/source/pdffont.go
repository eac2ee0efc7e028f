package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"strconv"
	"strings"

	"github.com/ledongthuc/pdf"
)

const (
	maxPDFFonts  = 20_000
	maxGlyphs    = 1 << 16
	maxToUnicode = 4 << 20 // bytes
	maxMapped    = 8 << 20 // characters that a table could announce
	usualWidth   = 500     // thousandths of the size, where a font does not say it
)

// pdfFonts are the fonts of a file by what they say, since pages name them anew.
type pdfFonts map[string]*pdfFont

// A pdfFont turns codes into characters.
type pdfFont struct {
	encoding pdf.TextEncoding
	wide     bool // codes have two bytes
	widths   map[int]float64
	missing  float64
	glyphs   map[string]pdfGlyph
	err      error // why it cannot be read
}

type pdfGlyph struct {
	text  string
	width float64 // thousandths of the size
}

func (f pdfFonts) get(ctx context.Context, v pdf.Value) *pdfFont {
	if v.Kind() != pdf.Dict {
		return nil
	}
	key := v.String()
	if font, known := f[key]; known {
		return font
	}
	if len(f) >= maxPDFFonts {
		clear(f)
	}
	font := newPDFFont(ctx, v)
	f[key] = font
	return font
}

func newPDFFont(ctx context.Context, v pdf.Value) *pdfFont {
	font := &pdfFont{widths: map[int]float64{}, missing: usualWidth, glyphs: map[string]pdfGlyph{}}
	table := v.Key("ToUnicode")
	if v.Key("Subtype").Name() == "Type0" {
		font.wide = true
		font.wideWidths(v.Key("DescendantFonts").Index(0))
		switch encoding := v.Key("Encoding"); {
		case encoding.Name() == "UniGB-UCS2-H":
		case encoding.Name() != "Identity-H":
			font.err = fmt.Errorf("the font %.60q has an encoding that is not read: %.60s", v.Key("BaseFont").Name(), encoding)
			return font
		case table.Kind() != pdf.Stream:
			font.err = fmt.Errorf("the font %.60q does not say which letters it shows", v.Key("BaseFont").Name())
			return font
		}
	} else {
		font.narrowWidths(v)
	}
	if table.Kind() == pdf.Stream {
		if font.err = checkToUnicode(ctx, table); font.err != nil {
			return font
		}
	}
	font.encoding = (&pdf.Font{V: v}).Encoder()
	return font
}

var (
	hexString   = regexp.MustCompile(`<[0-9A-Fa-f\s]*>`)
	endOfBlock  = regexp.MustCompile(`end(?:bfchar|bfrange|codespacerange)`)
	errMapTable = errors.New("the table of characters of a font is too large")
)

// checkToUnicode refuses a table that announces more characters than there are:
// the parser would make room for all of them.
func checkToUnicode(ctx context.Context, v pdf.Value) error {
	var table bytes.Buffer
	n, _ := io.Copy(&table, io.LimitReader(reader{ctx, v.Reader()}, maxToUnicode+1)) // damage shows when it is parsed
	if n > maxToUnicode {
		return errMapTable
	}
	most := 0
	for _, number := range digits.FindAll(hexString.ReplaceAll(table.Bytes(), nil), -1) {
		n, err := strconv.Atoi(string(number))
		if err != nil {
			return errMapTable
		}
		most = max(most, n)
	}
	if blocks := len(endOfBlock.FindAll(table.Bytes(), -1)); blocks > 0 && most > maxMapped/blocks {
		return errMapTable
	}
	return nil
}

func (f *pdfFont) narrowWidths(v pdf.Value) {
	unit := 1.0
	if v.Key("Subtype").Name() == "Type3" { // its glyphs have a scale of their own
		unit = 1000 * v.Key("FontMatrix").Index(0).Float64()
	}
	first, widths := int(v.Key("FirstChar").Int64()), v.Key("Widths")
	for i := range min(widths.Len(), 256) {
		f.widths[first+i] = widths.Index(i).Float64() * unit
	}
}

// wideWidths reads "first [widths]" and "first last width" in turn.
func (f *pdfFont) wideWidths(v pdf.Value) {
	f.missing = 1000
	if dw := v.Key("DW"); !dw.IsNull() {
		f.missing = dw.Float64()
	}
	w := v.Key("W")
	for i := 0; i+1 < w.Len() && len(f.widths) < maxGlyphs; {
		first, next := int(w.Index(i).Int64()), w.Index(i+1)
		if next.Kind() == pdf.Array {
			for j := range min(next.Len(), maxGlyphs) {
				f.widths[first+j] = next.Index(j).Float64()
			}
			i += 2
			continue
		}
		width := w.Index(i + 2).Float64()
		for code := first; code <= min(int(next.Int64()), first+maxGlyphs); code++ {
			f.widths[code] = width
		}
		i += 3
	}
}

// codes are the codes in a string.
func (f *pdfFont) codes(raw string) iter.Seq[string] {
	n := 1
	if f.wide {
		n = 2
	}
	return func(yield func(string) bool) {
		for len(raw) >= n {
			if !yield(raw[:n]) {
				return
			}
			raw = raw[n:]
		}
	}
}

// glyph is what a code shows; each is looked up once.
func (f *pdfFont) glyph(code string) pdfGlyph {
	if g, known := f.glyphs[code]; known {
		return g
	}
	n := 0
	for i := range len(code) {
		n = n<<8 | int(code[i])
	}
	g := pdfGlyph{text: f.decode(code), width: f.missing}
	if w, known := f.widths[n]; known {
		g.width = w
	}
	f.glyphs[strings.Clone(code)] = g
	return g
}

// ligatures are characters that stand for several letters, in the order of
// Unicode from U+FB00 on.
var ligatures = []string{"ff", "fi", "fl", "ffi", "ffl", "st", "st"}

func (f *pdfFont) decode(code string) string {
	const unknown = "\ufffd"
	text := f.encoding.Decode(code)
	if text == unknown && !f.wide { // tables of two bytes are common, even so
		text = f.encoding.Decode("\x00" + code)
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case r >= 0xfb00 && int(r-0xfb00) < len(ligatures):
			b.WriteString(ligatures[r-0xfb00])
		case r == '\u00ad': // a hyphen that was drawn
			b.WriteByte('-')
		case r < ' ' || r == 0x7f:
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
