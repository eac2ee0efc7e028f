package source

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/source/pdftext/pdftest"
)

// scannedPDF returns a file with pages that have text, or are only shapes where the text is "".
func scannedPDF(texts ...string) string {
	objects := []string{pdftest.Catalog, "", pdftest.Helvetica}
	var kids []string
	for _, text := range texts {
		content := pdftest.Stream("", "100 100 200 300 re f")
		if text != "" {
			content = pdftest.Stream("", "BT /F1 12 Tf 72 700 Td ("+text+") Tj ET")
		}
		n := len(objects) + 1
		kids = append(kids, fmt.Sprintf("%d 0 R", n))
		objects = append(objects, fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]/Contents %d 0 R>>", n+1), content)
	}
	objects[1] = fmt.Sprintf("<</Type/Pages/Kids[%s]/Count %d/Resources<</Font<</F1 3 0 R>>>>>>", strings.Join(kids, " "), len(kids))
	return pdftest.File("", objects...)
}

// Pages without text get that of a program, in their order.
func TestRecognize(t *testing.T) {
	t.Parallel()
	file := File{URI: "a.pdf", Content: []byte(scannedPDF("First page.", "", "Third page.", ""))}
	docs, failures, err := Read(t.Context(), file, Options{OCRCommand: "wc -c"})
	if err != nil || len(failures) > 0 {
		t.Fatal(failures, err)
	}
	lines := strings.Split(docs[0].Text, "\n\n")
	if len(lines) != 4 || lines[0] != "First page." || lines[2] != "Third page." || len(lines[1]) < 4 || lines[1] != lines[3] {
		t.Errorf("text %q, want the sizes of two equal pictures between the pages", docs[0].Text)
	}
	var starts []string
	for _, p := range docs[0].Places.Pages {
		line, _, _ := strings.Cut(docs[0].Text[p.Start:], "\n")
		starts = append(starts, fmt.Sprintf("%d %s", p.Number, line))
	}
	if diff := cmp.Diff([]string{"1 " + lines[0], "2 " + lines[1], "3 " + lines[2], "4 " + lines[3]}, starts); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
	for command, want := range map[string]string{
		"": "--ocr-command", "neorag-has-no-such-program": "executable file not found", "false": "text recognition: run false: exit status 1", "true": "no text in it",
	} {
		_, failures, err := Read(t.Context(), File{URI: "a.pdf", Content: []byte(scannedPDF(""))}, Options{OCRCommand: command})
		if got := fmt.Sprint(failures, err); err == nil || !strings.Contains(got, want) {
			t.Errorf("%q: %v, want %q", command, got, want)
		}
	}
}

// The program gets a picture, and no keys.
func TestRecognizeWithoutSecrets(t *testing.T) {
	t.Setenv("MISTRAL_API_KEY", "secret")
	t.Setenv("NEORAG_PASSWORD", "secret")
	out, err := runOCR(context.Background(), "env", []byte("picture"))
	if err != nil || strings.Contains(out, "secret") || !strings.Contains(out, "PATH=") {
		t.Errorf("environment %q, %v", out, err)
	}
	if out, err := runOCR(context.Background(), "cat", []byte("picture")); err != nil || out != "picture" {
		t.Errorf("got %q, %v", out, err)
	}
}

func TestTesseract(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("tesseract"); err != nil {
		t.Skip("tesseract is not installed")
	}
	docs, _, err := Read(t.Context(), File{URI: "a.pdf", Content: []byte(outlinedPDF())}, Options{OCRCommand: "tesseract stdin stdout"})
	if err != nil || !strings.Contains(strings.ToUpper(docs[0].Text), "LI") {
		t.Errorf("got %q, %v", texts(docs), err)
	}
}

// outlinedPDF returns a file whose text, LIT, is drawn as rectangles.
func outlinedPDF() string {
	var b strings.Builder
	for _, r := range [][4]int{{30, 100, 12, 80}, {30, 100, 50, 12}, {100, 100, 12, 80}, {150, 100, 12, 80}, {126, 168, 60, 12}} {
		fmt.Fprintf(&b, "%d %d %d %d re f ", r[0], r[1], r[2], r[3])
	}
	objects := []string{pdftest.Catalog, "<</Type/Pages/Kids[3 0 R]/Count 1>>", "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R>>", pdftest.Stream("", b.String())}
	return pdftest.File("", objects...)
}
