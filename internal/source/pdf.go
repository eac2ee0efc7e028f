package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/ledongthuc/pdf"

	"github.com/neorag/neorag/internal/graph"
)

var _ = register(format{
	mime:       "application/pdf",
	extensions: []string{".pdf"},
	read:       readPDF,
	apart:      true,
})

const (
	maxPDFPages    = 10_000
	maxPDFText     = 64 << 20 // bytes
	maxPDFTree     = 32       // levels of the tree of pages
	maxPDFFailures = 100      // pages that are named
)

var (
	errPDFEncrypted = errors.New("encrypted: save it without a password")
	// noTitle matches what programs put in place of a title: the name of the file it was made of.
	noTitle      = regexp.MustCompile(`(?i)\\|^untitled|\.(?:docx?|wpd|tex|dvi|rtf|odt|indd|pptx?|xlsx?|ps|pdf)\b`)
	errPDFNoText = errors.New("no text in it, only pictures: give it to a text recognition (OCR) first")
)

// A pdfText is what is read of a PDF.
type pdfText struct {
	title, created string
	pages          []string
	failures       []error // one for each page that cannot be read
}

// readPDF takes the text of the pages, a blank line between them. A page that
// cannot be read is a failure of its own.
func readPDF(ctx context.Context, raw []byte, doc graph.Document) (graph.Document, []Failure, error) {
	text, err := guardPDF(ctx, raw)
	if err != nil {
		return doc, nil, err
	}
	doc.Text = clean(joinHyphens(strings.Join(text.pages, "\n\n")))
	if !strings.ContainsFunc(doc.Text, unicode.IsLetter) && !strings.ContainsFunc(doc.Text, unicode.IsDigit) {
		return doc, nil, cmp.Or(errors.Join(text.failures[:min(1, len(text.failures))]...), errPDFNoText)
	}
	if title := line(text.title); !noTitle.MatchString(title) {
		doc.Title = cmp.Or(title, doc.Title)
	}
	doc.Date = cmp.Or(date(doc.Date, doc.Text), pdfDate(text.created))
	var failures []Failure
	for _, err := range text.failures {
		failures = append(failures, Failure{URI: doc.URI, Root: doc.Root, Err: fmt.Errorf("read %s: %w", doc.URI, err)})
	}
	return doc, failures, nil
}

// guardPDF reads a PDF whose parser panics where it does not go on.
func guardPDF(ctx context.Context, raw []byte) (text pdfText, err error) {
	if err := checkPDF(ctx, raw); err != nil {
		return pdfText{}, err
	}
	defer func() {
		p := recover()
		switch {
		case ctx.Err() != nil: // what broke off, broke off for this
			text, err = pdfText{}, context.Cause(ctx)
		case p != nil:
			text, err = pdfText{}, fmt.Errorf("not a PDF that can be read: %s", oneLine(p))
		}
	}()
	return parsePDF(ctx, raw)
}

func parsePDF(ctx context.Context, raw []byte) (pdfText, error) {
	reader, err := openPDF(ctx, raw)
	if err != nil {
		return pdfText{}, err
	}
	var t pdfText
	info := reader.Trailer().Key("Info")
	t.title, t.created = info.Key("Title").Text(), info.Key("CreationDate").Text()
	pages, err := pdfPages(reader.Trailer().Key("Root").Key("Pages"), 0, nil)
	if err != nil {
		return t, err
	}
	if len(pages) == 0 {
		return t, errors.New("it has no pages")
	}
	size := 0
	fonts := pdfFonts{}
	for i, page := range pages {
		text, err := pdfPage(ctx, page, fonts)
		if ctx.Err() != nil {
			return t, context.Cause(ctx)
		}
		if err != nil {
			if len(t.failures) < maxPDFFailures {
				t.failures = append(t.failures, fmt.Errorf("page %d: %w", i+1, err))
			}
			continue
		}
		if size += len(text); size > maxPDFText {
			return t, fmt.Errorf("page %d: more than %d bytes of text: split it", i+1, maxPDFText)
		}
		if text != "" {
			t.pages = append(t.pages, text)
		}
	}
	return t, nil
}

// pdfPages are the pages below a node of the tree of pages, in order.
func pdfPages(node pdf.Value, depth int, pages []pdf.Value) ([]pdf.Value, error) {
	if depth > maxPDFTree {
		return nil, fmt.Errorf("the tree of pages is deeper than %d levels", maxPDFTree)
	}
	kids := node.Key("Kids")
	if kids.Kind() != pdf.Array {
		if node.Kind() == pdf.Dict && node.Key("Type").Name() == "Page" {
			pages = append(pages, node)
		}
		return pages, nil
	}
	for i := range kids.Len() {
		var err error
		if pages, err = pdfPages(kids.Index(i), depth+1, pages); err != nil {
			return nil, err
		}
		if len(pages) > maxPDFPages {
			return nil, fmt.Errorf("more than %d pages: split it", maxPDFPages)
		}
	}
	return pages, nil
}

// pdfDate reads "D:20240301091500Z", of which everything behind the year may be missing.
func pdfDate(s string) string {
	s = strings.TrimPrefix(strings.TrimSpace(s), "D:")
	if len(s) >= len("200601021504") {
		return parseDate(s[:8] + "T" + s[8:12])
	}
	return parseDate(s)
}

// joinHyphens puts words together that a line end parts: a hyphen after a
// letter, then a line that begins with a lower case letter.
func joinHyphens(text string) string {
	var b strings.Builder
	for {
		i := strings.Index(text, "-\n")
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		before, after := []rune(text[max(0, i-4):i]), []rune(text[i+2:min(len(text), i+6)])
		joined := len(before) > 0 && len(after) > 0 && unicode.IsLetter(before[len(before)-1]) && unicode.IsLower(after[0])
		b.WriteString(text[:i])
		if !joined {
			b.WriteString("-\n")
		}
		text = text[i+2:]
	}
}
