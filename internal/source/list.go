package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// List finds the files of the paths without reading them; only the path "-",
// standard input, is read at once. A path that is missing, or a folder without
// any file to read, is an error that wraps ErrNoInput, so that a mistyped path
// never looks like one whose documents were deleted. Two files with one URI are
// an error that names both.
//
// Below a folder are skipped: what starts with a dot, what the patterns ignore,
// and extensions of no format. A symbolic link is followed if it stays below the
// folder and leads to something that is not listed anyway. A file that is given
// itself is read whatever its name.
func List(ctx context.Context, paths []string, o Options) (Listing, error) {
	var l Listing
	ignore, err := compileAll("", o.Ignore)
	if err != nil {
		return Listing{}, err
	}
	seen := map[string]bool{}
	for _, path := range paths {
		if path == "-" {
			if !seen[path] {
				err = l.addStdin(o)
			}
			seen[path] = true
		} else {
			err = l.addPath(ctx, path, seen, ignore, o)
		}
		if err != nil {
			return Listing{}, err
		}
	}
	slices.SortStableFunc(l.Files, func(a, b File) int { return cmp.Compare(a.URI, b.URI) })
	slices.SortStableFunc(l.Failures, func(a, b Failure) int { return cmp.Compare(a.URI, b.URI) })
	for i := 1; i < len(l.Files); i++ {
		if a, b := l.Files[i-1], l.Files[i]; a.URI == b.URI {
			return Listing{}, fmt.Errorf("list %s and %s: both give the document %q: rename one, or give a folder above both", a.Path, b.Path, a.URI)
		}
	}
	return l, nil
}

func (l *Listing) addStdin(o Options) error {
	if o.Stdin == nil {
		return fmt.Errorf("list standard input: there is none: %w", ErrNoInput)
	}
	raw, err := io.ReadAll(io.LimitReader(o.Stdin, o.maxFileSize()+1))
	if err != nil {
		return fmt.Errorf("read standard input: %w", err)
	}
	if len(raw) == 0 {
		return fmt.Errorf("read standard input: it is empty: %w", ErrNoInput)
	}
	if err := tooLarge(int64(len(raw)), o); err != nil {
		return fmt.Errorf("read standard input: %w", err)
	}
	l.Files = append(l.Files, File{URI: "stdin", Path: "-", Size: int64(len(raw)), Content: raw})
	return nil
}

func (l *Listing) addPath(ctx context.Context, path string, seen map[string]bool, ignore []rule, o Options) error {
	root, err := filepath.Abs(path)
	if err != nil {
		return fmt.Errorf("list %s: %w", path, err)
	}
	if seen[root] {
		return nil
	}
	seen[root] = true
	info, err := os.Stat(root)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("list %s: no such file or folder: %w", path, ErrNoInput)
	}
	if err != nil {
		return fmt.Errorf("list %s: %w", path, cause(err))
	}
	l.Roots = append(l.Roots, root)
	name := valid(filepath.Base(root))
	if !info.IsDir() {
		l.add(File{URI: name, Root: root, Path: root}, info, o)
		return nil
	}
	w := walker{listing: l, root: root, ignore: ignore, options: o, dirs: map[string]bool{}, files: map[string]bool{}}
	if name != string(filepath.Separator) {
		w.name = name + "/"
	}
	files, failures := len(l.Files), len(l.Failures)
	if err := w.walk(ctx); err != nil {
		return err
	}
	if len(l.Files) > files {
		return nil
	}
	if len(l.Failures) > failures {
		return fmt.Errorf("list %s: nothing in it can be read: %w: %w", path, l.Failures[failures].Err, ErrNoInput)
	}
	return fmt.Errorf("list %s: no file of a known format in this folder: %w", path, ErrNoInput)
}

// add lists a file, or its failure.
func (l *Listing) add(f File, info fs.FileInfo, o Options) {
	err := tooLarge(info.Size(), o)
	if !info.Mode().IsRegular() {
		err = errors.New("not a regular file; pipe its content to standard input and give the path -")
	}
	if err != nil {
		l.fail(f.URI, f.Root, err)
		return
	}
	f.Size, f.ModTime = info.Size(), info.ModTime()
	l.Files = append(l.Files, f)
}

func (l *Listing) fail(uri, root string, err error) {
	l.Failures = append(l.Failures, Failure{URI: uri, Root: root, Err: fmt.Errorf("read %s: %w", uri, cause(err))})
}

func tooLarge(size int64, o Options) error {
	if size > o.maxFileSize() {
		return fmt.Errorf("larger than the limit of %d bytes: split it, or raise the limit", o.maxFileSize())
	}
	return nil
}

// cause drops the operation and path from an error of the file system: the
// caller names the file, in its own way.
func cause(err error) error {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err
	}
	return err
}

// valid makes a file's name fit for a URI, which is UTF-8.
func valid(name string) string { return strings.ToValidUTF8(name, "\ufffd") }
