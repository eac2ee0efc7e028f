// Package rtf reads documents in the Rich Text Format.
package rtf

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/decode"
	"github.com/neorag/neorag/internal/source/markup"
	"github.com/neorag/neorag/internal/source/parse"
	"github.com/neorag/neorag/internal/source/plain"
)

const maxRTFGroups = 1000 // around each other

// rtfSkipped are the destinations whose text does not belong to the document.
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

// An rtfGroup is what holds inside a pair of braces.
type rtfGroup struct {
	skip    bool // the text is not shown
	fonts   bool // it is the table of fonts
	title   bool
	hidden  bool
	deleted bool
	created bool // it is the date of the document
	note    int  // the number of the note that it is in, or 0
	font    int
	script  plain.Script
	unicode int // bytes that follow a character by its number, for programs that do not know it
}

// An rtfReader takes the text of a file.
type rtfReader struct {
	raw      []byte
	at       int
	group    rtfGroup
	groups   []rtfGroup
	page     int            // code page
	charsets map[int]int    // of fonts
	pages    map[int]bool   // code pages that a font has the character set of
	names    map[int]string // of fonts
	date     [5]int         // of the document: year, month, day, hour and minute
	notes    []*plain.Line
	bytes    []byte // of characters in a code page, not decoded yet
	left     int    // bytes to pass over after a character by its number
	high     rune   // the first half of a character by two numbers
	level    int    // of the paragraph, if it is a heading
	row      bool   // it is in a table
	cell     bool   // the file says so since the last row
	afterRow bool   // the paragraph before it is
	out      strings.Builder
	line     plain.Line
	title    strings.Builder
}

// Read keeps the paragraphs, headings and tables of a document in the Rich Text Format.
func Read(_ context.Context, raw []byte, doc graph.Document, _ parse.Options) (graph.Document, []parse.Failure, error) {
	if !bytes.HasPrefix(raw, []byte(`{\rtf`)) {
		return doc, nil, errors.New(`not an RTF file: it does not begin with {\rtf`)
	}
	r := rtfReader{raw: raw, page: 1252, charsets: map[int]int{}, pages: map[int]bool{}, names: map[int]string{}, group: rtfGroup{unicode: 1}}
	if err := r.read(); err != nil {
		return doc, nil, err
	}
	doc.Text = decode.Clean(strings.TrimSpace(r.out.String()))
	doc.Title = cmp.Or(decode.CleanLine(r.title.String()), parse.FirstTitle(markup.MarkdownHeadings(doc.Text)), doc.Title)
	doc.Date = cmp.Or(r.created(), parse.RefineDate(doc.Date, doc.Text))
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
	r.group.note = 0
	r.paragraph()
	for i, note := range r.notes {
		if text := decode.CleanLine(string(note.Bytes)); text != "" {
			fmt.Fprintf(&r.out, "\n\n[^%d]: %s", i+1, text)
		}
	}
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
			r.group.skip, r.group.fonts = true, false
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
	case "par", "sect", "page", "column":
		if r.cell || r.group.note > 0 {
			r.write(" ")
		} else {
			r.paragraph()
		}
	case "row", "nestrow":
		r.row, r.cell = true, false
		r.paragraph()
	case "pard":
		r.level, r.row, r.cell = 0, false, false
	case "intbl":
		r.row, r.cell = true, true
	case "outlinelevel":
		r.level = n + 1
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
	case "footnote":
		r.startNote()
	case "title":
		r.group.title = true
	default:
		if rtfSkipped[name] {
			r.group.skip, r.group.fonts = true, name == "fonttbl"
		}
		if !r.setProperty(name, n, number) {
			r.write(rtfText[name])
		}
	}
}

// setProperty sets a property of characters, of a font or of the document. It returns false for other
// words.
func (r *rtfReader) setProperty(name string, n int, number bool) bool {
	g := &r.group
	on := !number || n != 0
	switch name {
	case "v":
		g.hidden = on
	case "deleted":
		g.deleted = on
	case "plain":
		g.script, g.hidden, g.deleted = plain.OnLine, false, false
	case "super", "sub", "nosupersub":
		g.script = plain.ScriptOf(name)
	case "up", "dn":
		g.script = plain.OnLine
		if on {
			g.script = map[string]plain.Script{"up": plain.Raised, "dn": plain.Lowered}[name]
		}
	case "f":
		g.font = n
	case "fcharset":
		if g.fonts {
			r.charsets[g.font] = n
			r.pages[rtfCodePages[n]] = r.pages[rtfCodePages[n]] || n > 0
		}
	case "creatim":
		g.created = true
	case "yr", "mo", "dy", "hr", "min":
		if g.created {
			r.date[slices.Index([]string{"yr", "mo", "dy", "hr", "min"}, name)] = n
		}
	default:
		return false
	}
	return true
}

// startNote begins a note, and writes the reference to it. Some programs mark it as one to skip.
func (r *rtfReader) startNote() {
	if n := len(r.groups); n > 0 {
		r.group.skip = r.groups[n-1].skip
	}
	if r.group.skip || r.group.hidden || r.group.deleted {
		return
	}
	r.notes = append(r.notes, &plain.Line{})
	r.group.script = plain.OnLine
	r.write(fmt.Sprintf("[^%d]", len(r.notes)))
	r.group.note = len(r.notes)
}

// created returns the date of the document, or "".
func (r *rtfReader) created() string {
	d := r.date
	day := fmt.Sprintf("%04d-%02d-%02d", d[0], d[1], d[2])
	if d[3] == 0 && d[4] == 0 {
		return parse.Date(day)
	}
	return parse.Date(fmt.Sprintf("%sT%02d:%02d:00", day, d[3], d[4]))
}

// paragraph ends a paragraph, or a row of a table.
func (r *rtfReader) paragraph() {
	text := strings.TrimSpace(string(r.line.Bytes))
	r.line = plain.Line{}
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
