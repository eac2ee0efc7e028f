package source

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"github.com/neorag/neorag/internal/graph"
)

// Read makes the documents of a file. Their keys are left empty: the corpus is
// not known here. An error names the URI and is one line.
func Read(ctx context.Context, f File, o Options) (docs []graph.Document, err error) {
	defer func() {
		if p := recover(); p != nil { // a parser met what it was not written for
			docs, err = nil, fmt.Errorf("read %s: the reader of this format broke off: %v", f.URI, p)
		}
	}()
	raw, err := content(ctx, f, o)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", f.URI, cause(err))
	}
	format, known := formatOf(f.URI)
	if !known {
		format = formats[".txt"]
	}
	sum := sha256.Sum256(raw)
	docs, err = format.read(raw, graph.Document{
		URI:    f.URI,
		Root:   f.Root,
		Title:  stem(f.URI),
		SHA256: hex.EncodeToString(sum[:]),
		MIME:   format.mime,
		Date:   dateInName(stem(f.URI)),
	})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", f.URI, err)
	}
	return docs, nil
}

// Hash is the SHA-256 of a file's bytes, as its documents carry it. It holds no
// more than a buffer of a file in memory.
func Hash(ctx context.Context, f File, o Options) (string, error) {
	h := sha256.New()
	if err := stream(ctx, f, o, h); err != nil {
		return "", fmt.Errorf("hash %s: %w", f.URI, cause(err))
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

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

// stream copies the bytes of f to w, and fails when they are more than allowed:
// a file can have grown since it was listed.
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
	n, err := io.Copy(w, io.LimitReader(reader{ctx, file}, o.maxFileSize()+1))
	if err != nil {
		return err
	}
	return tooLarge(n, o)
}

// reader stops when the context does.
type reader struct {
	ctx context.Context //nolint:containedctx // it lives as long as one call of stream
	r   io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}
