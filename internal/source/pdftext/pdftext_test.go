package pdftext

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/source/pdftext/pdftest"
)

// cacheDir is where the sandbox has the compiled parser too.
func cacheDir(tb testing.TB) string {
	tb.Helper()
	dir, err := os.UserCacheDir()
	if err != nil {
		tb.Fatal(err)
	}
	return filepath.Join(dir, "neorag", "pdfium")
}

func readFile(tb testing.TB, raw string) (Document, error) {
	tb.Helper()
	return Read(tb.Context(), []byte(raw), Options{Cache: cacheDir(tb)})
}

// pagesOf returns a file whose pages show these contents, in Helvetica.
func pagesOf(contents ...string) string {
	var kids strings.Builder
	objects := []string{pdftest.Catalog, "", pdftest.Helvetica}
	for _, content := range contents {
		n := len(objects) + 1
		fmt.Fprintf(&kids, " %d 0 R", n)
		objects = append(objects, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents "+fmt.Sprintf("%d 0 R", n+1)+">>", pdftest.Stream("", content))
	}
	objects[1] = "<</Type/Pages/Kids[" + kids.String() + "]/Count " + strconv.Itoa(len(contents)) + "/Resources<</Font<</F1 3 0 R>>>>>>"
	return pdftest.File("", objects...)
}

// linesAt returns text operators for lines of a size, from a point down.
func linesAt(x, y, size, leading float64, lines ...string) string {
	var b strings.Builder
	for i, l := range lines {
		fmt.Fprintf(&b, "BT /F1 %g Tf %g %g Td (%s) Tj ET\n", size, x, y-float64(i)*leading, l)
	}
	return b.String()
}

func TestRead(t *testing.T) {
	t.Parallel()
	first := "BT /F1 12 Tf 72 700 Td (The har-) Tj 0 -14 Td (bour of Port Ellen burned on a North-) Tj 0 -14 Td (Eastern night.) Tj 0 -30 Td [(Next) -600 (para) 20 (graph.)] TJ ET"
	second := "q 1 0 0 1 10 10 cm BT /F1 10 Tf 12 TL 1 0 0 1 0 600 Tm (caf\\351 \\(open\\)) Tj T* (line two) Tj (and three) ' ET Q /X Do"
	toUnicode := "/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange 2 beginbfchar <0001> <005a> <0002> <fb01> endbfchar endcmap end end"
	raw := pdftest.File("/Info 11 0 R",
		pdftest.Catalog, "<</Type/Pages/Kids[3 0 R 8 0 R]/Count 2/Resources<</Font<</F1 5 0 R/F2 9 0 R>>/XObject<</X 7 0 R>>>>>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>", pdftest.Stream("", first), pdftest.Helvetica,
		pdftest.Stream("/Filter/FlateDecode", pdftest.Deflate(second)),
		pdftest.Stream("/Type/XObject/Subtype/Form/Matrix[1 0 0 1 0 0]/BBox[0 0 600 800]", "BT /F2 10 Tf 100 300 Td <00010002> Tj ET"),
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents[6 0 R]>>",
		"<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/ToUnicode 10 0 R/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/X/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 500/W[1[600 700] 3 4 900]>>]>>",
		pdftest.Stream("", toUnicode), "<</Title(A title)/CreationDate(D:20240301091500Z)>>",
	)
	doc, err := readFile(t, raw)
	if err != nil {
		t.Fatal(err)
	}
	want := Document{
		Title: "A title", Created: "D:20240301091500Z",
		Text:  "The harbour of Port Ellen burned on a North-Eastern night.\n\nNext paragraph.\n\ncafé (open) line two and three\n\nZfi",
		Pages: []Page{{1, 0}, {2, 77}},
	}
	if diff := cmp.Diff(want, doc); diff != "" {
		t.Errorf("document (-want +got):\n%s", diff)
	}
	other, err := readFile(t, "\n"+strings.Replace(raw, "%PDF-1.4\n", "%PDF-2.0\r", 1)+strings.Repeat("\x00", 500))
	if err != nil || other.Text != doc.Text {
		t.Errorf("as version 2.0, with bytes around the file: got %q, %v, want the same text", other.Text, err)
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	column := []string{"The harbour office of Kiel was opened in", "the year 1921 by Anna Berg, who led it", "until the war. It moved twice."}
	for _, tc := range []struct {
		name, raw, want string
		pages           []Page
	}{
		{
			"paragraphs with and without indents",
			pagesOf(linesAt(72, 700, 12, 14, column...) + linesAt(84, 658, 12, 14, "Jonas Hall came after her and stayed for") + linesAt(72, 644, 12, 14, "ten years.")),
			"The harbour office of Kiel was opened in the year 1921 by Anna Berg, who led it until the war. It moved twice.\n\nJonas Hall came after her and stayed for ten years.",
			[]Page{{1, 0}},
		},
		{
			"columns",
			pagesOf(linesAt(50, 700, 10, 12, column...) + linesAt(320, 700, 10, 12, "Nora Lind sailed from Bergen to Hull in a", "storm of three days and two nights.")),
			"The harbour office of Kiel was opened in the year 1921 by Anna Berg, who led it until the war. It moved twice.\n\nNora Lind sailed from Bergen to Hull in a storm of three days and two nights.",
			[]Page{{1, 0}},
		},
		{
			"headings of two levels",
			pagesOf(linesAt(72, 740, 24, 28, "The Harbour", "of Kiel") + linesAt(72, 660, 16, 18, "Its office") + linesAt(72, 630, 12, 14, column...)),
			"# The Harbour of Kiel\n\n## Its office\n\nThe harbour office of Kiel was opened in the year 1921 by Anna Berg, who led it until the war. It moved twice.",
			[]Page{{1, 0}},
		},
		{
			"a list",
			pagesOf(linesAt(72, 700, 12, 14, "Bring these things to the harbour:", "1. a rope of ten metres or more in length", "2. an anchor")),
			"Bring these things to the harbour:\n1. a rope of ten metres or more in length\n2. an anchor",
			[]Page{{1, 0}},
		},
		{
			"lines that end early",
			pagesOf(linesAt(72, 700, 12, 14, "Anna Berg", "Harbour Office, Tonder Street 14", "24103 Kiel") + linesAt(72, 600, 12, 14, "Your letter of the first of May has arrived.")),
			"Anna Berg\nHarbour Office, Tonder Street 14\n24103 Kiel\n\nYour letter of the first of May has arrived.",
			[]Page{{1, 0}},
		},
		{
			"hyphens: a compound, a word that is written whole elsewhere, and another",
			pagesOf(linesAt(72, 700, 12, 14, "This is the worst case. The over-", "view of the case shows the worst-", "case costs of the over-view in exam-", "ples. An overview.")),
			"This is the worst case. The overview of the case shows the worst-case costs of the over-view in examples. An overview.",
			[]Page{{1, 0}},
		},
		{
			"a sentence over two pages, with headers and page numbers",
			pagesOf(
				linesAt(72, 780, 9, 10, "Harbours of the North - 1")+linesAt(72, 700, 12, 14, "The harbour office of Kiel was opened in the")+linesAt(300, 20, 9, 10, "1"),
				linesAt(72, 780, 9, 10, "Harbours of the North - 2")+linesAt(72, 700, 12, 14, "year 1921.")+linesAt(300, 20, 9, 10, "2"),
				linesAt(72, 780, 9, 10, "Harbours of the North - 3")+linesAt(72, 700, 12, 14, "It moved twice.")+linesAt(300, 20, 9, 10, "3"),
			),
			"The harbour office of Kiel was opened in the year 1921.\n\nIt moved twice.",
			[]Page{{1, 0}, {2, 45}, {3, 57}},
		},
		{
			"superscripts",
			pagesOf("BT /F1 12 Tf 72 700 Td (The lake holds 10) Tj /F1 7 Tf 5 Ts (6) Tj 0 Ts /F1 12 Tf ( litres of water, 20) Tj 5 Ts (3) Tj 0 Ts ( euro.) Tj ET"),
			"The lake holds 10⁶ litres of water, 20³ euro.",
			[]Page{{1, 0}},
		},
		{
			"text that is turned is no heading, and its digits are not raised",
			pagesOf(
				linesAt(72, 700, 12, 14, column...)+"BT /F1 30 Tf 0 1 -1 0 40 100 Tm (arXiv:2101.01) Tj .7 .7 -.7 .7 150 300 Tm (DRAFT 2) Tj ET",
				"BT /F1 12 Tf -1 0 0 -1 500 300 Tm (The harbour office in Kiel was opened in) Tj -1 0 0 -1 500 314 Tm (1921.) Tj ET",
			),
			"The harbour office of Kiel was opened in the year 1921 by Anna Berg, who led it until the war. It moved twice.\n\narXiv:2101.01\n\nDRAFT 2\n\nThe harbour office in Kiel was opened in 1921.",
			[]Page{{1, 0}, {2, 136}},
		},
		{
			"a line that continues after a lowered digit",
			pagesOf("BT /F1 12 Tf 72 700 Td (The lake holds litres of H) Tj /F1 8 Tf -4 Ts (2) Tj 0 Ts /F1 12 Tf (O and no CO) Tj /F1 8 Tf -4 Ts (2) Tj 0 Ts /F1 12 Tf ( at all.) Tj ET"),
			"The lake holds litres of H2O and no CO2 at all.",
			[]Page{{1, 0}},
		},
		{
			"a large first letter, and a heading of one letter",
			pagesOf(linesAt(72, 686, 36, 40, "T") + linesAt(95, 700, 12, 14, "he harbour office of Kiel was opened in", "the year 1921 by Anna Berg, who led it") + linesAt(72, 672, 12, 14, "until the war. It moved twice, and then again.") + linesAt(72, 600, 36, 40, "A") + linesAt(72, 560, 12, 14, "anchor: a thing of iron")),
			"The harbour office of Kiel was opened in the year 1921 by Anna Berg, who led it until the war. It moved twice, and then again.\n\n# A\n\nanchor: a thing of iron",
			[]Page{{1, 0}},
		},
		{
			"letters drawn twice, and spaced letters",
			pagesOf("BT /F1 12 Tf 1 0 0 1 72 700 Tm (K) Tj 1 0 0 1 72.4 700 Tm (K) Tj 1 0 0 1 81 700 Tm (I) Tj 1 0 0 1 81.4 700 Tm (I) Tj 1 0 0 1 90 700 Tm (E) Tj 1 0 0 1 90.4 700 Tm (E) Tj 1 0 0 1 99 700 Tm (L) Tj 1 0 0 1 99.4 700 Tm (L) Tj ET"),
			"KIEL",
			[]Page{{1, 0}},
		},
		{
			"a space that the next letters are drawn over, and words without one",
			pagesOf("BT /F1 12 Tf 72 700 Td [(har ) 278 (bour) -300 (of) -300 (Kiel)] TJ ET"),
			"harbour of Kiel",
			[]Page{{1, 0}},
		},
		{
			"an accent that is drawn over its letter",
			pagesOf("BT /F1 12 Tf 72 700 Td (G) Tj [(\\250) 400 (odel)] TJ ET"),
			"Gödel",
			[]Page{{1, 0}},
		},
	} {
		doc, err := readFile(t, tc.raw)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		if diff := cmp.Diff(tc.want, doc.Text); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
		if diff := cmp.Diff(tc.pages, doc.Pages); diff != "" {
			t.Errorf("%s: pages (-want +got):\n%s", tc.name, diff)
		}
	}
}

// TestForm reads fields with the labels before, after and above them.
func TestForm(t *testing.T) {
	t.Parallel()
	field := func(kind, value, rect string) string {
		return "<</Type/Annot/Subtype/Widget/T(" + rect + ")/FT/" + kind + value + "/Rect[" + rect + "]/P 3 0 R>>"
	}
	raw := pdftest.File("", "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[6 0 R 7 0 R 8 0 R 11 0 R 12 0 R 13 0 R 14 0 R 15 0 R]>>>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Annots[6 0 R 7 0 R 8 0 R 9 0 R 11 0 R 12 0 R 13 0 R 14 0 R 15 0 R]/Resources<</Font<</F1 5 0 R>>>>>>",
		pdftest.Stream("", linesAt(72, 700, 12, 14, "Tenant:")+linesAt(100, 600, 12, 14, "Pets are allowed")+linesAt(72, 500, 12, 14, "Remarks")+"BT /F1 12 Tf 72 250 Td [(Kind:) -5000 (Flat) -5000 (House)] TJ ET"), pdftest.Helvetica,
		field("Tx", "/V(Anna Berg)", "130 695 300 715"),
		field("Btn", "/V/Yes/AS/Yes/AP<</N<</Yes 10 0 R/Off 10 0 R>>>>", "80 598 95 612"),
		field("Tx", "/V(The roof leaks.)", "72 440 500 490"),
		"<</Type/Annot/Subtype/FreeText/Contents(Seen by J. Hall)/Rect[72 300 300 320]/DA(/F1 12 Tf)>>",
		pdftest.Stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]", ""),
		field("Ch", "/Ff 131072/Opt[[(K)(Kiel)][(B)(Bremen)]]/V(B)", "310 695 400 715"),
		field("Btn", "/V/Off/AS/Off/AP<</N<</Yes 10 0 R/Off 10 0 R>>>>", "140 248 155 262"),
		field("Btn", "/V/Yes/AS/Yes/AP<</N<</Yes 10 0 R/Off 10 0 R>>>>", "225 248 240 262"),
		field("Tx", "/F 2/V(hidden)", "72 200 500 220"),
		field("Tx", "/F 32/V(not shown)", "72 160 500 180"),
	)
	doc, err := readFile(t, raw)
	if err != nil {
		t.Fatal(err)
	}
	want := "Tenant: Anna Berg Bremen\n\n☑ Pets are allowed\n\nRemarks\n\nThe roof leaks.\n\nSeen by J. Hall\n\nKind: ☐ Flat ☑ House"
	if diff := cmp.Diff(want, doc.Text); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

// A page that its reader turns shows the text upright.
func TestTurnedPage(t *testing.T) {
	t.Parallel()
	for turn, matrix := range []string{"1 0 0 1 100 600", "0 1 -1 0 200 100", "-1 0 0 -1 500 200", "0 -1 1 0 300 700"} {
		raw := pagesOf("BT /F1 24 Tf " + matrix + " Tm (Kiel 1921) Tj /F1 12 Tf 0 -40 Td (The harbour office) Tj 0 -14 Td (of 2022) Tj ET")
		raw = strings.Replace(raw, "/MediaBox", fmt.Sprintf("/Rotate %d/MediaBox", 90*turn), 1)
		doc, err := readFile(t, raw)
		if want := "# Kiel 1921\n\nThe harbour office of 2022"; err != nil || doc.Text != want {
			t.Errorf("turned %d times: got %q, %v, want %q", turn, doc.Text, err, want)
		}
	}
}

// Unicode has more hyphens than the keyboard.
func TestHyphensOfUnicode(t *testing.T) {
	t.Parallel()
	raw := pagesOf("BT /F1 12 Tf 14 TL 72 700 Td (The well\\002known har\\001) Tj T* (bour of Kiel.) Tj ET")
	raw = strings.Replace(raw, "/Encoding/WinAnsiEncoding", "/Encoding<</BaseEncoding/WinAnsiEncoding/Differences[1/uni2010/uni2011]>>", 1)
	doc, err := readFile(t, raw)
	if want := "The well-known harbour of Kiel."; err != nil || doc.Text != want {
		t.Errorf("got %q, %v, want %q", doc.Text, err, want)
	}
}

func TestFilesThatFail(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, raw, want string }{
		{"no PDF", "hello", "not a PDF"},
		{"truncated", pagesOf(linesAt(72, 700, 12, 14, "A"))[:60], "malformed PDF"},
		{"encrypted", pdftest.File("/Encrypt<</Filter/Standard/V 1/R 2/O("+strings.Repeat("a", 32)+")/U("+strings.Repeat("b", 32)+")/P -4>>/ID[(a)(a)]", pdftest.Catalog, "<</Type/Pages/Kids[]/Count 0>>"), "encrypted: save it without"},
		{"no pages", pdftest.File("", pdftest.Catalog, "<</Type/Pages/Kids[]/Count 0>>"), "no pages"},
	} {
		_, err := readFile(t, tc.raw)
		if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got error %v, want one line with %q", tc.name, err, tc.want)
		}
	}
}

func TestReadEndsWithItsContext(t *testing.T) {
	t.Parallel()
	over := errors.New("time is over")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(over)
	if _, err := Read(ctx, []byte(pagesOf("")), Options{Cache: cacheDir(t)}); !errors.Is(err, over) && !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the end of the context", err)
	}
}

// TestDamagedCache starts PDFium with machine code that is cut off, as after a full disk.
func TestDamagedCache(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles PDFium, which takes seconds")
	}
	if _, err := readFile(t, pagesOf("")); err != nil { // the cache has the code
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "pdfium")
	if err := os.CopyFS(dir, os.DirFS(cacheDir(t))); err != nil {
		t.Fatal(err)
	}
	files := 0
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			files++
			err = os.Truncate(path, 1000)
		}
		return err
	})
	if err != nil || files == 0 {
		t.Fatalf("truncated %d files, %v", files, err)
	}
	if _, err := compileCached(t.Context(), dir); err != nil {
		t.Errorf("with a damaged cache: %v", err)
	}
}

// Signs in fonts that consist of drawings, as dvips makes them, have the codes of ASCII.
func TestSignsOfDrawnFonts(t *testing.T) {
	t.Parallel()
	glyph := pdftest.Stream("", "600 0 0 0 500 700 d1 0 0 500 700 re f")
	raw := pdftest.File("", pdftest.Catalog, "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
		pdftest.Stream("", "BT /F1 12 Tf 72 700 Td ({$}) Tj ET"),
		"<</Type/Font/Subtype/Type3/FontBBox[0 0 500 700]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 36/LastChar 125/Widths["+strings.Repeat("600 ", 90)+"]/Resources<<>>"+
			"/Encoding<</Type/Encoding/Differences[36/a36 123/a123 125/a125]>>/CharProcs<</a36 6 0 R/a123 6 0 R/a125 6 0 R>>>>", glyph)
	doc, err := readFile(t, raw)
	if want := "{$}"; err != nil || doc.Text != want {
		t.Errorf("got %q, %v, want %q", doc.Text, err, want)
	}
}

// Fonts of TeX name their ligatures by their letters, which is not a name of Adobe's list.
func TestNamedLigatures(t *testing.T) {
	t.Parallel()
	font := func(name, encoding string) string {
		return "<</Type/Font/Subtype/Type1/BaseFont/" + name + "/Encoding " + encoding + "/FirstChar 0/LastChar 127/Widths[" + strings.Repeat("500 ", 128) + "]>>"
	}
	raw := pdftest.File("",
		pdftest.Catalog, "<</Type/Pages/Kids[3 0 R]/Count 1/Resources<</Font<</F1 5 0 R/F2 6 0 R/F3 8 0 R/F4 9 0 R>>>>>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>",
		pdftest.Stream("", "BT /F1 12 Tf 72 700 Td (er\\033ndet) Tj 0 -30 Td /F2 12 Tf (o\\034zi) Tj /F1 12 Tf (ell) Tj 0 -30 Td /F3 12 Tf (\\001e) Tj 0 -30 Td /F4 12 Tf (er\\033ndet) Tj ET"),
		font("ABCDEF+Serif", "<</Differences[27/f_i/f_f_i.alt 97/a/b]>>"), font("Sans", "7 0 R"),
		"<</Type/Encoding/Differences[10 /x 27 /f_b /f_f_i]>>", font("Serif", "<</Differences[1/T_h]>>"), font("ABCDEG+Other", "<</Differences[27/G27]>>"))
	doc, err := readFile(t, raw)
	if err != nil {
		t.Fatal(err)
	}
	if want := "erfindet\n\noffiziell\n\nThe\n\ner\ufffdndet"; doc.Text != want {
		t.Errorf("got %q, want %q", doc.Text, want)
	}
	two := "1 0 obj\n<</BaseFont/X/Encoding<</Differences[1/f_i/f_l]>>>>\nendobj\n2 0 obj\n<</BaseFont/X/Encoding<</Differences[1/f_f 256/f_t]>>>>\nendobj"
	if diff := cmp.Diff(map[string]map[rune]string{"X": {1: "", 2: "fl"}}, ligatureNames([]byte(two))); diff != "" {
		t.Errorf("two fonts of one name (-want +got):\n%s", diff)
	}
}
