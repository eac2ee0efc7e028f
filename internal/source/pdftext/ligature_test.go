package pdftext

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/source/pdftext/pdftest"
)

// trueTypeFont returns the smallest font that can be loaded: it has one glyph, which is empty.
func trueTypeFont() string {
	numbers := func(n int, at map[int]uint16) string {
		b := make([]byte, 2*n)
		for i, v := range at {
			binary.BigEndian.PutUint16(b[2*i:], v)
		}
		return string(b)
	}
	head := map[int]uint16{0: 1, 6: 0x5f0f, 7: 0x3cf5, 9: 1000}
	tables := []struct{ tag, data string }{
		{"glyf", numbers(6, nil)},
		{"head", numbers(27, head)},
		{"hhea", numbers(18, map[int]uint16{0: 1, 17: 1})},
		{"hmtx", numbers(2, nil)},
		{"loca", numbers(2, nil)},
		{"maxp", numbers(16, map[int]uint16{0: 1, 2: 1})},
	}
	directory, data := numbers(6, map[int]uint16{0: 1, 2: uint16(len(tables))}), ""
	for _, t := range tables {
		at := 12 + 16*len(tables) + len(data)
		directory += t.tag + numbers(6, map[int]uint16{3: uint16(at), 5: uint16(len(t.data))})
		data += t.data
	}
	return directory + data
}

// The codes of ligatures in TeX's fonts mean nothing in TrueType fonts.
func TestLigatureCodes(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{"/Subtype/Type1": "office", "/Subtype/TrueType": "o\ufffdce"} {
		font := "<</Type/Font" + kind + "/BaseFont/ABCDEF+Serif/FirstChar 0/LastChar 127/Widths[" + strings.Repeat("500 ", 128) + "]/Encoding/WinAnsiEncoding/FontDescriptor 6 0 R>>"
		descriptor, file := "<</Type/FontDescriptor/FontName/ABCDEF+Serif/Flags 32", pdftest.Stream("", trueTypeFont())
		if kind == "/Subtype/TrueType" {
			descriptor += "/FontFile2 7 0 R"
		}
		raw := pdftest.File("", pdftest.Catalog, "<</Type/Pages/Kids[3 0 R]/Count 1/Resources<</Font<</F1 5 0 R>>>>>>",
			"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>",
			pdftest.Stream("", linesAt(72, 700, 12, 14, "o\\016ce")), font, descriptor+">>", file)
		doc, err := readFile(t, raw)
		if err != nil || doc.Text != want {
			t.Errorf("%s: got %q, %v, want %q", kind, doc.Text, err, want)
		}
	}
}
