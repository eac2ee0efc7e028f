package source

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/decode"
	"github.com/neorag/neorag/internal/source/parse"
	"github.com/neorag/neorag/internal/text"
)

// Documents yields the documents of a file in their order, and returns the parts
// that cannot be read. The keys of the documents are empty: they depend on the
// corpus. A file of records is read as a stream: memory depends on its largest
// record, and on the number of records, but not on its size.
//
// An error means that the file cannot be read; it is one line and contains the URI.
// Some documents of a file of records may have been yielded before it. An error of
// yield ends the reading and is returned as it is.
func Documents(ctx context.Context, f File, o Options, yield func(graph.Document) error) ([]Failure, error) {
	kind, known := formatOf(f.URI)
	if !known {
		kind = formats[".txt"]
	}
	base := graph.Document{URI: f.URI, Root: f.Root, Title: parse.Stem(f.URI), MIME: kind.mime, Date: parse.DateInName(parse.Stem(f.URI))}
	if kind.records != nil {
		r := newRecords(ctx, base, o, yield)
		if err := readRecords(f, o, kind, r); err != nil {
			return nil, err
		}
		return r.failures, ctx.Err()
	}
	doc, failures, err := readDocument(ctx, f, o, kind, base)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", f.URI, withoutPath(err))
	}
	if err := yield(doc); err != nil {
		return nil, err
	}
	return failures, nil
}

// An Entry is one document of a file, without its text.
type Entry struct {
	URI    string
	SHA256 string
	Row    int // of a record; see graph.Places
	Line   int
}

// Survey returns which documents a file holds, and the parts that cannot be read.
// A file of one document is only hashed, so that its failures show in Documents
// alone. There are no entries together with an error.
func Survey(ctx context.Context, f File, o Options) ([]Entry, []Failure, error) {
	if !HasRecords(f) {
		sum, err := Hash(ctx, f, o)
		if err != nil {
			return nil, nil, err
		}
		return []Entry{{URI: f.URI, SHA256: sum}}, nil, nil
	}
	entries := []Entry{}
	failures, err := Documents(ctx, f, o, func(d graph.Document) error {
		entries = append(entries, Entry{d.URI, d.SHA256, d.Places.Row, d.Places.Line})
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return entries, failures, nil
}

// HasRecords reports whether each record of a file is a document. The URI of such
// a document is the URI of the file, "#", and an id.
func HasRecords(f File) bool {
	format, _ := formatOf(f.URI)
	return format.records != nil
}

// readDocument reads a file of one document.
func readDocument(ctx context.Context, f File, o Options, kind format, base graph.Document) (doc graph.Document, failures []Failure, err error) {
	defer func() {
		if p := recover(); p != nil { // a bug in a parser must not end the run
			err = parserCrashed(p)
		}
	}()
	raw, err := content(ctx, f, o)
	if err != nil {
		return doc, nil, err
	}
	sum := sha256.Sum256(raw)
	base.SHA256 = hex.EncodeToString(sum[:])
	if kind.sandboxed {
		doc, failures, err = o.parse(ctx, raw, base)
	} else {
		doc, failures, err = kind.read(ctx, raw, base, parse.Options{Encoding: o.Encoding, WholePage: o.WholePages})
	}
	if err == nil && len(raw) > 0 && !parse.HasText(doc.Text) {
		err = errNoText
	}
	if parse.IsPacked(base.URI) { // places are those in the file that it unpacks to
		doc.Places.Verbatim, doc.Places.Breaks = false, nil
	}
	if err == nil && kind.headings != nil {
		doc.Places.Sections = parse.Sections(kind.headings(doc.Text))
	}
	return doc, failures, err
}

var errNoText = errors.New("no text in it")

func readRecords(f File, o Options, kind format, r *records) (err error) {
	defer func() {
		if r.yielding {
			return // the caller's panic, or its error, which err is
		}
		if p := recover(); p != nil {
			err = parserCrashed(p)
		}
		if err != nil {
			err = fmt.Errorf("read %s: %w", f.URI, withoutPath(err))
		}
	}()
	var text io.Reader
	if kind.sandboxed {
		text, err = unpacked(f, o, r)
	} else {
		var file *fileReader
		if file, err = openFile(r.ctx, f, o); err != nil {
			return err
		}
		defer file.close()
		text, err = decode.Stream(file, file.rewind, o.Encoding)
	}
	if err != nil {
		return err
	}
	if err := kind.records(text, r); err != nil {
		return err
	}
	return r.addTables()
}

// unpacked returns what a child process reads of a file of records in a packed format: their
// text, and the parts that cannot be read.
func unpacked(f File, o Options, r *records) (io.Reader, error) {
	raw, err := content(r.ctx, f, o)
	if err != nil {
		return nil, err
	}
	doc, failures, err := o.parse(r.ctx, raw, r.base)
	r.failures = failures
	return strings.NewReader(doc.Text), err
}

// compoundFile begins the files of Office 97, and files of later versions that have a password.
const compoundFile = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

// parse reads a file in a child process.
func (o Options) parse(ctx context.Context, raw []byte, base graph.Document) (graph.Document, []Failure, error) {
	if bytes.HasPrefix(raw, []byte(compoundFile)) {
		return base, nil, fmt.Errorf("encrypted, or in the format of Office 97: save it without a password, as %s", path.Ext(base.URI))
	}
	sandbox := o.Sandbox
	if sandbox == nil {
		sandbox = NewSandbox()
		defer sandbox.Close()
	}
	doc, scans, failures, err := sandbox.read(ctx, raw, base, o.OCRCommand != "")
	if err == nil && len(scans) > 0 {
		unread := o.recognize(ctx, &doc, scans)
		if len(unread) > 0 && !parse.HasText(doc.Text) {
			return doc, nil, errors.New(strings.TrimPrefix(unread[0].Err.Error(), "read "+doc.URI+": "))
		}
		failures = append(failures, unread...)
	}
	return doc, failures, err
}

// parserCrashed returns the error for a panic, on one line.
func parserCrashed(p any) error {
	return errors.New("parser crashed: " + text.FirstLine(strings.TrimSpace(fmt.Sprint(p))))
}
