package rtf

import (
	"strconv"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"

	"github.com/neorag/neorag/internal/source/decode"
	"github.com/neorag/neorag/internal/source/plain"
)

// maxFontName is how many bytes of the name of a font are kept.
const maxFontName = 100

// rtfCodePages are the code pages of character sets of fonts.
var rtfCodePages = map[int]int{
	0: 1252, 77: 10000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250, 254: 437, 255: 850,
}

// byte adds a byte of the code page.
func (r *rtfReader) byte(c byte) {
	if r.left > 0 {
		r.left--
		return
	}
	r.bytes = append(r.bytes, c)
}

// character adds a character by its number in UTF-16. A fallback in the code page follows it.
func (r *rtfReader) character(c rune) {
	r.flush()
	r.left = r.group.unicode
	switch {
	case c >= 0xd800 && c < 0xdc00:
		r.high = c
		return
	case c >= 0xdc00 && c < 0xe000 && r.high > 0:
		c = (r.high-0xd800)<<10 + (c - 0xdc00) + 0x10000
	}
	r.high = 0
	r.write(string(c))
}

// flush decodes the bytes read so far.
func (r *rtfReader) flush() {
	if len(r.bytes) == 0 {
		return
	}
	decoded, err := r.encoding().NewDecoder().Bytes(r.bytes)
	if err == nil {
		r.write(string(decoded))
	}
	r.bytes = r.bytes[:0]
}

// encoding returns the encoding of the text in the font of the group. In a file that has fonts of its code
// page, fonts without a character set are Western; in others they are in the code page.
func (r *rtfReader) encoding() encoding.Encoding {
	charset, known := r.charsets[r.group.font]
	if _, symbolic := plain.SymbolFonts[r.fontName()]; symbolic {
		return charmap.ISO8859_1
	}
	if page := rtfCodePages[charset]; known && page > 0 && (charset > 0 || r.pages[r.page]) {
		return codePage(page)
	}
	return codePage(r.page)
}

func (r *rtfReader) fontName() string {
	return strings.ToLower(strings.Trim(r.names[r.group.font], " ;"))
}

// codePages are the names of encodings of code pages that do not contain the number.
var codePages = map[int]string{932: "shift_jis", 936: "gbk", 949: "euc-kr", 950: "big5", 10000: "macintosh"}

// codePage returns the encoding of a code page, of Western Windows if the code page is not known.
func codePage(n int) encoding.Encoding {
	for _, name := range []string{"windows-" + strconv.Itoa(n), "cp" + strconv.Itoa(n), "ibm" + strconv.Itoa(n), codePages[n]} {
		if e, err := decode.Encoding(name); err == nil && e != nil {
			return e
		}
	}
	return charmap.Windows1252
}

func (r *rtfReader) write(text string) {
	g := r.group
	switch {
	case g.title:
		r.title.WriteString(text)
	case g.fonts && len(r.names[g.font]) < maxFontName:
		r.names[g.font] += text[:min(len(text), maxFontName)]
	case g.skip || g.hidden || g.deleted:
	case g.note > 0:
		r.notes[g.note-1].WriteScript(plain.SymbolRun(r.fontName(), text), g.script)
	default:
		r.line.WriteScript(plain.SymbolRun(r.fontName(), text), g.script)
	}
}
