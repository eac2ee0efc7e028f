package pdftext

import (
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/source/pdftext/pdftest"
)

func TestToUnicodeTableThatAnnouncesTooMuch(t *testing.T) {
	t.Parallel()
	font := "<</Type/Font/Subtype/Type1/BaseFont/X/ToUnicode 6 0 R>>"
	for _, table := range []string{"1000000000 beginbfchar endbfchar", "/x 1000000000 def x beginbfchar endbfchar", "50000 beginbfchar " + strings.Repeat("endbfchar ", 1000)} {
		raw := pdftest.OnePage(pdftest.Stream("", "BT /F1 9 Tf (A) Tj ET"), pdftest.Stream("", table))
		raw = strings.Replace(raw, pdftest.Helvetica, font+strings.Repeat(" ", len(pdftest.Helvetica)-len(font)), 1)
		doc, err := Read(t.Context(), []byte(raw))
		if err != nil || len(doc.Failures) != 1 || !strings.Contains(doc.Failures[0].Error(), "ToUnicode table") {
			t.Errorf("%.60s: got %v, %v, want a failed page", table, doc.Failures, err)
		}
	}
}
