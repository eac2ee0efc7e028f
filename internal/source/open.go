package source

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"github.com/neorag/neorag/internal/source/parse"
)

// Hash returns the SHA-256 of a file's bytes: the SHA256 of its document, where
// the file holds one document. It does not load the file into memory.
func Hash(ctx context.Context, f File, o Options) (string, error) {
	h := sha256.New()
	if err := copyFile(ctx, h, f, o); err != nil {
		return "", fmt.Errorf("hash %s: %w", f.URI, withoutPath(err))
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// content returns the bytes of f.
func content(ctx context.Context, f File, o Options) ([]byte, error) {
	if f.Content != nil {
		return f.Content, nil
	}
	var b bytes.Buffer
	if 0 < f.Size && f.Size <= o.maxFileSize() {
		b.Grow(int(f.Size) + bytes.MinRead)
	}
	if err := copyFile(ctx, &b, f, o); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// copyFile copies the bytes of f to w.
func copyFile(ctx context.Context, w io.Writer, f File, o Options) error {
	r, err := openFile(ctx, f, o)
	if err != nil {
		return err
	}
	defer r.close()
	_, err = io.Copy(w, r)
	return err
}

// A fileReader reads the bytes of a File, more than once if needed. It fails when
// its context ends, and when the bytes exceed the limit, since a file can grow after
// it was listed.
type fileReader struct {
	ctx     context.Context //nolint:containedctx // it lives as long as one call of Documents
	options Options
	bytes   io.ReadSeeker
	n       int64 // bytes read since the start
}

// openFile opens f for reading. The caller closes it.
func openFile(ctx context.Context, f File, o Options) (*fileReader, error) {
	if f.Content != nil {
		return &fileReader{ctx: ctx, options: o, bytes: bytes.NewReader(f.Content)}, nil
	}
	file, err := os.Open(f.Path)
	if err != nil {
		return nil, err
	}
	r := &fileReader{ctx: ctx, options: o, bytes: file}
	if parse.IsPacked(f.URI) {
		r.bytes = &unpacker{packed: file}
	}
	return r, nil
}

// An unpacker reads what gzip packed. It can only seek to the start.
type unpacker struct {
	packed *os.File
	bytes  *gzip.Reader // nil at the start
}

func (u *unpacker) Read(p []byte) (int, error) {
	if u.bytes == nil {
		var err error
		if u.bytes, err = gzip.NewReader(u.packed); err != nil {
			return 0, fmt.Errorf("unpack: %w", err)
		}
	}
	return u.bytes.Read(p)
}

func (u *unpacker) Seek(int64, int) (int64, error) {
	u.bytes = nil
	return u.packed.Seek(0, io.SeekStart)
}

func (u *unpacker) Close() error { return u.packed.Close() }

func (r *fileReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.bytes.Read(p)
	r.n += int64(n)
	if tooLarge := checkSize(r.n, r.options); tooLarge != nil {
		return 0, tooLarge
	}
	return n, err
}

// rewind makes the next Read start at the first byte again.
func (r *fileReader) rewind() error {
	r.n = 0
	_, err := r.bytes.Seek(0, io.SeekStart)
	return err
}

func (r *fileReader) close() {
	if c, ok := r.bytes.(io.Closer); ok {
		_ = c.Close() // nothing was written
	}
}
