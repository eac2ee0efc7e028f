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
	page   int // from 1
	height float64
	text   string
	box    rect
	size   float64 // height of most of its characters
	first  float64 // width of its first word
}

// A char is one character of a page, in the order in which the file draws them.
type char struct {
	r         rune
	ligature  string // its letters, if it is one that has a code of its font only
	generated bool   // PDFium added it between two others
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
	size, err := pdfium.FPDF_GetPageHeight(&requests.FPDF_GetPageHeight{Page: page})
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
	b := lineBuilder{page: index + 1, height: size.Height}
	for i := range count.Count {
		c, err := readChar(pdfium, text.TextPage, i, namer)
		if err != nil {
			return nil, err
		}
		b.add(c)
	}
	b.end()
	lines := addFields(b.lines, pdfium, form, page, index+1, size.Height)
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

// readChar returns a character; one without a meaning is U+FFFD.
func readChar(pdfium pdfium.Pdfium, page references.FPDF_TEXTPAGE, index int, namer *namer) (char, error) {
	code, err := pdfium.FPDFText_GetUnicode(&requests.FPDFText_GetUnicode{TextPage: page, Index: index})
	if err != nil {
		return char{}, err
	}
	c := char{r: rune(code.Unicode)}
	generated, err := pdfium.FPDFText_IsGenerated(&requests.FPDFText_IsGenerated{TextPage: page, Index: index})
	if err != nil {
		return char{}, err
	}
	if c.generated = generated.IsGenerated; c.generated {
		return c, nil
	}
	unknown, err := pdfium.FPDFText_HasUnicodeMapError(&requests.FPDFText_HasUnicodeMapError{TextPage: page, Index: index})
	if err != nil {
		return char{}, err
	}
	c.ligature = ligatures[c.r]
	if unknown.HasUnicodeMapError && (!isSign(c.r) || !isDrawn(pdfium, page, index)) {
		c.ligature = cmp.Or(namer.ligature(page, index, c.r), c.ligature)
		if c.ligature == "" {
			c.r = unicode.ReplacementChar
		}
	}
	box, err := pdfium.FPDFText_GetLooseCharBox(&requests.FPDFText_GetLooseCharBox{TextPage: page, Index: index})
	if err != nil {
		return char{}, err
	}
	c.box = rect{float64(box.Rect.Left), float64(box.Rect.Bottom), float64(box.Rect.Right), float64(box.Rect.Top)}
	return c, nil
}
