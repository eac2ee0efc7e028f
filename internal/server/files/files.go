// Package files keeps the documents that clients of a server add: a folder for each corpus, whose files a
// run of the index reads.
//
// What comes in are the parts of an upload, which are not trusted: their names and sizes are checked, nothing is
// unpacked, and nothing outside of the folder is read or written.
package files

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Limits of sizes, in bytes.
const (
	MaxFile    = 64 << 20
	MaxRequest = 1 << 30
	MaxCorpus  = 10 << 30
)

// Errors that callers decide on.
var (
	ErrName     = errors.New("not a name for a file")
	ErrTooLarge = errors.New("too large")
	ErrNoFile   = errors.New("no such file")
)

// A Folder has a folder for each corpus.
type Folder struct {
	Path string
	// Others are folders and files that are indexed too, by corpus. Clients do not change them.
	Others map[string][]string
}

// Paths returns what a run of a corpus reads; nothing if its documents are where the server does not look.
func (f Folder) Paths(corpus string) []string {
	var paths []string
	if info, err := os.Stat(f.Of(corpus)); err == nil && info.IsDir() {
		paths = append(paths, f.Of(corpus))
	}
	return append(paths, f.Others[corpus]...)
}

// A File is a file of a corpus.
type File struct {
	Name     string    `json:"name"`
	Size     int64     `json:"size"`
	Modified time.Time `json:"modified"`
}

// Of returns the folder of a corpus, which need not exist.
func (f Folder) Of(corpus string) string { return filepath.Join(f.Path, corpus) }

// List returns the files of a corpus, by name.
func (f Folder) List(corpus string) ([]File, error) {
	list := []File{}
	entries, err := os.ReadDir(f.Of(corpus))
	if errors.Is(err, fs.ErrNotExist) {
		return list, nil
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() && !isHidden(e.Name()) {
			list = append(list, File{e.Name(), info.Size(), info.ModTime().UTC()})
		}
	}
	slices.SortFunc(list, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	return list, withoutPath(err)
}

// Add writes a file of a corpus, or replaces it as a whole, and creates the folder of the corpus. A name with
// folders loses them. It reads until the end of the content: an error leaves the corpus as it was.
func (f Folder) Add(ctx context.Context, corpus, name string, content io.Reader) (File, error) {
	name, err := cleanName(name)
	if err != nil {
		return File{}, err
	}
	root, err := f.open(corpus)
	if err != nil {
		return File{}, err
	}
	defer func() { _ = root.Close() }()
	used, err := f.size(corpus, name)
	if err != nil {
		return File{}, err
	}
	if used >= MaxCorpus {
		return File{}, fmt.Errorf("add %s: the files of the corpus have %d GiB: %w", name, MaxCorpus>>30, ErrTooLarge)
	}
	temporary := temporaryPrefix + rand.Text()
	size, err := write(ctx, root, temporary, content, min(MaxFile, MaxCorpus-used))
	if err == nil {
		err = root.Rename(temporary, name)
	}
	if err != nil {
		_ = root.Remove(temporary)
		return File{}, fmt.Errorf("add %s: %w", name, withoutPath(err))
	}
	return File{Name: name, Size: size, Modified: time.Now().UTC()}, nil
}

// temporaryPrefix begins the names of files that are being written. The index skips hidden files.
const temporaryPrefix = ".upload-"

// write writes content to a new file, and returns its size. More than most bytes are ErrTooLarge.
func write(ctx context.Context, root *os.Root, name string, content io.Reader, most int64) (int64, error) {
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return 0, err
	}
	size, err := io.Copy(file, &contextReader{ctx, io.LimitReader(content, most+1)})
	if err == nil && size > most {
		err = fmt.Errorf("more than %d MiB: %w", most>>20, ErrTooLarge)
	}
	if err == nil {
		err = file.Sync()
	}
	return size, cmp.Or(err, file.Close())
}

// A contextReader fails when its context is done.
type contextReader struct {
	ctx context.Context //nolint:containedctx // of one call
	io.Reader
}

func (r *contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// Delete deletes a file of a corpus.
func (f Folder) Delete(corpus, name string) error {
	clean, err := cleanName(name)
	if err != nil || clean != name {
		return fmt.Errorf("delete %q: %w", name, ErrNoFile)
	}
	root, err := os.OpenRoot(f.Of(corpus))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete %s: %w", name, ErrNoFile)
	}
	if err != nil {
		return fmt.Errorf("delete %s: %w", name, withoutPath(err))
	}
	defer func() { _ = root.Close() }()
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("delete %s: %w", name, ErrNoFile)
	}
	if err == nil {
		err = root.Remove(name)
	}
	return withoutPath(err)
}

// uploadAge is the age of the last byte of an upload from which on no process writes it any more: other servers
// with the same folder may be writing younger ones.
const uploadAge = time.Hour

// Sweep deletes what uploads left that a killed process did not end.
func (f Folder) Sweep() error {
	left, err := filepath.Glob(filepath.Join(f.Path, "*", temporaryPrefix+"*"))
	for _, path := range left {
		if info, statErr := os.Lstat(path); statErr == nil && time.Since(info.ModTime()) > uploadAge {
			err = cmp.Or(err, os.Remove(path))
		}
	}
	return err
}

// Corpora returns the names of the corpora that have something to index, in order.
func (f Folder) Corpora() ([]string, error) {
	names := slices.Collect(maps.Keys(f.Others))
	entries, err := os.ReadDir(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	for _, e := range entries {
		if e.IsDir() && !isHidden(e.Name()) {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return slices.Compact(names), withoutPath(err)
}

// open creates the folder of a corpus if necessary, and opens it.
func (f Folder) open(corpus string) (*os.Root, error) {
	if err := os.MkdirAll(f.Of(corpus), 0o700); err != nil {
		return nil, fmt.Errorf("create the folder of %s: %w", corpus, withoutPath(err))
	}
	root, err := os.OpenRoot(f.Of(corpus))
	return root, withoutPath(err)
}

// size returns the size of a corpus without one of its files.
func (f Folder) size(corpus, without string) (sum int64, err error) {
	list, err := f.List(corpus)
	for _, file := range list {
		if file.Name != without {
			sum += file.Size
		}
	}
	return sum, err
}

func isHidden(name string) bool { return strings.HasPrefix(name, ".") }

// withoutPath returns an error of the file system without the path of the server.
func withoutPath(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", e.Op, e.Err)
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return fmt.Errorf("%s: %w", e.Op, e.Err)
	}
	return err
}
