// Package office reads archives of XML parts, which Word documents, slides, OpenDocument texts and
// electronic books are.
package office

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html/charset"

	"github.com/neorag/neorag/internal/source/parse"
)

const (
	maxZipEntries = 10_000
	maxUnzipped   = 128 << 20 // bytes of all parts that are read
	maxRatio      = 250       // of a part's size to its packed size, checked above minRatioSize
	minRatioSize  = 8 << 20   // bytes
	maxXMLDepth   = 256
)

// An Archive is a zip file of XML parts, as Word documents and electronic books are.
type Archive struct {
	Ctx   context.Context      //nolint:containedctx // it lives as long as the reading of one file
	files map[string]*zip.File // by name; the first of each
	Left  int64                // bytes that may still be unpacked
}

// Open opens a zip file with limits of its number of files and of what they unpack to.
func Open(ctx context.Context, raw []byte) (*Archive, error) {
	opened, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, parse.FirstLine(err)
	}
	if len(opened.File) > maxZipEntries {
		return nil, fmt.Errorf("archive has %d files, more than %d", len(opened.File), maxZipEntries)
	}
	f := &Archive{Ctx: ctx, files: make(map[string]*zip.File, len(opened.File)), Left: maxUnzipped}
	for _, entry := range opened.File {
		if name := PartName(entry.Name); f.files[name] == nil {
			f.files[name] = entry
		}
	}
	return f, nil
}

// A Handler is called for each start tag, each end tag and each text between
// them, with the other arguments zero. If it returns false at a start tag, it is not
// called for the content of the element.
type Handler func(start *xml.StartElement, end, text string) bool

// Starts is a Handler of start tags alone.
func Starts(handle func(start *xml.StartElement)) Handler {
	return func(start *xml.StartElement, _, _ string) bool {
		if start != nil {
			handle(start)
		}
		return true
	}
}

// ReadPart reads one XML file of the archive, if there is one of that name.
func (f *Archive) ReadPart(name string, handle Handler) error {
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

// ReadAll returns the content of a file of the archive, or an error if there is none of that name.
func (f *Archive) ReadAll(name string) ([]byte, error) {
	r, err := f.open(name)
	if err != nil {
		return nil, err
	}
	if r == nil {
		return nil, errors.New("missing")
	}
	raw, err := io.ReadAll(r)
	if closeErr := r.Close(); err == nil {
		err = closeErr
	}
	return raw, err
}

// open returns a reader of a file of the archive, or nil if there is none of that name.
func (f *Archive) open(name string) (*partReader, error) {
	entry := f.files[name]
	if entry == nil {
		return nil, nil
	}
	r, err := entry.Open()
	if err != nil {
		return nil, parse.FirstLine(err)
	}
	return &partReader{file: f, ReadCloser: r, packed: int64(entry.CompressedSize64)}, nil
}

// A partReader fails when a part unpacks to too much, and when its context ends.
type partReader struct {
	io.ReadCloser

	file   *Archive
	packed int64 // bytes in the archive
	n      int64 // bytes read
}

func (p *partReader) Read(b []byte) (int, error) {
	if err := p.file.Ctx.Err(); err != nil {
		return 0, err
	}
	n, err := p.ReadCloser.Read(b)
	p.n += int64(n)
	p.file.Left -= int64(n)
	if p.file.Left < 0 {
		return 0, fmt.Errorf("archive unpacks to more than %d bytes", maxUnzipped)
	}
	if p.n > minRatioSize && p.n/maxRatio > p.packed {
		return 0, fmt.Errorf("part unpacks to more than %d times its size", maxRatio)
	}
	return n, err
}

// walkXML calls handle for the elements and texts of an XML file. The decoder does
// not know entities that a document defines, so that none can expand.
func walkXML(r io.Reader, handle Handler) error {
	dec := xml.NewDecoder(r)
	dec.CharsetReader = charset.NewReaderLabel
	depth, skipFrom := 0, 0
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return parse.FirstLine(err)
		}
		switch t := token.(type) {
		case xml.Directive:
			return errors.New("it has a document type declaration, which such files never have")
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

// Attr returns the value of an attribute in any name space, or "".
func Attr(e *xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// Has reports whether there is a part of that name.
func (f *Archive) Has(name string) bool { return f.files[name] != nil }

// PartName returns the name of a part with slashes, without one at its beginning. Some programs
// write backslashes.
func PartName(name string) string {
	return strings.TrimPrefix(strings.ReplaceAll(name, "\\", "/"), "/")
}

// Properties are what office documents say of themselves.
type Properties struct{ Title, Created string }

// PropertiesPart handles the part that holds the title and the date.
func (p *Properties) PropertiesPart() Handler {
	element := ""
	return func(start *xml.StartElement, _, text string) bool {
		switch {
		case start != nil:
			element = start.Name.Local
		case text == "":
			element = ""
		case element == "title":
			p.Title += text
		case element == "created" || element == "creation-date":
			p.Created += text
		}
		return true
	}
}

// OpenDocument opens a document that has its text in a part and its properties in another; kind is
// how people call its format.
func OpenDocument(ctx context.Context, raw []byte, kind, main, meta string) (*Archive, Properties, error) {
	var properties Properties
	f, err := Open(ctx, raw)
	if err != nil {
		return nil, properties, fmt.Errorf("not %s: %w", kind, err)
	}
	if !f.Has(main) {
		return nil, properties, fmt.Errorf("no %s: not %s", main, kind)
	}
	if err := f.ReadPart(meta, properties.PropertiesPart()); err != nil {
		return nil, properties, fmt.Errorf("%s: %w", meta, err)
	}
	return f, properties, nil
}
