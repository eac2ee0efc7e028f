package pdftext

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"strings"

	"github.com/ledongthuc/pdf"
)

const (
	readSize     = 1 << 9     // bytes that the parser gets per read
	maxReads     = 50_000_000 // of that size; objects are read again and again
	maxCallDepth = 10_000
)

// A limitedFile hands a file to the parser in small pieces. It panics, which the
// parser cannot ignore, when the context ends, when the parser recurses too deep
// and when it reads so often that it must be in a loop.
type limitedFile struct {
	ctx   context.Context //nolint:containedctx // it lives as long as one call of Read
	raw   []byte
	reads int
}

func (f *limitedFile) ReadAt(p []byte, off int64) (int, error) {
	if f.reads++; f.reads > maxReads {
		panic("circular references")
	}
	if f.ctx.Err() != nil {
		panic(context.Cause(f.ctx))
	}
	if f.reads%8 == 0 && runtime.Callers(maxCallDepth, make([]uintptr, 1)) > 0 {
		panic("recursive objects")
	}
	if off < 0 || off >= int64(len(f.raw)) {
		return 0, io.EOF
	}
	return copy(p[:min(len(p), readSize)], f.raw[off:]), nil
}

// open reads the cross-reference table. Bytes before the header and after the
// last end mark are ignored, and version 2 is read like 1.7.
func open(ctx context.Context, raw []byte) (*pdf.Reader, error) {
	raw = raw[max(0, bytes.Index(raw, []byte("%PDF-"))):]
	if end := bytes.LastIndex(raw, []byte("%%EOF")); end >= 0 {
		raw = raw[:end+len("%%EOF")]
	}
	if !bytes.HasPrefix(raw, []byte("%PDF-1.")) || len(raw) > 8 && raw[8] != '\n' && raw[8] != '\r' {
		raw = bytes.Clone(raw)
		copy(raw, "%PDF-1.7\n")
	}
	r, err := pdf.NewReader(&limitedFile{ctx: ctx, raw: raw}, int64(len(raw)))
	if err != nil {
		if strings.Contains(err.Error(), "encrypt") {
			return nil, errEncrypted
		}
		return nil, errors.New(panicMessage(err))
	}
	return r, nil
}
