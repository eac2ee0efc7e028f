package source

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"github.com/ledongthuc/pdf"
)

// The parser trusts the sizes, chains and streams of a file. What is often wrong
// with them is looked for first, to say it in words; what gets past is bounded
// by the process that reads (see readApart).
const (
	maxPDFObjects = 8_388_607  // as the format itself has it
	maxPDFRow     = 1 << 20    // bytes of one row under a predictor
	maxPDFStream  = 64 << 20   // bytes that a stream may unpack to
	maxPDFStreams = 512 << 20  // bytes that all streams may unpack to
	pdfReadSize   = 1 << 9     // bytes that the parser gets at once
	maxPDFCalls   = 10_000     // calls inside one another
	maxPDFReads   = 50_000_000 // of that size: objects are read again and again
)

var (
	pdfCounts  = regexp.MustCompile(`/(?:Size|Columns|Index\s*\[|W\s*\[)[\s\d]*`)
	pdfTable   = regexp.MustCompile(`xref\s+(\d{7,})\s`)
	pdfSection = regexp.MustCompile(`[\r\n](\d{7,})\s+\d+\s*[\r\n]`)
	pdfStream  = regexp.MustCompile(`stream\r?\n`)
	pdfPicture = regexp.MustCompile(`/Subtype\s*/Image|/FontFile`)
	digits     = regexp.MustCompile(`\d+`)
)

// checkPDF refuses a file that announces more than there can be.
func checkPDF(ctx context.Context, raw []byte) error {
	if !bytes.HasPrefix(bytes.TrimLeft(raw[:min(len(raw), 1024)], "\x00\t\r\n \xef\xbb\xbf"), []byte("%PDF-")) {
		return errors.New("not a PDF: its first line is another")
	}
	if bytes.Contains(raw, []byte("/Encrypt")) {
		return errPDFEncrypted
	}
	for _, counts := range pdfCounts.FindAll(raw, -1) {
		limit := maxPDFObjects
		if bytes.HasPrefix(counts, []byte("/Columns")) || bytes.HasPrefix(counts, []byte("/W")) {
			limit = maxPDFRow
		}
		for _, n := range digits.FindAll(counts, -1) {
			if v, err := strconv.Atoi(string(n)); err != nil || v > limit {
				return fmt.Errorf("%s announces more than %d", bytes.Fields(counts)[0], limit)
			}
		}
	}
	for _, re := range []*regexp.Regexp{pdfTable, pdfSection} {
		for _, m := range re.FindAllSubmatch(raw, -1) {
			if v, err := strconv.Atoi(string(m[1])); err != nil || v > maxPDFObjects {
				return fmt.Errorf("its table begins at object %.20s, later than %d", m[1], maxPDFObjects)
			}
		}
	}
	return checkStreams(ctx, raw)
}

// checkStreams unpacks what is no picture or font, to see how much it is.
func checkStreams(ctx context.Context, raw []byte) error {
	all := int64(0)
	for _, at := range pdfStream.FindAllIndex(raw, -1) {
		header := raw[max(0, at[0]-400):at[0]]
		if i := bytes.LastIndex(header, []byte("obj")); i >= 0 {
			header = header[i:]
		}
		if pdfPicture.Match(header) {
			continue
		}
		unpacked, err := zlib.NewReader(bytes.NewReader(raw[at[1]:]))
		if err != nil {
			continue // not packed, or damaged: the parser says so
		}
		n, _ := io.Copy(io.Discard, io.LimitReader(reader{ctx, unpacked}, maxPDFStream+1)) // damage ends it
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if all += n; n > maxPDFStream || all > maxPDFStreams {
			return fmt.Errorf("it unpacks to more than %d bytes", min(maxPDFStream, all))
		}
	}
	return nil
}

// A pdfFile hands a file to the parser in small pieces, and breaks its loops off
// when the time is over.
type pdfFile struct {
	ctx   context.Context //nolint:containedctx // it lives as long as one call of readPDF
	raw   []byte
	reads int
}

func (f *pdfFile) ReadAt(p []byte, off int64) (int, error) {
	if f.reads++; f.reads > maxPDFReads {
		panic("it goes round in circles")
	}
	if f.ctx.Err() != nil {
		panic(context.Cause(f.ctx))
	}
	if f.reads%8 == 0 && runtime.Callers(maxPDFCalls, make([]uintptr, 1)) > 0 {
		panic("its objects are inside one another without end")
	}
	if off < 0 || off >= int64(len(f.raw)) {
		return 0, io.EOF
	}
	return copy(p[:min(len(p), pdfReadSize)], f.raw[off:]), nil
}

// openPDF reads the table of a file. What stands before the first line of the
// format and behind its last is left out, and version 2 is read like 1.7.
func openPDF(ctx context.Context, raw []byte) (*pdf.Reader, error) {
	raw = raw[max(0, bytes.Index(raw, []byte("%PDF-"))):]
	if end := bytes.LastIndex(raw, []byte("%%EOF")); end >= 0 {
		raw = raw[:end+len("%%EOF")]
	}
	if !bytes.HasPrefix(raw, []byte("%PDF-1.")) || len(raw) > 8 && raw[8] != '\n' && raw[8] != '\r' {
		raw = bytes.Clone(raw)
		copy(raw, "%PDF-1.7\n")
	}
	r, err := pdf.NewReader(&pdfFile{ctx: ctx, raw: raw}, int64(len(raw)))
	if err != nil {
		if strings.Contains(err.Error(), "encrypt") {
			return nil, errPDFEncrypted
		}
		return nil, errors.New(oneLine(err))
	}
	return r, checkTable(r)
}

// checkTable refuses a table that says of a packed object that it is inside
// another packed one: the parser would look for it without end.
func checkTable(r *pdf.Reader) error {
	table := reflect.ValueOf(r).Elem().FieldByName("xref")
	for i := range table.Len() {
		entry := table.Index(i)
		if !entry.FieldByName("inStream").Bool() {
			continue
		}
		if in := int(entry.FieldByName("stream").FieldByName("id").Uint()); in < table.Len() && table.Index(in).FieldByName("inStream").Bool() {
			return fmt.Errorf("object %d is packed in an object that is packed itself", i)
		}
	}
	return nil
}
