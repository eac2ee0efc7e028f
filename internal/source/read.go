package source

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// Read makes the documents of a file, and names the parts of it that cannot be
// read. The documents' keys are left empty: the corpus is not known here. An
// error says that nothing of the file can be read, names the URI and is one line.
func Read(ctx context.Context, f File, o Options) (docs []graph.Document, failures []Failure, err error) {
	defer func() {
		if p := recover(); p != nil { // a parser met what it was not written for
			docs, failures, err = nil, nil, fmt.Errorf("read %s: the reader of this format broke off: %s", f.URI, oneLine(p))
		}
	}()
	raw, err := content(ctx, f, o)
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", f.URI, cause(err))
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
	if format.apart {
		read = readApart
	}
	doc, failures, err := read(ctx, raw, base)
	if err != nil {
		return nil, nil, fmt.Errorf("read %s: %w", f.URI, err)
	}
	return []graph.Document{doc}, failures, nil
}

// An Entry is one document of a file, without its text.
type Entry struct {
	URI    string
	SHA256 string
}

// Survey finds which documents a file holds, and the parts that cannot be read,
// as far as that is known without the texts: a file of one document is only
// hashed, and the parts of it that fail are left to Read.
func Survey(ctx context.Context, f File, o Options) ([]Entry, []Failure, error) {
	if !Many(f) {
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

// Many tells whether the format of a file holds a document in each of its
// records. The URI of such a document is that of the file, "#", and an id.
func Many(f File) bool {
	format, _ := formatOf(f.URI)
	return format.records != nil
}

// oneLine is what a panic says, on one line.
func oneLine(p any) string {
	s, _, _ := strings.Cut(strings.TrimSpace(fmt.Sprint(p)), "\n")
	return s
}

// Hash is the SHA-256 of a file's bytes, as the document of a file that holds
// one carries it. It keeps no more than a buffer of the file in memory.
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
