package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/sys/userfile"
)

// ignoreFile is the name of files with patterns of what to skip in their folder and
// below.
const ignoreFile = ".neoragignore"

// A walker lists a folder and everything below it. It follows symbolic links last,
// so that a file is listed under its own name where it has one. Each folder and
// file is listed once, which also ends cycles.
type walker struct {
	listing *Listing
	path    string // absolute, as given
	root    string // path as valid UTF-8
	real    string // path without symbolic links
	prefix  string // of all URIs
	ignore  []ignoreRule
	options Options
	dirs    map[string]bool // real paths of the listed folders
	files   map[string]bool // real paths of the listed files
	links   []location      // to be followed

	ignoreBytes     int64 // of the ignore files that were read
	ignoreRulesRead int
}

// A location is a file, folder or link below the root.
type location struct {
	path  string // to open it
	rel   string // relative to the root, with "/" as separator
	depth int
	rules []ignoreRule // of the folders above
}

// walk lists the root.
func (w *walker) walk(ctx context.Context) error {
	var err error
	if w.real, err = filepath.EvalSymlinks(w.path); err != nil {
		return fmt.Errorf("list %s: %w", w.root, withoutPath(err))
	}
	if err := w.addFolder(ctx, location{path: w.real}); err != nil {
		return err
	}
	for len(w.links) > 0 { // following a link may find more links
		link := w.links[0]
		w.links = w.links[1:]
		if err := w.follow(ctx, link); err != nil {
			return err
		}
	}
	w.listing.Folders = append(w.listing.Folders, slices.Sorted(maps.Keys(w.dirs))...)
	return nil
}

func (w *walker) uri(at location) string { return w.prefix + validUTF8(at.rel) }

// addFolder lists a folder and everything below it except symbolic links, which it
// notes.
func (w *walker) addFolder(ctx context.Context, at location) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if at.depth > w.options.maxDepth() {
		w.listing.fail(w.uri(at), w.root, fmt.Errorf("more than %d folders deep: pass a folder further down as a path", w.options.maxDepth()))
		return nil
	}
	w.dirs[at.path] = true
	entries, err := os.ReadDir(at.path)
	if err != nil {
		w.listing.fail(strings.TrimSuffix(w.uri(at), "/"), w.root, err)
		return nil
	}
	rules, err := w.ignoreRules(at)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		sub := location{path: filepath.Join(at.path, entry.Name()), rel: entry.Name(), depth: at.depth + 1, rules: rules}
		if at.rel != "" {
			sub.rel = at.rel + "/" + entry.Name()
		}
		if strings.HasPrefix(entry.Name(), ".") || w.isIgnored(sub, entry.IsDir()) {
			continue
		}
		switch {
		case entry.IsDir():
			err = w.addFolder(ctx, sub)
		case entry.Type()&fs.ModeSymlink != 0:
			w.links = append(w.links, sub)
		case entry.Type().IsRegular():
			w.addFile(sub)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Limits of the ignore files below a root, together: compiled patterns take much more
// memory than their text.
const (
	maxIgnoreBytes = 1 << 20
	maxIgnoreRules = 10_000
)

// ignoreRules returns the rules for the content of a folder: the rules of the folders above, then
// the rules of the folder's ignore file.
func (w *walker) ignoreRules(at location) ([]ignoreRule, error) {
	path := filepath.Join(at.path, ignoreFile)
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return at.rules, nil
	}
	own, err := w.readIgnoreFile(path, at.rel)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, withoutPath(err))
	}
	return append(slices.Clip(at.rules), own...), nil
}

// readIgnoreFile reads an ignore file. It may be a link to a regular file below the
// root. Anything else is an error: without its rules, files would be listed that
// should not be.
func (w *walker) readIgnoreFile(path, base string) ([]ignoreRule, error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	if !isBelow(target, w.real) {
		return nil, errors.New("it is a link that leads out of the folder")
	}
	raw, err := userfile.Read(target, maxIgnoreBytes-w.ignoreBytes)
	if err != nil {
		return nil, err
	}
	patterns := strings.Split(string(raw), "\n")
	w.ignoreBytes += int64(len(raw))
	w.ignoreRulesRead += len(patterns)
	if w.ignoreRulesRead > maxIgnoreRules {
		return nil, fmt.Errorf("the files of this name have more than %d patterns", maxIgnoreRules)
	}
	return compileIgnoreRules(base, patterns)
}

// isIgnored reports whether the last rule that matches ignores. The options come
// after the ignore files.
func (w *walker) isIgnored(at location, isFolder bool) bool {
	ignored := false
	for _, rules := range [][]ignoreRule{at.rules, w.ignore} {
		for _, r := range rules {
			if r.matches(at.rel, isFolder) {
				ignored = !r.negated
			}
		}
	}
	return ignored
}

// addFile lists a file if a format reads it.
func (w *walker) addFile(at location) {
	if _, known := formatOf(at.rel); !known {
		w.listing.skip(at.rel)
		return
	}
	w.files[at.path] = true
	info, err := os.Stat(at.path)
	if err != nil {
		w.listing.fail(w.uri(at), w.root, err)
		return
	}
	w.listing.add(File{URI: w.uri(at), Root: w.root, Path: at.path}, info, w.options)
}

// follow lists the target of a symbolic link. It skips links that are broken,
// that leave the root, or whose target is listed already.
func (w *walker) follow(ctx context.Context, at location) error {
	target, err := filepath.EvalSymlinks(at.path)
	if err != nil || !isBelow(target, w.real) || w.dirs[target] || w.files[target] {
		return nil //nolint:nilerr // there is nothing to list at a broken link
	}
	info, err := os.Stat(target)
	if err != nil {
		return nil //nolint:nilerr // it was deleted just now
	}
	at.path = target
	switch {
	case info.IsDir():
		if w.isIgnored(at, true) {
			return nil
		}
		return w.addFolder(ctx, at)
	case info.Mode().IsRegular():
		w.addFile(at)
	}
	return nil
}

// isBelow reports whether path is root or below it.
func isBelow(path, root string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
