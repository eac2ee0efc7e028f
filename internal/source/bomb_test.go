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
)

// packedPDF is a file whose object 1, the catalogue, is packed in object 2:
// nothing of it stands in the file as it is.
func packedPDF(tb testing.TB, catalogue string, more ...string) string {
	tb.Helper()
	inside := "1 0 " + catalogue
	return tablePDF(pdfStreamOf("/Type/ObjStm/N 1/First 4/Filter/FlateDecode", deflated(tb, inside)), more...)
}

// tablePDF is a file with a table that says that object 1 is packed in object 2.
// More objects follow from 4 on.
func tablePDF(container string, more ...string) string {
	var b strings.Builder
	b.WriteString("%PDF-1.5\n")
	entries := []byte("\x00\x00\x00\x00\x00" + "\x02\x00\x00\x02\x00")
	add := func(n int, object string) {
		entries = append(entries, 1, byte(b.Len()>>16), byte(b.Len()>>8), byte(b.Len()), 0)
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", n, object)
	}
	add(2, container)
	third := len(entries)
	entries = append(entries, 0, 0, 0, 0, 0)
	for i, o := range more {
		add(4+i, o)
	}
	copy(entries[third:], []byte{1, byte(b.Len() >> 16), byte(b.Len() >> 8), byte(b.Len()), 0})
	start := b.Len()
	fmt.Fprintf(&b, "3 0 obj\n<</Type/XRef/Size %d/W[1 3 1]/Root 1 0 R/Length %d>>\nstream\n%s\nendstream\nendobj\nstartxref\n%d\n%%%%EOF\n", 4+len(more), len(entries), entries, start)
	return b.String()
}

// wideTree are pages of which each level has the next one a hundred times.
func wideTree() string {
	objects := []string{pdfCatalogue}
	for n := 3; n < 30; n++ {
		objects = append(objects, "<</Type/Pages/Kids["+strings.Repeat(fmt.Sprintf("%d 0 R ", n), 100)+"]>>")
	}
	return makePDF("", append(objects, "<</Type/Pages/Kids[]>>")...)
}

// attributes are the start of an element that has very many, in no order that
// could be packed well.
func attributes(n int) string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("<w:p")
	for range n {
		fmt.Fprintf(&b, ` %c%c=""`, 'a'+r.IntN(26), 'a'+r.IntN(26))
	}
	return b.String() + "></w:p>"
}

// TestBombs reads files that are made to fill the memory or the time in ways
// that no guard knows: each ends as one named failure, and the process that
// read it took no more than it may.
func TestBombs(t *testing.T) {
	t.Parallel()
	const limit = 64 << 20
	const late = "its time is over"
	page := pdfStreamOf("", "BT /F1 12 Tf (A) Tj ET")
	list := packedPDF(t, "["+strings.Repeat("1 ", 10<<20)+"]")
	for _, tc := range []struct{ name, file, raw, want string }{
		{"a text packed twice", "a.pdf", tablePDF(pdfStreamOf("/Type/ObjStm/N 1/First 4/Filter[/FlateDecode/FlateDecode]", deflated(t, deflated(t, "1 0 ("+strings.Repeat("a", 100<<20)+")")))), "of memory"},
		{"rows of a predictor", "a.pdf", onePage(pdfStreamOf("/Filter/FlateDecode/DecodeParms<</Predictor 12/Colum#6es 3000000000>>", deflated(t, "x"))), "of memory"},
		{"a long table", "a.pdf", strings.Replace(list, "/Size", "/Si#7ae 900000000/Siz", 1), "of memory"},
		{"a table from beyond", "a.pdf", strings.Replace(onePage(page), "xref\n0 6", "xref\n+900000000 6", 1), "of memory"},
		{"a long list", "a.pdf", list, "of memory"},
		{"lists in lists", "a.pdf", packedPDF(t, strings.Repeat("[", 30<<20)), "nesting exceeds"},
		{"containers without end", "a.pdf", tablePDF("<</Type/ObjStm/N 1/First 4/Extends 2 0 R/Length 4>>\nstream\n9 0 \nendstream"), late},
		{"pages without end", "a.pdf", wideTree(), late},
		{"attributes", "a.docx", packed(t, wordBody(attributes(3<<20))), "of memory"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			patience := 30 * time.Second * slow
			if tc.want == late {
				patience = 500 * time.Millisecond
			}
			ctx, cancel := context.WithTimeoutCause(t.Context(), patience, errors.New(late))
			defer cancel()
			var said apartSaid
			var err error
			peak := peakOf(func() {
				said, err = askApart(ctx, []byte(tc.raw), apartAsked{graph.Document{URI: tc.file}, limit})
			})
			if err == nil && said.Err != "" {
				err = errors.New(said.Err)
			}
			if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%d bytes: got %v, want %q", len(tc.raw), err, tc.want)
			}
			if peak > 2*limit*slow {
				t.Errorf("it took %d MiB", peak>>20)
			}
			t.Logf("%d bytes: %v; %d MiB", len(tc.raw), err, peak>>20)
		})
	}
}

// TestBombIsOneFailure reads a bomb as an index run does.
func TestBombIsOneFailure(t *testing.T) {
	t.Parallel()
	_, err := read(t, "a.pdf", onePage(pdfStreamOf("/Filter/FlateDecode/DecodeParms<</Predictor 12/Colum#6es 9000000000>>", deflated(t, "x"))))
	if err == nil || err.Error() != "read a.pdf: it takes more than 1024 MiB of memory to read: it is damaged, or made to fill the memory" {
		t.Errorf("got %v", err)
	}
}

func TestApartError(t *testing.T) {
	t.Parallel()
	failed := exec.CommandContext(t.Context(), "false").Run()
	for complaint, want := range map[string]string{
		"fatal error: runtime: cannot allocate memory\n":                  "1024 MiB of memory to read",
		"runtime: goroutine stack exceeds 134217728-byte limit\nfatal...": "inside one another without end",
		"panic: something\ngoroutine 1":                                   "exit status 1): panic: something",
	} {
		if err := apartError(failed, complaint, apartMemory); !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: got %v, want %q", complaint, err, want)
		}
	}
	if err := apartError(exec.CommandContext(t.Context(), "no such program").Run(), "", 0); !strings.Contains(err.Error(), "start the process") {
		t.Errorf("got %v", err)
	}
}
