package source

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/decode"
	"github.com/neorag/neorag/internal/source/parse"
	"github.com/neorag/neorag/internal/source/pdftext"
)

var (
	errPDFNoText = errors.New(`no text in it, only images: run text recognition (OCR) first, or name a program that does with --ocr-command, such as "tesseract stdin stdout"`)
	// noTitlePattern matches what programs write in place of a title: that there is none, or
	// the name of the file that the PDF was made from.
	noTitlePattern = regexp.MustCompile(`(?i)\\|^\(?(?:untitled|unbenannt|anonymous|unspecified|sans titre|no title)\b|^(?:document|dokument|presentation|präsentation)\d+$|^microsoft \w+ - |\.(?:docx?|wpd|tex|dvi|rtf|odt|indd|pptx?|xlsx?|ps|pdf)\b`)
)

// readPDF keeps the text of the pages, without their headers and footers. A page that
// cannot be read is a Failure; the others are kept.
func readPDF(ctx context.Context, raw []byte, doc graph.Document, with parse.Options) (graph.Document, []Failure, error) {
	file, err := pdftext.Read(ctx, raw, pdftext.Options{Cache: with.Cache, Scans: with.Scans != nil})
	if err != nil {
		return doc, nil, err
	}
	doc.Text, doc.Places.Pages = cleanPages(file.Text, file.Pages)
	if with.Scans != nil {
		*with.Scans = file.Scans
	}
	if !parse.HasText(doc.Text) && len(file.Scans) == 0 {
		return doc, nil, cmp.Or(errors.Join(file.Failures[:min(1, len(file.Failures))]...), errPDFNoText)
	}
	title := decode.CleanLine(file.Title)
	if noTitlePattern.MatchString(title) {
		title = ""
	}
	doc.Title = cmp.Or(title, file.Heading, doc.Title)
	doc.Date = cmp.Or(parse.RefineDate(doc.Date, doc.Text), pdfDate(file.Created))
	var failures []Failure
	for _, err := range file.Failures {
		failures = append(failures, parse.FailureIn(doc, err))
	}
	return doc, failures, nil
}

// cleanPages cleans a text and returns where its pages begin in it.
func cleanPages(text string, pages []pdftext.Page) (string, []graph.Page) {
	var b strings.Builder
	var out []graph.Page
	last := 0
	for _, p := range pages {
		b.WriteString(decode.Clean(text[last:p.Start]))
		out = append(out, graph.Page{Number: p.Number, Start: b.Len()})
		last = p.Start
	}
	b.WriteString(decode.Clean(text[last:]))
	return b.String(), out
}

// pdfDate parses a date such as "D:20240301091500Z", of which everything after
// the year may be missing.
func pdfDate(s string) string {
	s = strings.TrimPrefix(strings.TrimSpace(s), "D:")
	if len(s) >= len("200601021504") {
		return parse.Date(s[:8] + "T" + s[8:12])
	}
	return parse.Date(s)
}
