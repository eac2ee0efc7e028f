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

	"github.com/neorag/neorag/internal/graph"
)

var _ = register(format{
	mime:       "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	extensions: []string{".docx"},
	read:       readDOCX,
	sandboxed:  true,
})

const (
	maxZipEntries = 10_000
	maxUnzipped   = 128 << 20 // bytes of all parts that are read
	maxRatio      = 250       // of a part's size to its packed size, checked above minRatioSize
	minRatioSize  = 8 << 20   // bytes
	maxXMLDepth   = 256
)

// A docxFile is the archive of a document.
type docxFile struct {
	ctx  context.Context //nolint:containedctx // it lives as long as one call of readDOCX
	zip  *zip.Reader
	left int64 // bytes that may still be unpacked
}

// readDOCX keeps the text of paragraphs, headings, lists, tables and notes.
func readDOCX(ctx context.Context, raw []byte, doc graph.Document, _ parsing) (graph.Document, []Failure, error) {
	if bytes.HasPrefix(raw, []byte("\xd0\xcf\x11\xe0")) {
		return doc, nil, errors.New("encrypted, or in the format of older Word versions: save it as .docx without a password")
	}
	archive, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return doc, nil, fmt.Errorf("not a Word document: %w", firstLine(err))
	}
	if len(archive.File) > maxZipEntries {
		return doc, nil, fmt.Errorf("archive has %d files, more than %d", len(archive.File), maxZipEntries)
	}
	f := docxFile{ctx: ctx, zip: archive, left: maxUnzipped}
	parts, err := f.findParts()
	if err != nil {
		return doc, nil, err
	}
	w := docxWriter{styles: map[string]docxStyle{}, notes: map[string]string{}, file: &f, parts: parts}
	for _, part := range []struct {
		kind string
		read xmlHandler
	}{
		{"core-properties", w.coreProperties()},
		{"numbering", w.numbering.handler()},
		{"styles", w.styleSheet()},
		{"footnotes", w.notesPart("footnote", "")},
		{"endnotes", w.notesPart("endnote", "e")},
		{"comments", w.notesPart("comment", "c")},
		{"header", w.margin()},
		{"officeDocument", w.body()},
		{"footer", w.margin()},
	} {
		for _, name := range parts.names[part.kind] {
			if err := f.readPart(name, part.read); err != nil {
				return doc, nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	doc.Text = clean(w.text())
	doc.Title = cmp.Or(cleanLine(w.title), cleanLine(w.heading), doc.Title)
	doc.Date = cmp.Or(parseDate(w.created), refineDate(doc.Date, doc.Text))
	return doc, nil, nil
}

// An xmlHandler is called for each start tag, each end tag and each text between
// them, with the other arguments zero. If it returns false at a start tag, it is not
// called for the content of the element.
type xmlHandler func(start *xml.StartElement, end, text string) bool

// readPart reads one XML file of the archive, if there is one of that name.
func (f *docxFile) readPart(name string, handle xmlHandler) error {
	r, err := f.open(name)
	if err != nil || r == nil {
		return err
	}
	err = walkXML(r, handle)
	if closeErr := r.Close(); err == nil {
		err = closeErr
	}
	return err
}

// open returns a reader of a file of the archive, or nil if there is none of that name.
func (f *docxFile) open(name string) (*partReader, error) {
	for _, entry := range f.zip.File {
		if partName(entry.Name) != name {
			continue
		}
		r, err := entry.Open()
		if err != nil {
			return nil, firstLine(err)
		}
		return &partReader{file: f, ReadCloser: r, packed: int64(entry.CompressedSize64)}, nil
	}
	return nil, nil
}

// A partReader fails when a part unpacks to too much, and when its context ends.
type partReader struct {
	io.ReadCloser

	file   *docxFile
	packed int64 // bytes in the archive
	n      int64 // bytes read
}

func (p *partReader) Read(b []byte) (int, error) {
	if err := p.file.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := p.ReadCloser.Read(b)
	p.n += int64(n)
	p.file.left -= int64(n)
	if p.file.left < 0 {
		return 0, fmt.Errorf("archive unpacks to more than %d bytes", maxUnzipped)
	}
	if p.n > minRatioSize && p.n/maxRatio > p.packed {
		return 0, fmt.Errorf("part unpacks to more than %d times its size", maxRatio)
	}
	return n, err
}

// walkXML calls handle for the elements and texts of an XML file. The decoder does
// not know entities that a document defines, so that none can expand.
func walkXML(r io.Reader, handle xmlHandler) error {
	dec := xml.NewDecoder(r)
	depth, skipFrom := 0, 0
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return firstLine(err)
		}
		switch t := token.(type) {
		case xml.Directive:
			return errors.New("it has a document type declaration, which Word documents never have")
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

// attr returns the value of an attribute in any name space, or "".
func attr(e *xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
