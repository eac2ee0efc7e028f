// Package pdftest writes small PDF files for tests.
package pdftest

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"
)

// Objects that most files need.
const (
	Catalog   = "<</Type/Catalog/Pages 2 0 R>>"
	Helvetica = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"
)

// File returns a file of these objects, numbered from 1. The first is the
// catalog; trailer is added to the trailer dictionary.
func File(trailer string, objects ...string) string {
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

// OnePage returns a file of one page that shows content, which is object 4, in
// font F1, which is object 5. More objects have the numbers from 6 on; object 6 is
// also the XObject X.
func OnePage(content string, more ...string) string {
	return OnePageOf("4 0 R", content, more...)
}

// OnePageOf is OnePage with a list of references as the content of the page.
func OnePageOf(contents, content string, more ...string) string {
	return File("", append([]string{
		Catalog, "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/Contents[" + contents + "]/Resources<</Font<</F1 5 0 R>>/XObject<</X 6 0 R>>>>>>", content, Helvetica,
	}, more...)...)
}

// Stream returns a stream object. Its length is added to dict.
func Stream(dict, content string) string {
	return fmt.Sprintf("<<%s/Length %d>>\nstream\n%s\nendstream", dict, len(content), content)
}

// CrossReferences returns the end of a file: object 3, a cross-reference stream
// that starts at byte start and has entries of three fields with these widths.
func CrossReferences(start, size int, widths, entries string) string {
	return fmt.Sprintf("3 0 obj\n<</Type/XRef/Size %d/W[%s]/Root 1 0 R/Length %d>>\nstream\n%s\nendstream\nendobj\nstartxref\n%d\n%%%%EOF\n",
		size, widths, len(entries), entries, start)
}

// Deflate compresses content for a stream with /Filter/FlateDecode.
func Deflate(content string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	// A buffer takes everything.
	_, _ = w.Write([]byte(content))
	_ = w.Close()
	return b.String()
}
