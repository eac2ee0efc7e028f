// Package pdftext reads the text of PDF files with PDFium, as paragraphs and headings, with
// the page of each.
//
// PDFium runs as WebAssembly: it has no access to files or the network, and a limit of memory.
// Nothing but the end of the process ends a call that takes too long, because a call that can
// be ended takes ten times as long. Read untrusted files in a process whose time is limited,
// as package source does.
package pdftext

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/klippa-app/go-pdfium"
	pdfiumerrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

const (
	maxPages    = 10_000
	maxText     = 64 << 20 // bytes
	maxFailures = 100      // pages that are named
)

var errEncrypted = errors.New("encrypted: save it without a password")

// A Document is what Read takes from a file.
type Document struct {
	Title    string
	Heading  string  // the first heading of level 1, or ""
	Created  string  // as the file writes it, often "D:20240301091500Z"
	Text     string  // paragraphs and headings, separated by blank lines; headings begin with "#"
	Pages    []Page  // in order, without those that show no text
	Failures []error // one for each page that cannot be read, at most 100
	Scans    []Scan  // pages without text, where they are asked for
}

// Options are how a file is read. The zero value works.
type Options struct {
	// Cache is a folder for PDFium's machine code, which takes seconds to make; with "" it is made
	// once in each process.
	Cache string
	Scans bool // return pictures of the pages without text
}

// A Page is where the text of a page begins. A paragraph that begins on an earlier page
// contains the beginning of this one.
type Page struct {
	Number int // from 1
	Start  int // byte offset in the text
}

// Read takes the text of a file. Pages that fail are named in Failures. An error means that
// nothing can be read. When ctx ends, the error is its cause.
func Read(ctx context.Context, raw []byte, o Options) (doc Document, err error) {
	if !bytes.Contains(raw[:min(len(raw), 1024)], []byte("%PDF-")) {
		return Document{}, errors.New("not a PDF: missing %PDF header")
	}
	pool, err := start(ctx, o.Cache)
	if err != nil {
		return Document{}, err
	}
	instance, err := pool.GetInstanceWithContext(ctx)
	if err != nil {
		return Document{}, fmt.Errorf("start PDFium: %w", err)
	}
	defer func() {
		if p := recover(); p != nil {
			doc, err = Document{}, fmt.Errorf("malformed PDF: PDFium ended: %s", firstLine(p))
		}
		_ = instance.Close() // its memory is freed in any case
	}()
	return read(ctx, instance, raw, o)
}

func read(ctx context.Context, pdfium pdfium.Pdfium, raw []byte, o Options) (Document, error) {
	opened, err := pdfium.OpenDocument(&requests.OpenDocument{File: &raw})
	switch {
	case errors.Is(err, pdfiumerrors.ErrPassword):
		return Document{}, errEncrypted
	case errors.Is(err, pdfiumerrors.ErrSecurity):
		return Document{}, fmt.Errorf("%w: the kind of encryption is not supported", errEncrypted)
	case err != nil:
		return Document{}, malformed(err)
	}
	count, err := pdfium.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: opened.Document})
	switch {
	case err != nil:
		return Document{}, malformed(err)
	case count.PageCount == 0:
		return Document{}, errors.New("no pages")
	case count.PageCount > maxPages:
		return Document{}, fmt.Errorf("more than %d pages: split the file", maxPages)
	}
	doc := Document{Title: metadata(pdfium, opened.Document, "Title"), Created: metadata(pdfium, opened.Document, "CreationDate")}
	lines, err := doc.readPages(ctx, pdfium, opened.Document, count.PageCount, o.Scans)
	if err != nil {
		return doc, err
	}
	doc.layOut(lines, count.PageCount)
	return doc, nil
}

// readPages returns the lines of all pages.
func (d *Document) readPages(ctx context.Context, pdfium pdfium.Pdfium, document references.FPDF_DOCUMENT, count int, scans bool) ([]line, error) {
	form := openForm(pdfium, document)
	var lines []line
	size := 0
	scanner := scanner{pdfium: pdfium, document: document}
	namer := namer{pdfium: pdfium, document: document}
	for i := range count {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		page, err := readPage(pdfium, document, form, i, &namer)
		if scans && (len(page) == 0 || err != nil) {
			taken, problem := scanner.scan(i)
			if taken {
				page, err = nil, nil
			} else if err = cmp.Or(problem, err); err == nil {
				err = fmt.Errorf("more than %d pages, or %d bytes of their pictures, have no text: split the file", maxScans, maxScanBytes)
			}
		}
		if err != nil && len(d.Failures) < maxFailures {
			d.Failures = append(d.Failures, fmt.Errorf("page %d: %s", i+1, firstLine(err)))
		}
		for _, l := range page {
			size += len(l.text)
		}
		if size > maxText {
			return nil, fmt.Errorf("page %d: more than %d bytes of text: split the file", i+1, maxText)
		}
		lines = append(lines, page...)
	}
	d.Scans = scanner.scans
	return lines, nil
}

// metadata returns an entry of the document's information, or "".
func metadata(pdfium pdfium.Pdfium, document references.FPDF_DOCUMENT, tag string) string {
	value, err := pdfium.FPDF_GetMetaText(&requests.FPDF_GetMetaText{Document: document, Tag: tag})
	if err != nil {
		return ""
	}
	return value.Value
}
