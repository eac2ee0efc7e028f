package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/text"
)

// List finds the files of the paths without reading them; only standard input,
// the path "-", is read immediately. A path that does not exist, or a folder
// without any file to read, is an error that wraps ErrNoInput, so that a mistyped
// path is never mistaken for one whose documents were deleted; a folder in
// Options.MayBeEmpty may be so. Two files with the
// same URI are an error that names both.
//
// Below a folder, List skips names that start with a dot, names that match the
// ignore patterns, and unknown extensions. It follows a symbolic link if the
// target is below the folder and not listed otherwise. A file that is given as a
// path is listed whatever its name.
func List(ctx context.Context, paths []string, o Options) (Listing, error) {
	var l Listing
	ignore, err := compileIgnoreRules("", o.Ignore)
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
	if err := l.sort(); err != nil {
		return Listing{}, err
	}
	return l, nil
}

// Add adds files that were read from another place than the file system, and what could not be read
// there. The error is the same as of List for equal URIs.
func (l *Listing) Add(root string, files []File, failures []Failure) error {
	if !slices.Contains(l.Roots, root) {
		l.Roots = append(l.Roots, root)
	}
	l.Files, l.Failures = append(l.Files, files...), append(l.Failures, failures...)
	return l.sort()
}

func (l *Listing) sort() error {
	slices.SortStableFunc(l.Files, func(a, b File) int { return cmp.Compare(a.URI, b.URI) })
	slices.SortStableFunc(l.Failures, func(a, b Failure) int { return cmp.Compare(a.URI, b.URI) })
	for i := 1; i < len(l.Files); i++ {
		if a, b := l.Files[i-1], l.Files[i]; a.URI == b.URI {
			return fmt.Errorf("list %s and %s: both have the URI %q: rename one, or pass a folder that contains both", a.Path, b.Path, a.URI)
		}
	}
	return nil
}

// skip counts a file that no format reads.
func (l *Listing) skip(name string) {
	if l.Skipped == nil {
		l.Skipped = map[string]int{}
	}
	l.Skipped[strings.ToLower(filepath.Ext(name))]++
}

// shownExtensions is how many extensions SkippedNote names.
const shownExtensions = 8

// TakeMissing makes failures of the missing pages that were documents, whose sites are then not roots, and
// returns a note on the others, or "".
func (l *Listing) TakeMissing(wasDocument func(uri string) bool) string {
	var skipped []string
	l.Failures = slices.Clone(l.Failures)
	for _, f := range l.Missing {
		if wasDocument(f.URI) {
			l.Failures = append(l.Failures, f)
			l.Roots = slices.DeleteFunc(slices.Clone(l.Roots), func(root string) bool { return root == f.Root })
		} else {
			skipped = append(skipped, f.Err.Error())
		}
	}
	l.Missing = nil
	if len(skipped) == 0 {
		return ""
	}
	note := text.Count(len(skipped), "linked page was", "linked pages were") + " skipped (" + strings.Join(skipped[:min(len(skipped), shownPages)], "; ")
	if len(skipped) > shownPages {
		note += "; …"
	}
	return note + ")"
}

// shownPages is how many pages the note of TakeMissing names.
const shownPages = 3

// SkippedNote says how many files were skipped because no format reads them, by extension, or is "".
func SkippedNote(skipped map[string]int) string {
	extensions := slices.Collect(maps.Keys(skipped))
	slices.SortFunc(extensions, func(a, b string) int {
		return cmp.Or(cmp.Compare(skipped[b], skipped[a]), cmp.Compare(a, b))
	})
	total := 0
	var named []string
	for i, extension := range extensions {
		n := skipped[extension]
		total += n
		if i < shownExtensions {
			named = append(named, fmt.Sprintf("%d %s", n, cmp.Or(extension, "without an extension")))
		}
	}
	if len(extensions) > shownExtensions {
		named = append(named, "…")
	}
	if total == 0 {
		return ""
	}
	return fmt.Sprintf("%s skipped (%s)", text.Count(total, "file of another kind was", "files of other kinds were"), strings.Join(named, ", "))
}

func (l *Listing) addStdin(o Options) error {
	if o.Stdin == nil {
		return fmt.Errorf("list standard input: not available: %w", ErrNoInput)
	}
	raw, err := io.ReadAll(io.LimitReader(o.Stdin, o.maxFileSize()+1))
	if err != nil {
		return fmt.Errorf("read standard input: %w", err)
	}
	if len(raw) == 0 {
		return fmt.Errorf("read standard input: empty: %w", ErrNoInput)
	}
	if err := checkSize(int64(len(raw)), o); err != nil {
		return fmt.Errorf("read standard input: %w", err)
	}
	l.Files = append(l.Files, File{URI: "stdin", Path: "-", Size: int64(len(raw)), Content: raw})
	return nil
}

func (l *Listing) addPath(ctx context.Context, path string, seen map[string]bool, ignore []ignoreRule, o Options) error {
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
		return fmt.Errorf("list %s: %w", path, withoutPath(err))
	}
	named := validUTF8(root)
	l.Roots = append(l.Roots, named)
	name := filepath.Base(named)
	if !info.IsDir() {
		l.add(File{URI: name, Root: named, Path: root}, info, o)
		return nil
	}
	w := walker{listing: l, path: root, root: named, ignore: ignore, options: o, dirs: map[string]bool{}, files: map[string]bool{}}
	if name != string(filepath.Separator) {
		w.prefix = name + "/"
	}
	files, failures := len(l.Files), len(l.Failures)
	if err := w.walk(ctx); err != nil {
		return err
	}
	if len(l.Files) > files || slices.Contains(o.MayBeEmpty, path) && len(l.Failures) == failures {
		return nil
	}
	if len(l.Failures) > failures {
		return fmt.Errorf("list %s: no file in this folder can be read: %w: %w", path, l.Failures[failures].Err, ErrNoInput)
	}
	return fmt.Errorf("list %s: no file with a known extension in this folder: %w", path, ErrNoInput)
}

// add appends a file, or its failure.
func (l *Listing) add(f File, info fs.FileInfo, o Options) {
	err := checkSize(info.Size(), o)
	if !info.Mode().IsRegular() {
		err = errors.New("not a regular file: pipe its content to standard input and pass the path -")
	}
	if err != nil {
		l.fail(f.URI, f.Root, err)
		return
	}
	f.Size, f.ModTime = info.Size(), info.ModTime()
	f.Stamp, f.Changed = stampOf(info)
	l.Files = append(l.Files, f)
}

// fail appends a failure of a file.
func (l *Listing) fail(uri, root string, err error) {
	l.Failures = append(l.Failures, Failure{URI: uri, Root: root, Err: fmt.Errorf("read %s: %w", uri, withoutPath(err))})
}

func checkSize(size int64, o Options) error {
	if size > o.maxFileSize() {
		return fmt.Errorf("larger than the limit of %d bytes: split the file, or raise the limit", o.maxFileSize())
	}
	return nil
}

// withoutPath drops the operation and the path from a file system error, for
// callers that add the URI.
func withoutPath(err error) error {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err
	}
	return err
}

// validUTF8 replaces the invalid bytes of a file name: a URI is UTF-8.
func validUTF8(name string) string { return strings.ToValidUTF8(name, "\ufffd") }
