// Package pdftext reads the text of PDF files within limits: of pages, text,
// nesting, unpacked bytes and table sizes.
//
// Read checks what a file announces before it parses it, and turns panics of the
// parser into errors. That names most damaged and malicious files, but not all:
// a file can still make the parser allocate memory or recurse without end, which
// no caller can recover from. Read untrusted files in a process whose memory,
// stack and time are limited, as package source does.
package pdftext

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/ledongthuc/pdf"

	"github.com/neorag/neorag/internal/text"
)

const (
	maxPages    = 10_000
	maxText     = 64 << 20 // bytes
	maxPageTree = 32       // levels
	maxFailures = 100      // pages that are named
)

// A Document is what Read takes from a file.
type Document struct {
	Title    string
	Created  string   // as the file writes it, often "D:20240301091500Z"
	Pages    []string // in order, without those that show no text
	Failures []error  // one for each page that cannot be read, at most 100
}

// Read takes the text of a file. Pages that fail are named in Failures; the text
// that a failed page shows up to there is left out. An error means that nothing
// can be read. When ctx ends, the error is its cause.
func Read(ctx context.Context, raw []byte) (doc Document, err error) {
	if err := checkFile(ctx, raw); err != nil {
		return Document{}, err
	}
	defer func() { // the parser panics on what it cannot read
		p := recover()
		switch {
		case ctx.Err() != nil: // the panic is that of limitedFile
			doc, err = Document{}, context.Cause(ctx)
		case p != nil:
			doc, err = Document{}, fmt.Errorf("malformed PDF: %s", panicMessage(p))
		}
	}()
	return parse(ctx, raw)
}

func parse(ctx context.Context, raw []byte) (Document, error) {
	reader, err := open(ctx, raw)
	if err != nil {
		return Document{}, err
	}
	var doc Document
	info := reader.Trailer().Key("Info")
	doc.Title, doc.Created = info.Key("Title").Text(), info.Key("CreationDate").Text()
	pages, err := pagesBelow(reader.Trailer().Key("Root").Key("Pages"), 0, nil)
	if err != nil {
		return doc, err
	}
	if len(pages) == 0 {
		return doc, errors.New("no pages")
	}
	size := 0
	known := fonts{}
	for i, page := range pages {
		text, err := pageText(ctx, page, known)
		if ctx.Err() != nil {
			return doc, context.Cause(ctx)
		}
		if err != nil {
			if len(doc.Failures) < maxFailures {
				doc.Failures = append(doc.Failures, fmt.Errorf("page %d: %w", i+1, err))
			}
			continue
		}
		if size += len(text); size > maxText {
			return doc, fmt.Errorf("page %d: more than %d bytes of text: split the file", i+1, maxText)
		}
		if text != "" {
			doc.Pages = append(doc.Pages, text)
		}
	}
	return doc, nil
}

// pagesBelow appends the pages below a node of the page tree, in order.
func pagesBelow(node pdf.Value, depth int, pages []pdf.Value) ([]pdf.Value, error) {
	if depth > maxPageTree {
		return nil, fmt.Errorf("page tree deeper than %d levels", maxPageTree)
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
		if pages, err = pagesBelow(kids.Index(i), depth+1, pages); err != nil {
			return nil, err
		}
		if len(pages) > maxPages {
			return nil, fmt.Errorf("more than %d pages: split the file", maxPages)
		}
	}
	return pages, nil
}

// Text returns the text of all pages, separated by blank lines. Words that are
// hyphenated at a line end are joined.
func (d Document) Text() string { return joinHyphens(strings.Join(d.Pages, "\n\n")) }

// joinHyphens removes a hyphen and the line end after it, if there is a letter
// before it and a lower-case letter after it.
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

// panicMessage returns the first line of a panic's value.
func panicMessage(p any) string { return text.FirstLine(strings.TrimSpace(fmt.Sprint(p))) }
