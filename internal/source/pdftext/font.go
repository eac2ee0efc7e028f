package pdftext

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
	maxFonts     = 20_000
	maxGlyphs    = 1 << 16
	maxToUnicode = 4 << 20 // bytes
	maxMapped    = 8 << 20 // characters that a ToUnicode table may announce
	defaultWidth = 500     // thousandths of the font size
)

// fonts holds the fonts of a file by the text of their dictionaries, because every
// page names its fonts itself.
type fonts map[string]*font

// A font turns character codes into text.
type font struct {
	encoding     pdf.TextEncoding
	twoByte      bool // codes have two bytes
	widths       map[int]float64
	missingWidth float64 // of codes without an entry in widths
	glyphs       map[string]glyph
	err          error // why text in this font cannot be read; nil if it can
}

type glyph struct {
	text  string
	width float64 // thousandths of the font size
}

// get returns the font of a dictionary, or nil if v is not a dictionary.
func (f fonts) get(ctx context.Context, v pdf.Value) *font {
	if v.Kind() != pdf.Dict {
		return nil
	}
	key := v.String()
	if known, ok := f[key]; ok {
		return known
	}
	if len(f) >= maxFonts {
		clear(f)
	}
	f[key] = newFont(ctx, v)
	return f[key]
}

func newFont(ctx context.Context, v pdf.Value) *font {
	f := &font{widths: map[int]float64{}, missingWidth: defaultWidth, glyphs: map[string]glyph{}}
	toUnicode := v.Key("ToUnicode")
	if v.Key("Subtype").Name() == "Type0" {
		f.twoByte = true
		f.readCompositeWidths(v.Key("DescendantFonts").Index(0))
		switch encoding := v.Key("Encoding"); {
		case encoding.Name() == "UniGB-UCS2-H":
		case encoding.Name() != "Identity-H":
			f.err = fmt.Errorf("font %.60q: unsupported encoding %.60s", v.Key("BaseFont").Name(), encoding)
			return f
		case toUnicode.Kind() != pdf.Stream:
			f.err = fmt.Errorf("font %.60q: no ToUnicode table", v.Key("BaseFont").Name())
			return f
		}
	} else {
		f.readSimpleWidths(v)
	}
	if toUnicode.Kind() == pdf.Stream {
		if f.err = checkToUnicode(ctx, toUnicode); f.err != nil {
			return f
		}
	}
	f.encoding = (&pdf.Font{V: v}).Encoder()
	return f
}

var (
	hexString    = regexp.MustCompile(`<[0-9A-Fa-f\s]*>`)
	endOfBlock   = regexp.MustCompile(`end(?:bfchar|bfrange|codespacerange)`)
	errToUnicode = errors.New("ToUnicode table of a font is too large")
)

// checkToUnicode refuses a table that announces more characters than a font can
// have: the parser would allocate memory for all of them.
func checkToUnicode(ctx context.Context, v pdf.Value) error {
	var table bytes.Buffer
	n, _ := io.Copy(&table, io.LimitReader(contextReader{ctx, v.Reader()}, maxToUnicode+1)) // the parser reports damage
	if n > maxToUnicode {
		return errToUnicode
	}
	most := 0
	for _, number := range digitsPattern.FindAll(hexString.ReplaceAll(table.Bytes(), nil), -1) {
		n, err := strconv.Atoi(string(number))
		if err != nil {
			return errToUnicode
		}
		most = max(most, n)
	}
	if blocks := len(endOfBlock.FindAll(table.Bytes(), -1)); blocks > 0 && most > maxMapped/blocks {
		return errToUnicode
	}
	return nil
}

// readSimpleWidths reads the widths of a font with one-byte codes.
func (f *font) readSimpleWidths(v pdf.Value) {
	unit := 1.0
	if v.Key("Subtype").Name() == "Type3" { // its widths are in the font's own units
		unit = 1000 * v.Key("FontMatrix").Index(0).Float64()
	}
	first, widths := int(v.Key("FirstChar").Int64()), v.Key("Widths")
	for i := range min(widths.Len(), 256) {
		f.widths[first+i] = widths.Index(i).Float64() * unit
	}
}

// readCompositeWidths reads the widths of a font with two-byte codes: a list whose
// entries are "first [widths]" or "first last width".
func (f *font) readCompositeWidths(v pdf.Value) {
	f.missingWidth = 1000
	if dw := v.Key("DW"); !dw.IsNull() {
		f.missingWidth = dw.Float64()
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

// codes iterates over the character codes in a string.
func (f *font) codes(raw string) iter.Seq[string] {
	n := 1
	if f.twoByte {
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

// glyph returns what a code shows. The result is cached.
func (f *font) glyph(code string) glyph {
	if g, known := f.glyphs[code]; known {
		return g
	}
	n := 0
	for i := range len(code) {
		n = n<<8 | int(code[i])
	}
	g := glyph{text: f.decode(code), width: f.missingWidth}
	if w, known := f.widths[n]; known {
		g.width = w
	}
	f.glyphs[strings.Clone(code)] = g
	return g
}

// ligatures are the letters of the Latin ligatures from U+FB00 on.
var ligatures = []string{"ff", "fi", "fl", "ffi", "ffl", "st", "st"}

// decode returns the text of a code: ligatures as letters, control characters as
// spaces.
func (f *font) decode(code string) string {
	const unknown = "\ufffd"
	text := f.encoding.Decode(code)
	if text == unknown && !f.twoByte { // many such fonts have a table of two-byte codes
		text = f.encoding.Decode("\x00" + code)
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case r >= 0xfb00 && int(r-0xfb00) < len(ligatures):
			b.WriteString(ligatures[r-0xfb00])
		case r == '\u00ad': // a soft hyphen that is drawn
			b.WriteByte('-')
		case r < ' ' || r == 0x7f:
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
