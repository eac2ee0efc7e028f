package pdftext

import (
	"cmp"
	"fmt"
	"unicode"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// A rect is a part of a page, in points from its lower left corner.
type rect struct{ left, bottom, right, top float64 }

func (r rect) height() float64 { return r.top - r.bottom }

// union returns the smallest rect around both.
func (r rect) union(o rect) rect {
	return rect{min(r.left, o.left), min(r.bottom, o.bottom), max(r.right, o.right), max(r.top, o.top)}
}

// A line is characters that PDFium returns as one.
type line struct {
	page   int     // from 1
	turn   turn    // to the reader of the page
	height float64 // of the page, as the line is read
	text   string
	box    rect    // on the page turned so that the line is read from left to right
	size   float64 // height of most of its characters
	first  float64 // width of its first word
	cells  []cell  // its parts with wide gaps between them, or none
	table  int     // from 1; 0 outside of tables
}

// A char is one character of a page, in the order in which the file draws them.
type char struct {
	r         rune
	ligature  string // its letters, if it is one that has a code of its font only
	generated bool   // PDFium added it between two others
	turn      turn
	height    float64 // of the page, as the character is read
	box       rect
}

// maxUnknown is how many characters without a meaning a page may always have.
const maxUnknown = 20

// readPage returns the lines of a page, which is numbered from 0, with what its form fields hold.
// With an error, it returns what can be read.
func readPage(pdfium pdfium.Pdfium, document references.FPDF_DOCUMENT, form references.FPDF_FORMHANDLE, index int, namer *namer) ([]line, error) {
	loaded, err := pdfium.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: document, Index: index})
	if err != nil {
		return nil, err
	}
	page := requests.Page{ByReference: &loaded.Page}
	defer func() { _, _ = pdfium.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: loaded.Page}) }()
	sheet, err := sheetOf(pdfium, page)
	if err != nil {
		return nil, err
	}
	text, err := pdfium.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: page})
	if err != nil {
		return nil, err
	}
	defer func() { _, _ = pdfium.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: text.TextPage}) }()
	count, err := pdfium.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: text.TextPage})
	if err != nil {
		return nil, err
	}
	b := lineBuilder{page: index + 1}
	reader := charReader{pdfium: pdfium, page: text.TextPage, namer: namer, sheet: sheet}
	for i := range count.Count {
		c, err := reader.read(i)
		if err != nil {
			return nil, err
		}
		b.add(c)
	}
	b.end()
	lines := addFields(b.lines, pdfium, form, page, index+1, sheet)
	if b.unknown > maxUnknown && b.unknown > b.all/10 {
		return lines, fmt.Errorf("%d of %d characters have no meaning in the file, only shapes: run text recognition (OCR)", b.unknown, b.all)
	}
	return lines, nil
}

// isSign reports whether a character is a visible sign of ASCII.
func isSign(r rune) bool {
	return r > ' ' && r < 0x7f && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// isDrawn reports whether the font of a character consists of drawings (Type 3), as old programs of
// TeX make them. Such fonts have no name, and their signs have the codes of ASCII.
func isDrawn(pdfium pdfium.Pdfium, page references.FPDF_TEXTPAGE, index int) bool {
	font, err := pdfium.FPDFText_GetFontInfo(&requests.FPDFText_GetFontInfo{TextPage: page, Index: index})
	return err == nil && font.FontName == ""
}

// A charReader reads the characters of a page one after the other.
type charReader struct {
	pdfium pdfium.Pdfium
	page   references.FPDF_TEXTPAGE
	namer  *namer
	sheet  sheet
	inWord bool
	turn   turn // of the word on the sheet
}

// read returns a character; one without a meaning is U+FFFD.
func (r *charReader) read(index int) (char, error) {
	code, err := r.pdfium.FPDFText_GetUnicode(&requests.FPDFText_GetUnicode{TextPage: r.page, Index: index})
	if err != nil {
		return char{}, err
	}
	c := char{r: rune(code.Unicode)}
	generated, err := r.pdfium.FPDFText_IsGenerated(&requests.FPDFText_IsGenerated{TextPage: r.page, Index: index})
	if err != nil {
		return char{}, err
	}
	if c.generated = generated.IsGenerated; c.generated {
		r.inWord = false
		return c, nil
	}
	unknown, err := r.pdfium.FPDFText_HasUnicodeMapError(&requests.FPDFText_HasUnicodeMapError{TextPage: r.page, Index: index})
	if err != nil {
		return char{}, err
	}
	if letters := ligatures[c.r]; letters != "" && !r.namer.isTrueType(r.page, index) {
		c.ligature = letters
	}
	if unknown.HasUnicodeMapError && (!isSign(c.r) || !isDrawn(r.pdfium, r.page, index)) {
		c.ligature = cmp.Or(r.namer.ligature(r.page, index, c.r), c.ligature)
		if c.ligature == "" {
			c.r = unicode.ReplacementChar
		}
	}
	return c, r.place(&c, index)
}

// place sets the place of a character and how it is turned. A letter that is turned within a word, as
// in the name of XeTeX, counts as upright.
func (r *charReader) place(c *char, index int) error {
	box, err := r.pdfium.FPDFText_GetLooseCharBox(&requests.FPDFText_GetLooseCharBox{TextPage: r.page, Index: index})
	if err != nil {
		return err
	}
	if !r.inWord {
		matrix, err := r.pdfium.FPDFText_GetMatrix(&requests.FPDFText_GetMatrix{TextPage: r.page, Index: index})
		if err != nil {
			return err
		}
		r.turn = turnOf(float64(matrix.Matrix.A), float64(matrix.Matrix.B))
	}
	r.inWord = !unicode.IsSpace(c.r)
	frame := r.turn
	if c.turn = oblique; frame == oblique {
		frame = r.sheet.turn
	} else {
		c.turn = (frame + 4 - r.sheet.turn) % 4
	}
	c.box, c.height = r.sheet.turned(frame, rect{float64(box.Rect.Left), float64(box.Rect.Bottom), float64(box.Rect.Right), float64(box.Rect.Top)})
	return nil
}
