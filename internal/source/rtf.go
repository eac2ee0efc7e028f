package source

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"

	"github.com/neorag/neorag/internal/graph"
)

var _ = register(format{mime: "application/rtf", extensions: []string{".rtf"}, textVersion: "4", read: readRTF, headings: markdownHeadings})

const maxRTFGroups = 1000 // around each other

// rtfSkipped are the destinations whose text is not that of the document.
var rtfSkipped = map[string]bool{
	"fonttbl": true, "colortbl": true, "stylesheet": true, "info": true, "pict": true, "object": true, "fldinst": true, "listtable": true, "listoverridetable": true,
	"rsidtbl": true, "generator": true, "themedata": true, "datastore": true, "xmlnstbl": true, "header": true, "headerl": true, "headerr": true, "headerf": true,
	"footer": true, "footerl": true, "footerr": true, "footerf": true, "ftnsep": true, "ftnsepc": true, "bkmkstart": true, "bkmkend": true, "revtbl": true,
}

// rtfText are the texts of control words and symbols.
var rtfText = map[string]string{
	"tab": "\t", "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "bullet": "•", "emspace": " ", "enspace": " ", "~": " ", "_": "-",
	"line": "\n", "cell": " | ", "nestcell": " | ", "\\": "\\", "{": "{", "}": "}",
}

// rtfCodePages are the code pages of character sets of fonts.
var rtfCodePages = map[int]int{
	0: 1252, 77: 10000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250, 254: 437, 255: 850,
}

// An rtfGroup is what holds inside a pair of braces.
type rtfGroup struct {
	skip    bool // the text is not shown
	fonts   bool // it is the table of fonts
	title   bool
	hidden  bool
	font    int
	script  script
	unicode int // bytes that follow a character by its number, for programs that do not know it
}

// An rtfReader takes the text of a file.
type rtfReader struct {
	raw      []byte
	at       int
	group    rtfGroup
	groups   []rtfGroup
	page     int         // code page
	charsets map[int]int // of fonts
	bytes    []byte      // of characters in a code page, not decoded yet
	left     int         // bytes to pass over after a character by its number
	high     rune        // the first half of a character by two numbers
	level    int         // of the paragraph, if it is a heading
	row      bool        // it is in a table
	afterRow bool        // the paragraph before it is
	out      strings.Builder
	line     lineText
	title    strings.Builder
}

// readRTF keeps the paragraphs, headings and tables of a document in the Rich Text Format.
func readRTF(_ context.Context, raw []byte, doc graph.Document, _ parsing) (graph.Document, []Failure, error) {
	if !bytes.HasPrefix(raw, []byte(`{\rtf`)) {
		return doc, nil, errors.New(`not an RTF file: it does not begin with {\rtf`)
	}
	r := rtfReader{raw: raw, page: 1252, charsets: map[int]int{}, group: rtfGroup{unicode: 1}}
	if err := r.read(); err != nil {
		return doc, nil, err
	}
	doc.Text = clean(strings.TrimSpace(r.out.String()))
	doc.Title = cmp.Or(cleanLine(r.title.String()), firstTitle(markdownHeadings(doc.Text)), doc.Title)
	doc.Date = refineDate(doc.Date, doc.Text)
	return doc, nil, nil
}

func (r *rtfReader) read() error {
	for r.at < len(r.raw) {
		c := r.raw[r.at]
		r.at++
		switch c {
		case '{':
			if len(r.groups) == maxRTFGroups {
				return errors.New("more than 1000 groups around each other")
			}
			r.flush()
			r.groups, r.left = append(r.groups, r.group), 0
		case '}':
			r.flush()
			if r.left = 0; len(r.groups) > 0 {
				r.group, r.groups = r.groups[len(r.groups)-1], r.groups[:len(r.groups)-1]
			}
		case '\\':
			r.control()
		case '\r', '\n', 0:
		default:
			r.byte(c)
		}
	}
	r.flush()
	r.paragraph()
	return nil
}

// control reads a control word or symbol.
func (r *rtfReader) control() {
	if r.at == len(r.raw) {
		return
	}
	start := r.at
	for r.at < len(r.raw) && (r.raw[r.at]|0x20 >= 'a' && r.raw[r.at]|0x20 <= 'z') {
		r.at++
	}
	if r.at == start { // a symbol
		c := r.raw[r.at]
		r.at++
		switch {
		case c == '\'' && r.at+2 <= len(r.raw):
			if n, err := strconv.ParseUint(string(r.raw[r.at:r.at+2]), 16, 8); err == nil {
				r.byte(byte(n))
			}
			r.at += 2
		case c == '*':
			r.group.skip = true
		case c == '\r' || c == '\n':
			r.word("par", 0, false)
		default:
			r.word(string(c), 0, false)
		}
		return
	}
	name := string(r.raw[start:r.at])
	digits := r.at
	for r.at < len(r.raw) && r.at-digits < 11 && (r.raw[r.at] >= '0' && r.raw[r.at] <= '9' || r.at == digits && r.raw[r.at] == '-') {
		r.at++
	}
	n, err := strconv.Atoi(string(r.raw[digits:r.at]))
	if r.at < len(r.raw) && r.raw[r.at] == ' ' {
		r.at++
	}
	r.word(name, n, err == nil)
}

// word does what a control word says. number is whether it has one.
func (r *rtfReader) word(name string, n int, number bool) {
	if name != "u" {
		r.flush()
	}
	switch name {
	case "par", "sect", "page":
		r.paragraph()
	case "row", "nestrow":
		r.row = true
		r.paragraph()
	case "pard":
		r.level, r.row = 0, false
	case "intbl":
		r.row = true
	case "outlinelevel":
		r.level = n + 1
	case "v":
		r.group.hidden = !number || n != 0
	case "super", "sub", "nosupersub", "plain":
		r.group.script = scriptOf(name)
	case "up", "dn":
		r.group.script = map[string]script{"up": raised, "dn": lowered}[name]
		if number && n == 0 {
			r.group.script = onLine
		}
	case "u":
		r.character(rune(uint16(n)))
		return
	case "uc":
		r.group.unicode = min(max(n, 0), 16)
	case "bin":
		r.at = min(len(r.raw), r.at+max(n, 0))
	case "ansicpg":
		r.page = n
	case "mac":
		r.page = 10000
	case "pc":
		r.page = 437
	case "pca":
		r.page = 850
	case "f":
		r.group.font = n
	case "fcharset":
		if r.group.fonts {
			r.charsets[r.group.font] = n
		}
	case "title":
		r.group.title = true
	default:
		if rtfSkipped[name] {
			r.group.skip, r.group.fonts = true, name == "fonttbl"
		}
		r.write(rtfText[name])
	}
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
	page := r.page
	if charset, ok := r.charsets[r.group.font]; ok && rtfCodePages[charset] > 0 && charset > 0 {
		page = rtfCodePages[charset]
	}
	decoded, err := codePage(page).NewDecoder().Bytes(r.bytes)
	if err == nil {
		r.write(string(decoded))
	}
	r.bytes = r.bytes[:0]
}

// codePage returns the encoding of a code page, that of Western Windows for one that is not known.
func codePage(n int) encoding.Encoding {
	for _, name := range []string{"windows-" + strconv.Itoa(n), "cp" + strconv.Itoa(n), "ibm" + strconv.Itoa(n)} {
		if e, err := encodingOf(name); err == nil && e != nil {
			return e
		}
	}
	switch n {
	case 10000:
		return charmap.Macintosh
	case 932:
		e, _ := encodingOf("shift_jis")
		return e
	case 936:
		e, _ := encodingOf("gbk")
		return e
	case 949:
		e, _ := encodingOf("euc-kr")
		return e
	case 950:
		e, _ := encodingOf("big5")
		return e
	}
	return charmap.Windows1252
}

func (r *rtfReader) write(text string) {
	switch {
	case r.group.title:
		r.title.WriteString(text)
	case !r.group.skip && !r.group.hidden:
		r.line.writeScript(text, r.group.script)
	}
}

// paragraph ends a paragraph, or a row of a table.
func (r *rtfReader) paragraph() {
	text := strings.TrimSpace(string(r.line.b))
	r.line = lineText{}
	if r.row {
		text = strings.TrimSpace(strings.TrimSuffix(text, "|"))
	}
	if text == "" {
		return
	}
	if r.level > 0 && r.level <= 6 {
		text = strings.Repeat("#", r.level) + " " + strings.Join(strings.Fields(text), " ")
	}
	switch {
	case r.out.Len() == 0:
	case r.row && r.afterRow:
		r.out.WriteString("\n")
	default:
		r.out.WriteString("\n\n")
	}
	r.out.WriteString(text)
	r.afterRow = r.row
}
