package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ignoreFile holds patterns of what is not to be listed in its folder and below.
const ignoreFile = ".neoragignore"

// A walker lists one folder. Links are followed after everything else, so that
// a file is listed under its own name where it has one, and every folder and
// file once, which ends cycles too.
type walker struct {
	listing *Listing
	root    string // absolute, as given
	real    string // the same without symbolic links
	name    string // what URIs start with
	ignore  []rule
	options Options
	dirs    map[string]bool // real paths that were listed
	files   map[string]bool
	links   []place
}

// A place is something in the folder.
type place struct {
	path  string // where it is
	rel   string // below the root, "/" as separator
	depth int
	rules []rule // of the folders above
}

func (w *walker) walk(ctx context.Context) error {
	var err error
	if w.real, err = filepath.EvalSymlinks(w.root); err != nil {
		return fmt.Errorf("list %s: %w", w.root, cause(err))
	}
	if err := w.folder(ctx, place{path: w.real}); err != nil {
		return err
	}
	for len(w.links) > 0 { // following one may find more
		link := w.links[0]
		w.links = w.links[1:]
		if err := w.follow(ctx, link); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) uri(p place) string { return w.name + valid(p.rel) }

func (w *walker) folder(ctx context.Context, p place) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if p.depth > w.options.maxDepth() {
		w.listing.fail(w.uri(p), w.root, fmt.Errorf("more than %d folders deep: give a folder further down as a path", w.options.maxDepth()))
		return nil
	}
	w.dirs[p.path] = true
	entries, err := os.ReadDir(p.path)
	if err != nil {
		w.listing.fail(strings.TrimSuffix(w.uri(p), "/"), w.root, err)
		return nil
	}
	rules, err := w.rules(p)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		sub := place{path: filepath.Join(p.path, entry.Name()), rel: entry.Name(), depth: p.depth + 1, rules: rules}
		if p.rel != "" {
			sub.rel = p.rel + "/" + entry.Name()
		}
		if strings.HasPrefix(entry.Name(), ".") || w.ignored(sub, entry.IsDir()) {
			continue
		}
		switch {
		case entry.IsDir():
			err = w.folder(ctx, sub)
		case entry.Type()&fs.ModeSymlink != 0:
			w.links = append(w.links, sub)
		case entry.Type().IsRegular():
			w.file(sub)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// rules are those that hold in a folder: of its own file and those above.
func (w *walker) rules(p place) ([]rule, error) {
	raw, err := os.ReadFile(filepath.Join(p.path, ignoreFile))
	if errors.Is(err, fs.ErrNotExist) {
		return p.rules, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", filepath.Join(p.path, ignoreFile), cause(err))
	}
	own, err := compileAll(p.rel, strings.Split(string(raw), "\n"))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", filepath.Join(p.path, ignoreFile), err)
	}
	return append(slices.Clip(p.rules), own...), nil
}

func (w *walker) ignored(p place, dir bool) bool {
	ignored := false
	for _, rules := range [][]rule{p.rules, w.ignore} {
		for _, r := range rules {
			if r.matches(p.rel, dir) {
				ignored = !r.negated
			}
		}
	}
	return ignored
}

func (w *walker) file(p place) {
	if _, known := formatOf(p.rel); !known {
		return
	}
	w.files[p.path] = true
	info, err := os.Stat(p.path)
	if err != nil {
		w.listing.fail(w.uri(p), w.root, err)
		return
	}
	w.listing.add(File{URI: w.uri(p), Root: w.root, Path: p.path}, info, w.options)
}

// follow lists what a symbolic link leads to. One that is broken, leaves the
// root, or leads to what is listed already is passed over.
func (w *walker) follow(ctx context.Context, p place) error {
	target, err := filepath.EvalSymlinks(p.path)
	if err != nil || !within(target, w.real) || w.dirs[target] || w.files[target] {
		return nil //nolint:nilerr // a broken link is nothing to list
	}
	info, err := os.Stat(target)
	if err != nil {
		return nil //nolint:nilerr // it went away just now
	}
	p.path = target
	switch {
	case info.IsDir():
		if w.ignored(p, true) {
			return nil
		}
		return w.folder(ctx, p)
	case info.Mode().IsRegular():
		w.file(p)
	}
	return nil
}

func within(path, root string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
