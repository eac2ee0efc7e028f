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

// bombPDF returns a page with a long text, compressed several times.
func bombPDF(size, times int) string {
	text, filters := "BT /F1 12 Tf ("+strings.Repeat("a", size)+") Tj ET", ""
	for range times {
		text, filters = pdftest.Deflate(text), filters+"/FlateDecode"
	}
	return pdftest.OnePage(pdftest.Stream("/Filter["+filters+"]", text))
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

// TestSandboxStopsMaliciousFiles reads files that exhaust memory, recurse or never end. Each is
// one failure or a document of little text, and the child stays within its memory limit. It is
// not parallel, because it measures the memory of all children.
func TestSandboxStopsMaliciousFiles(t *testing.T) {
	const limit = 128 << 20
	const late = "time is over"
	page := pdftest.Stream("", "BT /F1 12 Tf (A) Tj ET")
	if _, err := read(t, "a.pdf", pdftest.OnePage(page)); err != nil { // compiles the parser, which takes more memory
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, file, raw, want string }{
		{"attributes", "a.docx", wordFile(t, wordBody(manyAttributes(3<<20))), "of memory"},
		{"text compressed twice", "a.pdf", bombPDF(100<<20, 2), "of memory"},
		{"rows of a predictor", "a.pdf", pdftest.OnePage(pdftest.Stream("/Filter/FlateDecode/DecodeParms<</Predictor 12/Colum#6es 3000000000>>", pdftest.Deflate("x"))), "no text"},
		{"table that starts late", "a.pdf", strings.Replace(pdftest.OnePage(page), "xref\n0 6", "xref\n+900000000 6", 1), ""},
		{"many objects", "a.pdf", strings.Replace(pdftest.OnePage(page), "/Size 6", "/Size 99999999999", 1), ""},
		{"nested arrays", "a.pdf", pdftest.File("", "<</Type/Catalog/Pages "+strings.Repeat("[", 1_000_000)+">>"), "of memory"},
		{"page tree with a cycle", "a.pdf", pdftest.File("", pdftest.Catalog, "<</Type/Pages/Kids[2 0 R]/Count 1>>"), "page 1"},
		{"endless page tree", "a.pdf", widePageTreePDF(), late},
		{"many pages", "a.pdf", pdftest.File("", pdftest.Catalog, "<</Type/Pages/Kids["+strings.Repeat("3 0 R ", 10_001)+"]/Count 10001>>", "<</Type/Page/Parent 2 0 R>>"), "more than 10000 pages"},
		{"form that draws itself", "a.pdf", pdftest.OnePage(pdftest.Stream("", "/X Do"), pdftest.Stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R>>>>", "/X Do /X Do")), "of memory"},
		{"the same content repeated", "a.pdf", pdftest.OnePageOf(strings.Repeat("4 0 R ", 2000), pdftest.Stream("/Filter/FlateDecode", pdftest.Deflate(strings.Repeat("(aaaaaaaaaaaaaaaa) Tj ", 20_000)))), "of memory"},
	} {
		ctx, cancel := t.Context(), context.CancelFunc(func() {})
		if tc.want == late {
			ctx, cancel = context.WithTimeoutCause(ctx, time.Second, errors.New(late))
		}
		sandbox := NewSandbox()
		sandbox.memory = limit
		var doc graph.Document
		var err error
		peak := peakOf(func() { doc, _, _, err = sandbox.read(ctx, []byte(tc.raw), graph.Document{URI: tc.file}, false) })
		cancel()
		sandbox.Close()
		switch {
		case tc.want == "" && (err != nil || doc.Text != "A"):
			t.Errorf("%s: got %.100q, %v, want the text", tc.name, doc.Text, err)
		case tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "\n")):
			t.Errorf("%s, %d bytes: got error %v, want one line with %q", tc.name, len(tc.raw), err, tc.want)
		}
		if peak > (limit+childRuntime)*slow+100<<20 { // what the operating system allows, and the program
			t.Errorf("%s: the child used %d MiB", tc.name, peak>>20)
		}
		t.Logf("%s, %d bytes: %v; %d MiB", tc.name, len(tc.raw), err, peak>>20)
	}
}

// TestLateChild reads a file after one that never ends.
func TestLateChild(t *testing.T) {
	t.Parallel()
	sandbox := NewSandbox()
	defer sandbox.Close()
	late := errors.New("time is over")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 100*time.Millisecond, late)
	defer cancel()
	if _, _, _, err := sandbox.read(ctx, []byte(widePageTreePDF()), graph.Document{URI: "a.pdf"}, false); !errors.Is(err, late) {
		t.Errorf("got %v, want %v", err, late)
	}
	if doc, _, _, err := sandbox.read(t.Context(), []byte(pdftest.OnePage(pdftest.Stream("", "BT /F1 12 Tf (A) Tj ET"))), graph.Document{URI: "a.pdf"}, false); err != nil || doc.Text != "A" {
		t.Errorf("the next file: %q, %v", doc.Text, err)
	}
}

// TestChildReadsManyFiles reads files with the same child, of which some cannot be read.
func TestChildReadsManyFiles(t *testing.T) {
	t.Parallel()
	sandbox := NewSandbox()
	defer sandbox.Close()
	var first *child
	for i := range 5 {
		text := fmt.Sprintf("File %d", i)
		doc, _, _, err := sandbox.read(t.Context(), []byte(pdftest.OnePage(pdftest.Stream("", "BT /F1 12 Tf ("+text+") Tj ET"))), graph.Document{URI: "a.pdf"}, false)
		if err != nil || doc.Text != text {
			t.Errorf("file %d: %q, %v", i, doc.Text, err)
		}
		if _, _, _, err := sandbox.read(t.Context(), []byte("hello"), graph.Document{URI: "b.pdf"}, false); err == nil {
			t.Error("a file that is no PDF: no error")
		}
		if len(sandbox.idle) != 1 || first != nil && sandbox.idle[0] != first {
			t.Errorf("after file %d: %d children, or another one", i, len(sandbox.idle))
		} else {
			first = sandbox.idle[0]
		}
	}
}

func TestSandboxError(t *testing.T) {
	t.Parallel()
	failed := exec.CommandContext(t.Context(), "false").Run()
	for stderr, want := range map[string]string{
		"fatal error: runtime: cannot allocate memory\n":                                         "1024 MiB of memory",
		"runtime/cgo: pthread_create failed: Resource temporarily unavailable\nSIGABRT: abort\n": "1024 MiB of memory",
		"runtime: failed to create new OS thread (have 9 already; errno=11)\nruntime: may":       "1024 MiB of memory",
		"runtime: goroutine stack exceeds 134217728-byte limit\nfatal...":                        "nesting too deep",
		"panic: something\ngoroutine 1":                                                          "exit status 1): panic: something",
	} {
		if err := sandboxError(failed, stderr, sandboxMemory); !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: got %v, want one line with %q", stderr, err, want)
		}
	}
}
