package source

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/pdftext/pdftest"
)

// packedCatalogPDF returns a PDF whose object 1, the catalog, is packed in object
// 2, so that none of its content is visible in the file.
func packedCatalogPDF(catalog string) string {
	return objectStreamPDF(pdftest.Stream("/Type/ObjStm/N 1/First 4/Filter/FlateDecode", pdftest.Deflate("1 0 "+catalog)))
}

// objectStreamPDF returns a PDF whose table says that object 1 is in the object
// stream that is object 2.
func objectStreamPDF(stream string) string {
	const header = "%PDF-1.5\n"
	body := header + "2 0 obj\n" + stream + "\nendobj\n"
	start := len(body)
	offset := func(at int) string { return string([]byte{1, byte(at >> 16), byte(at >> 8), byte(at), 0}) }
	entries := "\x00\x00\x00\x00\x00" + "\x02\x00\x00\x02\x00" + offset(len(header)) + offset(start)
	return body + pdftest.CrossReferences(start, 4, "1 3 1", entries)
}

// endlessObjectStreamsPDF returns a PDF whose table says of these objects in which
// object stream each of them is. The parser looks for them without end.
func endlessObjectStreamsPDF(streamOf ...byte) string {
	entries := []byte{0, 0, 0}
	for _, stream := range streamOf {
		entries = append(entries, 2, stream, 0)
	}
	const header = "%PDF-1.5\n"
	return header + pdftest.CrossReferences(len(header), 1+len(streamOf), "1 1 1", string(entries))
}

// widePageTreePDF returns a PDF with a page tree of 28 levels, each of which has
// the next one a hundred times.
func widePageTreePDF() string {
	objects := []string{pdftest.Catalog}
	for n := 3; n < 30; n++ {
		objects = append(objects, "<</Type/Pages/Kids["+strings.Repeat(fmt.Sprintf("%d 0 R ", n), 100)+"]>>")
	}
	return pdftest.File("", append(objects, "<</Type/Pages/Kids[]>>")...)
}

// manyAttributes returns an element with n attributes in random order, which
// compresses badly enough to pass the limit for archives.
func manyAttributes(n int) string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("<w:p")
	for range n {
		fmt.Fprintf(&b, ` %c%c=""`, 'a'+r.IntN(26), 'a'+r.IntN(26))
	}
	return b.String() + "></w:p>"
}

// TestSandboxStopsMaliciousFiles reads files that exhaust memory or time in ways
// that no check before the parser knows. Each is one failure, and the child stays
// within its memory limit.
func TestSandboxStopsMaliciousFiles(t *testing.T) {
	t.Parallel()
	const limit = 64 << 20
	const late = "time is over"
	page := pdftest.Stream("", "BT /F1 12 Tf (A) Tj ET")
	list := packedCatalogPDF("[" + strings.Repeat("1 ", 10<<20) + "]")
	for _, tc := range []struct{ name, file, raw, want string }{
		{"text compressed twice", "a.pdf", objectStreamPDF(pdftest.Stream("/Type/ObjStm/N 1/First 4/Filter[/FlateDecode/FlateDecode]", pdftest.Deflate(pdftest.Deflate("1 0 ("+strings.Repeat("a", 100<<20)+")")))), "of memory"},
		{"rows of a predictor", "a.pdf", pdftest.OnePage(pdftest.Stream("/Filter/FlateDecode/DecodeParms<</Predictor 12/Colum#6es 3000000000>>", pdftest.Deflate("x"))), "of memory"},
		{"long table", "a.pdf", strings.Replace(list, "/Size", "/Si#7ae 900000000/Siz", 1), "of memory"},
		{"table that starts too late", "a.pdf", strings.Replace(pdftest.OnePage(page), "xref\n0 6", "xref\n+900000000 6", 1), "of memory"},
		{"long array", "a.pdf", list, "of memory"},
		{"nested arrays", "a.pdf", packedCatalogPDF(strings.Repeat("[", 30<<20)), "nesting exceeds"},
		{"object stream that extends itself", "a.pdf", objectStreamPDF("<</Type/ObjStm/N 1/First 4/Extends 2 0 R/Length 4>>\nstream\n9 0 \nendstream"), late},
		{"endless page tree", "a.pdf", widePageTreePDF(), late},
		{"attributes", "a.docx", wordFile(t, wordBody(manyAttributes(3<<20))), "of memory"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			timeout := 30 * time.Second * slow
			if tc.want == late {
				timeout = 500 * time.Millisecond
			}
			ctx, cancel := context.WithTimeoutCause(t.Context(), timeout, errors.New(late))
			defer cancel()
			var result sandboxResult
			var err error
			peak := peakOf(func() {
				result, err = runChild(ctx, []byte(tc.raw), sandboxRequest{graph.Document{URI: tc.file}, limit})
			})
			if err == nil && result.Err != "" {
				err = errors.New(result.Err)
			}
			if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%d bytes: got error %v, want one line with %q", len(tc.raw), err, tc.want)
			}
			if peak > 2*limit*slow {
				t.Errorf("the child used %d MiB", peak>>20)
			}
			t.Logf("%d bytes: %v; %d MiB", len(tc.raw), err, peak>>20)
		})
	}
}

// TestMaliciousFileIsOneFailure reads such files as an index run does, with the
// usual limits.
func TestMaliciousFileIsOneFailure(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, raw, want string }{
		{
			"memory",
			pdftest.OnePage(pdftest.Stream("/Filter/FlateDecode/DecodeParms<</Predictor 12/Colum#6es 9000000000>>", pdftest.Deflate("x"))),
			"read a.pdf: parsing takes more than 1024 MiB of memory: the file is damaged, or made to exhaust memory",
		},
		{"objects in each other's object stream", endlessObjectStreamsPDF(2, 1), "read a.pdf: nesting too deep"},
		{"an object stream in itself", endlessObjectStreamsPDF(2, 2), "read a.pdf: nesting too deep"},
	} {
		_, err := read(t, "a.pdf", tc.raw)
		if err == nil || err.Error() != tc.want {
			t.Errorf("%s: got error %v, want %q", tc.name, err, tc.want)
		}
	}
}

func TestSandboxError(t *testing.T) {
	t.Parallel()
	failed := exec.CommandContext(t.Context(), "false").Run()
	for stderr, want := range map[string]string{
		"fatal error: runtime: cannot allocate memory\n":                  "1024 MiB of memory",
		"runtime: goroutine stack exceeds 134217728-byte limit\nfatal...": "nesting too deep",
		"panic: something\ngoroutine 1":                                   "exit status 1): panic: something",
	} {
		if err := sandboxError(failed, stderr, sandboxMemory); !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: got %v, want one line with %q", stderr, err, want)
		}
	}
	if err := sandboxError(exec.CommandContext(t.Context(), "no such program").Run(), "", 0); !strings.Contains(err.Error(), "start the parser process") {
		t.Errorf("a program that does not exist: got %v", err)
	}
}
