package source

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
)

func baseOf(uri string) graph.Document { return graph.Document{URI: uri, Title: stem(uri)} }

// makePDF is a file of those objects, numbered from 1; the first is the catalogue.
func makePDF(trailer string, objects ...string) string {
	var b strings.Builder
	b.WriteString("%PDF-1.4\n")
	offsets := make([]int, len(objects))
	for i, o := range objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, at := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, trailer, start)
	return b.String()
}

const (
	pdfCatalogue = "<</Type/Catalog/Pages 2 0 R>>"
	pdfHelvetica = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/FirstChar 32/Widths[250]>>"
)

func pdfStreamOf(dict, content string) string {
	return fmt.Sprintf("<<%s/Length %d>>\nstream\n%s\nendstream", dict, len(content), content)
}

func deflated(tb testing.TB, content string) string {
	tb.Helper()
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	if _, err := w.Write([]byte(content)); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

// onePage is a file of one page with that content stream, in font F1, and more
// objects from 6 on.
func onePage(content string, more ...string) string { return onePageOf("4 0 R", content, more...) }

// onePageOf has a list of content streams.
func onePageOf(contents, content string, more ...string) string {
	return makePDF("", append([]string{
		pdfCatalogue, "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/Contents[" + contents + "]/Resources<</Font<</F1 5 0 R>>/XObject<</X 6 0 R>>>>>>", content, pdfHelvetica,
	}, more...)...)
}

func TestPDF(t *testing.T) {
	t.Parallel()
	first := "BT /F1 12 Tf 72 700 Td (The har-) Tj 0 -14 Td (bour of Port Ellen burned on a North-) Tj 0 -14 Td (Eastern night.) Tj 0 -30 Td [(Next) -600 (para) 20 (graph.)] TJ ET"
	second := "q 1 0 0 1 10 10 cm BT /F1 10 Tf 12 TL 1 0 0 1 0 600 Tm (caf\\351 \\(open\\)) Tj T* (line two) Tj (and three) ' ET Q /X Do"
	wide := "/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange 2 beginbfchar <0001> <005a> <0002> <fb01> endbfchar endcmap end end"
	raw := makePDF("/Info<</Title(A title)/CreationDate(D:20240301091500Z)>>",
		pdfCatalogue, "<</Type/Pages/Kids[3 0 R 8 0 R]/Count 2/Resources<</Font<</F1 5 0 R/F2 9 0 R>>/XObject<</X 7 0 R>>>>>>",
		"<</Type/Page/Parent 2 0 R/Contents 4 0 R>>", pdfStreamOf("", first), pdfHelvetica,
		pdfStreamOf("/Filter/FlateDecode", deflated(t, second)),
		pdfStreamOf("/Type/XObject/Subtype/Form/Matrix[1 0 0 1 0 0]", "BT /F2 10 Tf 100 300 Td <00010002> Tj ET"),
		"<</Type/Page/Parent 2 0 R/Contents[6 0 R]>>",
		"<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/ToUnicode 10 0 R/DescendantFonts[<</DW 500/W[1[600 700] 3 4 900]>>]>>",
		pdfStreamOf("", wide),
	)
	doc, err := read(t, "a.pdf", raw)
	if err != nil {
		t.Fatal(err)
	}
	want := "The harbour of Port Ellen burned on a North-\nEastern night.\n\nNext paragraph.\n\ncafé (open)\nline two\nand three\n\nZfi"
	if diff := cmp.Diff(want, doc.Text); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if doc.Title != "A title" || doc.Date != "2024-03-01T09:15" || doc.MIME != "application/pdf" {
		t.Errorf("title %q, date %q, MIME %q", doc.Title, doc.Date, doc.MIME)
	}
	again, err := read(t, "a.pdf", "\n"+strings.Replace(raw, "%PDF-1.4\n", "%PDF-2.0\r", 1)+strings.Repeat("\x00", 500))
	if err != nil || again.Text != doc.Text {
		t.Errorf("with another version and a tail: %q, %v", again.Text, err)
	}
}

// TestPDFPageThatFails: the other pages are read, and what a page shows before
// it breaks off.
func TestPDFPageThatFails(t *testing.T) {
	t.Parallel()
	raw := makePDF("", pdfCatalogue, "<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/Resources<</Font<</F1 5 0 R>>>>>>",
		"<</Type/Page/Parent 2 0 R/Contents[6 0 R]>>", "<</Type/Page/Parent 2 0 R/Contents 7 0 R>>", pdfHelvetica,
		pdfStreamOf("/Filter/LZWDecode", "x"), pdfStreamOf("", "BT /F1 12 Tf (Here.) Tj ET"))
	docs, failures, err := readAll(t, "a.pdf", raw, nil)
	if err != nil || len(docs) != 1 || docs[0].Text != "Here." {
		t.Errorf("got %v, %v", brief(docs), err)
	}
	if len(failures) != 1 || !strings.Contains(failures[0], "page 1: unknown filter LZWDecode") {
		t.Errorf("failures: %q", failures)
	}
}

func TestPDFThatFails(t *testing.T) {
	t.Parallel()
	ok := pdfStreamOf("", "BT /F1 12 Tf (A) Tj ET")
	bomb := strings.Repeat("(aaaaaaaaaaaaaaaa) Tj ", 2_000_000)
	loop := onePage(ok)
	at := strings.LastIndex(loop, "startxref\n")
	loop = strings.Replace(loop, "/Root", fmt.Sprintf("/Prev %s/Root", strings.Fields(loop[at:])[1]), 1)
	for _, tc := range []struct{ name, raw, want string }{
		{"another file", "hello", "not a PDF"},
		{"cut", onePage(ok)[:200], "%%EOF"},
		{"encrypted", makePDF("/Encrypt 2 0 R", pdfCatalogue, "<</Filter/Standard>>"), "encrypted: save it without"},
		{"no pages", makePDF("", pdfCatalogue, "<</Type/Pages/Kids[]/Count 0>>"), "no pages"},
		{"only pictures", onePage(pdfStreamOf("", "q 1 0 0 1 0 0 cm /Im Do Q")), "text recognition"},
		{"a font of unknown letters", strings.Replace(onePage(ok), "/Subtype/Type1/", "/Subtype/Type0/", 1), "an encoding that is not read"},
		{"a page that unpacks to too much", onePage(pdfStreamOf("/Filter/FlateDecode", deflated(t, bomb))), "content unpacks to more than"},
		{"a page of the same content again", onePageOf(strings.Repeat("4 0 R ", 2000), pdfStreamOf("/Filter/FlateDecode", deflated(t, bomb[:400_000]))), "content unpacks to more than"},
		{"a stream that unpacks to too much", onePage(ok, pdfStreamOf("/Filter/FlateDecode", deflated(t, strings.Repeat(" ", maxPDFStream+1)))), "it unpacks to more than"},
		{"objects beyond number", strings.Replace(onePage(ok), "/Size 6", "/Size 99999999999", 1), "announces more than"},
		{"a table from beyond", strings.Replace(onePage(ok), "xref\n0 6", "xref\n4000000000 6", 1), "begins at object"},
		{"pages inside themselves", makePDF("", pdfCatalogue, "<</Type/Pages/Kids[2 0 R]/Count 1>>"), "tree of pages is deeper"},
		{"pages without number", makePDF("", pdfCatalogue, "<</Type/Pages/Kids["+strings.Repeat("3 0 R ", maxPDFPages+1)+"]>>", "<</Type/Page>>"), "more than 10000 pages"},
		{"nested arrays", makePDF("", "<</Pages "+strings.Repeat("[", 3_000_000)+">>"), "can be read"},
	} {
		start := time.Now()
		_, err := read(t, "a.pdf", tc.raw)
		if err == nil || !strings.HasPrefix(err.Error(), "read a.pdf: ") || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want an error with %q", tc.name, err, tc.want)
		}
		if took := time.Since(start); took > 10*time.Second*slow {
			t.Errorf("%s took %v", tc.name, took)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, _, err := readPDF(ctx, []byte(loop), baseOf("a.pdf")); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 5*time.Second*slow {
		t.Errorf("a table before itself: got %v after %v, want the end of its time", err, time.Since(start))
	}
}

// TestPDFPackedInItself: a table that says so, and an object that does.
func TestPDFPackedInItself(t *testing.T) {
	t.Parallel()
	for name, entries := range map[string]string{
		"an object in a packed object": "\x00\x00\x00" + "\x02\x02\x00" + "\x02\x01\x00",
		"its container in itself":      "\x00\x00\x00" + "\x02\x02\x00" + "\x02\x02\x00",
	} {
		var b strings.Builder
		b.WriteString("%PDF-1.5\n")
		start := b.Len()
		fmt.Fprintf(&b, "3 0 obj\n<</Type/XRef/Size 3/W[1 1 1]/Root 1 0 R/Length %d>>\nstream\n%s\nendstream\nendobj\nstartxref\n%d\n%%%%EOF\n", len(entries), entries, start)
		if _, err := read(t, "a.pdf", b.String()); err == nil || !strings.Contains(err.Error(), "packed itself") {
			t.Errorf("%s: got %v, want an error", name, err)
		}
	}
	var b strings.Builder
	b.WriteString("%PDF-1.5\n")
	container := b.Len()
	b.WriteString("2 0 obj\n<</Type/ObjStm/N 1 0 R/First 4/Length 20>>\nstream\n1 0 <</Pages 1 0 R>>\nendstream\nendobj\n")
	start := b.Len()
	entries := "\x00\x00\x00" + "\x02\x02\x00" + "\x01" + string(rune(container)) + "\x00"
	fmt.Fprintf(&b, "3 0 obj\n<</Type/XRef/Size 3/W[1 1 1]/Root 1 0 R/Length %d>>\nstream\n%s\nendstream\nendobj\nstartxref\n%d\n%%%%EOF\n", len(entries), entries, start)
	if _, err := read(t, "a.pdf", b.String()); err == nil || !strings.Contains(err.Error(), "without end") {
		t.Errorf("a container whose length is inside it: got %v, want an error", err)
	}
}

func TestToUnicodeBomb(t *testing.T) {
	t.Parallel()
	font := "<</Type/Font/Subtype/Type1/BaseFont/X/ToUnicode 7 0 R>>"
	for _, table := range []string{"1000000000 beginbfchar endbfchar", "/x 1000000000 def x beginbfchar endbfchar", "50000 beginbfchar " + strings.Repeat("endbfchar ", 1000)} {
		raw := strings.Replace(onePage(pdfStreamOf("", "BT /F1 9 Tf (A) Tj ET"), "null", pdfStreamOf("", table)), pdfHelvetica, font+strings.Repeat(" ", len(pdfHelvetica)-len(font)), 1)
		if _, err := read(t, "a.pdf", raw); err == nil || !strings.Contains(err.Error(), "table of characters") {
			t.Errorf("%.60s: got %v, want an error", table, err)
		}
	}
}

func TestJoinHyphens(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"exam-\nple": "example", "é-\né": "éé", "North-\nEast": "North-\nEast", "1-\n2": "1-\n2", "-\na": "-\na", "a-": "a-", "a -\nb": "a -\nb",
	} {
		if got := joinHyphens(in); got != want {
			t.Errorf("joinHyphens(%q) = %q, want %q", in, got, want)
		}
	}
}
