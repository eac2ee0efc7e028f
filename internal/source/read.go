package source

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text"
)

// Read makes the documents of a file, and returns the parts that cannot be read.
// The keys of the documents are empty: they depend on the corpus. An error means
// that nothing of the file can be read; it is one line and contains the URI.
func Read(ctx context.Context, f File, o Options) (docs []graph.Document, failures []Failure, err error) {
	defer func() {
		if p := recover(); p != nil { // a bug in a parser must not end the run
			docs, failures, err = nil, nil, fmt.Errorf("read %s: %w", f.URI, parserCrashed(p))
		}
	}()
	raw, err := content(ctx, f, o)
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", f.URI, withoutPath(err))
	}
	format, known := formatOf(f.URI)
	if !known {
		format = formats[".txt"]
	}
	base := graph.Document{URI: f.URI, Root: f.Root, Title: stem(f.URI), MIME: format.mime, Date: dateInName(stem(f.URI))}
	if format.records != nil {
		r := newRecords(ctx, base, o)
		if err := format.records(raw, r); err != nil {
			return nil, nil, fmt.Errorf("read %s: %w", f.URI, err)
		}
		return r.docs, r.failures, ctx.Err()
	}
	sum := sha256.Sum256(raw)
	base.SHA256 = hex.EncodeToString(sum[:])
	read := format.read
	if format.sandboxed {
		read = readSandboxed
	}
	doc, failures, err := read(ctx, raw, base)
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", f.URI, err)
	}
	return []graph.Document{doc}, failures, nil
}

// Documents yields the documents of a file in their order, and returns the parts that
// cannot be read. An error of yield ends the reading and is returned.
func Documents(ctx context.Context, f File, o Options, yield func(graph.Document) error) ([]Failure, error) {
	docs, failures, err := Read(ctx, f, o)
	if err != nil {
		return nil, err
	}
	for _, d := range docs {
		if err := yield(d); err != nil {
			return failures, err
		}
	}
	return failures, nil
}

// An Entry is one document of a file, without its text.
type Entry struct {
	URI    string
	SHA256 string
}

// Survey returns which documents a file holds, and the parts that cannot be read.
// A file of one document is only hashed, so that its failures show in Read alone.
func Survey(ctx context.Context, f File, o Options) ([]Entry, []Failure, error) {
	if !HasRecords(f) {
		sum, err := Hash(ctx, f, o)
		if err != nil {
			return nil, nil, err
		}
		return []Entry{{f.URI, sum}}, nil, nil
	}
	docs, failures, err := Read(ctx, f, o)
	if err != nil {
		return nil, nil, err
	}
	entries := make([]Entry, len(docs))
	for i := range docs {
		entries[i] = Entry{docs[i].URI, docs[i].SHA256}
	}
	return entries, failures, nil
}

// HasRecords reports whether each record of a file is a document. The URI of such
// a document is that of the file, "#", and an id.
func HasRecords(f File) bool {
	format, _ := formatOf(f.URI)
	return format.records != nil
}

// parserCrashed returns the error for a panic, on one line.
func parserCrashed(p any) error {
	return errors.New("parser crashed: " + text.FirstLine(strings.TrimSpace(fmt.Sprint(p))))
}

// Hash returns the SHA-256 of a file's bytes: the SHA256 of its document, where
// the file holds one document. It does not load the file into memory.
func Hash(ctx context.Context, f File, o Options) (string, error) {
	h := sha256.New()
	if err := stream(ctx, f, o, h); err != nil {
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
	if err := stream(ctx, f, o, &b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// stream copies the bytes of f to w. It fails when they exceed the limit, since a
// file can grow after it was listed.
func stream(ctx context.Context, f File, o Options, w io.Writer) (err error) {
	if f.Content != nil {
		_, err := w.Write(f.Content)
		return err
	}
	file, err := os.Open(f.Path)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := file.Close(); err == nil {
			err = closeErr
		}
	}()
	n, err := io.Copy(w, io.LimitReader(contextReader{ctx, file}, o.maxFileSize()+1))
	if err != nil {
		return err
	}
	return checkSize(n, o)
}

// A contextReader fails when its context ends.
type contextReader struct {
	ctx context.Context //nolint:containedctx // it lives as long as one call of stream
	r   io.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}
