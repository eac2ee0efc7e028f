package pdftext

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// ligatures are the codes of ligatures in TeX's fonts (Type 1 and Type 3), for files that say nothing else about
// their fonts.
var ligatures = map[rune]string{0x0b: "ff", 0x0c: "fi", 0x0d: "fl", 0x0e: "ffi", 0x0f: "ffl"}

// A namer finds ligatures that a file names by their letters, as "f_f_i", which PDFium does not
// read.
type namer struct {
	pdfium   pdfium.Pdfium
	document references.FPDF_DOCUMENT
	names    map[string]map[rune]string // letters by font and code; nil before the first use
	trueType map[string]bool            // whether fonts are, by their names
}

// ligature returns the letters of a character without a meaning, or "" if its font does not name
// them.
func (n *namer) ligature(page references.FPDF_TEXTPAGE, index int, code rune) string {
	if n.names == nil {
		n.names = ligatureNames(serialize(n.pdfium, n.document))
	}

	if len(n.names) == 0 {
		return ""
	}
	_, name := n.font(page, index)
	return n.names[subsetTag.ReplaceAllString(name, "")][code]
}

// font returns the font of a character and its name, which may be "".
func (n *namer) font(page references.FPDF_TEXTPAGE, index int) (references.FPDF_FONT, string) {
	object, err := n.pdfium.FPDFText_GetTextObject(&requests.FPDFText_GetTextObject{TextPage: page, Index: index})
	if err != nil {
		return "", ""
	}
	font, err := n.pdfium.FPDFTextObj_GetFont(&requests.FPDFTextObj_GetFont{PageObject: object.TextObject})
	if err != nil {
		return "", ""
	}
	name, err := n.pdfium.FPDFFont_GetBaseFontName(&requests.FPDFFont_GetBaseFontName{Font: font.Font})
	if err != nil {
		return font.Font, ""
	}
	return font.Font, name.BaseFontName
}

// isTrueType reports whether the font of a character is a TrueType or OpenType file, whose codes are the
// numbers of its glyphs if the PDF file does not say what they mean.
func (n *namer) isTrueType(page references.FPDF_TEXTPAGE, index int) bool {
	font, name := n.font(page, index)
	known, ok := n.trueType[name]
	if font == "" || ok {
		return known
	}
	data, err := n.pdfium.FPDFFont_GetFontData(&requests.FPDFFont_GetFontData{Font: font})
	known = err == nil && slices.ContainsFunc([]string{"\x00\x01\x00\x00", "true", "OTTO"}, func(start string) bool {
		return bytes.HasPrefix(data.FontData, []byte(start))
	})
	if n.trueType == nil {
		n.trueType = map[string]bool{}
	}
	n.trueType[name] = known
	return known
}

// serialize returns the file as PDFium writes it: each dictionary is readable and looks the same
// in all files. PDFium has no other way to read the encoding of a font.
func serialize(pdfium pdfium.Pdfium, document references.FPDF_DOCUMENT) []byte {
	saved, err := pdfium.FPDF_SaveAsCopy(&requests.FPDF_SaveAsCopy{Document: document})
	if err != nil || saved.FileBytes == nil {
		return nil
	}
	return *saved.FileBytes
}

// subsetTag begins the name of a font that has only the glyphs that a file uses. PDFium may leave
// it out.
var subsetTag = regexp.MustCompile(`^[A-Z]{6}\+`)

// What a serialized file has about the encoding of fonts.
var (
	fontObject     = regexp.MustCompile(`/BaseFont/([^\s/<>\[\]()]+)/Encoding\s*(?:(\d+) 0 R|<<([^<>]*)>>)`)
	encodingObject = regexp.MustCompile(`(\d+) 0 obj\s+<<([^<>]*/Differences\[[^<>]*)>>`)
	differences    = regexp.MustCompile(`/Differences\[([^\]]*)\]`)
	ligatureName   = regexp.MustCompile(`^(\pL(?:_\pL)+)(?:\.\w+)?$`)
)

// ligatureNames returns the letters of ligatures by the names of the fonts and the codes in them. A
// code that has two meanings in fonts of one name is left out.
func ligatureNames(serialized []byte) map[string]map[rune]string {
	encodings := map[string]map[rune]string{}
	for _, m := range encodingObject.FindAllSubmatch(serialized, -1) {
		encodings[string(m[1])] = encodedLigatures(string(m[2]))
	}
	names := map[string]map[rune]string{}
	for _, m := range fontObject.FindAllSubmatch(serialized, -1) {
		found := encodings[string(m[2])]
		if len(m[3]) > 0 {
			found = encodedLigatures(string(m[3]))
		}
		name := subsetTag.ReplaceAllString(string(m[1]), "")
		for code, letters := range found {
			font := names[name]
			if font == nil {
				font = map[rune]string{}
				names[name] = font
			}
			if other, ok := font[code]; ok && other != letters {
				letters = ""
			}
			font[code] = letters
		}
	}
	return names
}

// encodedLigatures returns the letters of the ligatures of an encoding by their codes.
func encodedLigatures(encoding string) map[rune]string {
	m := differences.FindStringSubmatch(encoding)
	if m == nil {
		return nil
	}
	found := map[rune]string{}
	code := rune(0)
	for word := range strings.FieldsSeq(strings.ReplaceAll(m[1], "/", " /")) {
		name, isName := strings.CutPrefix(word, "/")
		if !isName {
			first, err := strconv.ParseUint(word, 10, 8)
			if err != nil {
				return found
			}
			code = rune(first)
			continue
		}
		if l := ligatureName.FindStringSubmatch(name); l != nil {
			found[code] = strings.ReplaceAll(l[1], "_", "")
		}
		code++
	}
	return found
}
