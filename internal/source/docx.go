package source

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

var _ = register(format{
	mime:       "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	extensions: []string{".docx"},
	read:       readDOCX,
	apart:      true,
})

const (
	maxZipEntries = 10_000
	maxUnzipped   = 128 << 20 // bytes of all parts that are read
	maxRatio      = 250       // of a part to its packed size, from freeRatio bytes on
	freeRatio     = 8 << 20
	maxXMLDepth   = 256
)

// A docxFile is the archive that a document is packed in.
type docxFile struct {
	ctx  context.Context //nolint:containedctx // it lives as long as one call of readDOCX
	zip  *zip.Reader
	left int64 // bytes that may still be unpacked
}

// readDOCX keeps paragraphs, headings, lists, tables and footnotes.
func readDOCX(ctx context.Context, raw []byte, doc graph.Document) (graph.Document, []Failure, error) {
	if bytes.HasPrefix(raw, []byte("\xd0\xcf\x11\xe0")) {
		return doc, nil, errors.New("encrypted, or of an older Word: save it as .docx without a password")
	}
	archive, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return doc, nil, fmt.Errorf("not a Word document: %w", unwrapSyntax(err))
	}
	if len(archive.File) > maxZipEntries {
		return doc, nil, fmt.Errorf("%d files are packed in it, more than %d", len(archive.File), maxZipEntries)
	}
	f := docxFile{ctx: ctx, zip: archive, left: maxUnzipped}
	w := docxWriter{styles: map[string]style{}, notes: map[string]string{}}
	for _, part := range []struct {
		name string
		need bool
		read xmlHandler
	}{
		{"docProps/core.xml", false, w.core()},
		{"word/styles.xml", false, w.styleSheet()},
		{"word/footnotes.xml", false, w.notesPart("")},
		{"word/endnotes.xml", false, w.notesPart("e")},
		{"word/document.xml", true, w.body()},
	} {
		if err := f.part(part.name, part.need, part.read); err != nil {
			return doc, nil, fmt.Errorf("%s: %w", part.name, err)
		}
	}
	doc.Text = clean(w.text())
	if strings.TrimSpace(doc.Text) == "" {
		return doc, nil, errors.New("no text in it")
	}
	doc.Title = cmp.Or(line(w.title), line(w.heading), doc.Title)
	doc.Date = cmp.Or(parseDate(w.created), date(doc.Date, doc.Text))
	return doc, nil, nil
}

// line is a text on one line.
func line(s string) string { return strings.Join(strings.Fields(clean(s)), " ") }

// An xmlHandler is told each element as it starts and ends, and the text
// between. One that returns false at a start is not told what is inside.
type xmlHandler func(start *xml.StartElement, end, text string) bool

// part reads one XML file of the archive.
func (f *docxFile) part(name string, need bool, handle xmlHandler) error {
	for _, entry := range f.zip.File {
		if entry.Name != name {
			continue
		}
		r, err := entry.Open()
		if err != nil {
			return unwrapSyntax(err)
		}
		limited := &unzipped{file: f, r: r, packed: int64(entry.CompressedSize64)}
		err = walkXML(limited, handle)
		if closeErr := r.Close(); err == nil {
			err = closeErr
		}
		return err
	}
	if need {
		return errors.New("it is missing: this is no Word document")
	}
	return nil
}

// unzipped stops a part that unpacks to more than is sensible.
type unzipped struct {
	file   *docxFile
	r      io.Reader
	packed int64
	n      int64
}

func (u *unzipped) Read(p []byte) (int, error) {
	if err := u.file.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := u.r.Read(p)
	u.n += int64(n)
	u.file.left -= int64(n)
	if u.file.left < 0 {
		return 0, fmt.Errorf("it unpacks to more than %d bytes", maxUnzipped)
	}
	if u.n > freeRatio && u.n/maxRatio > u.packed {
		return 0, fmt.Errorf("it unpacks to more than %d times its size", maxRatio)
	}
	return n, err
}

// walkXML reads elements one by one. Entities of a document's own are none that
// the decoder knows, so that none multiplies.
func walkXML(r io.Reader, handle xmlHandler) error {
	dec := xml.NewDecoder(r)
	depth, skipFrom := 0, 0
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return unwrapSyntax(err)
		}
		switch t := token.(type) {
		case xml.Directive:
			return errors.New("it declares a document type, which no Word document does")
		case xml.StartElement:
			if depth++; depth > maxXMLDepth {
				return fmt.Errorf("nested deeper than %d elements", maxXMLDepth)
			}
			if skipFrom == 0 && !handle(&t, "", "") {
				skipFrom = depth
			}
		case xml.EndElement:
			switch skipFrom {
			case 0:
				handle(nil, t.Name.Local, "")
			case depth:
				skipFrom = 0
			}
			depth--
		case xml.CharData:
			if skipFrom == 0 {
				handle(nil, "", string(t))
			}
		}
	}
}

// attr is the value of an attribute, whatever its name space.
func attr(e *xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
