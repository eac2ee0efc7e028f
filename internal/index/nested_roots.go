package index

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A nestedRoot is a root that lies in another root or contains one, so that the same files are found
// below both. Each file is one document.
type nestedRoot struct {
	path     string   // as documents name it
	real     string   // without symbolic links
	uri      string   // that the URIs of its documents begin with; empty for all
	given    bool     // to this run
	uris     []string // of its documents, sorted
	files    []source.File
	failures []source.Failure
	outer    []*nestedRoot // that contain it
	unlisted bool          // it is of the corpus, and cannot be listed now
}

// A part is what a run compares of a root that contains a given one.
type part struct{ root, uri string }

// isInPart reports whether a document is in one of the parts.
func (d *runDiff) isInPart(state neo4jstore.DocumentState) bool {
	return slices.ContainsFunc(d.parts, func(p part) bool { return state.Root == p.root && continues(state.URI, p.uri) })
}

// continues reports whether a URI belongs to a file or folder, or to something in it.
func continues(uri, of string) bool {
	rest, found := strings.CutPrefix(uri, of)
	return found && (of == "" || rest == "" || rest[0] == '/' || rest[0] == '#')
}

// uriIn returns the URI that a root has in one that contains it.
func (r *nestedRoot) uriIn(outer *nestedRoot) string {
	rel, err := filepath.Rel(outer.real, r.real)
	if err != nil || rel == "." {
		return outer.uri
	}
	return strings.TrimPrefix(outer.uri+"/"+strings.ToValidUTF8(filepath.ToSlash(rel), "\ufffd"), "/")
}

// holds reports whether the corpus has documents of the root that continue a URI.
func (r *nestedRoot) holds(uri string) bool {
	for _, first := range []string{uri, uri + "#", uri + "/"} {
		if i, _ := slices.BinarySearch(r.uris, first); i < len(r.uris) && continues(r.uris[i], uri) {
			return true
		}
	}
	return false
}

// keeps reports whether the documents of the root are separate documents, and not documents of a root that
// contains it: they were indexed first.
func (r *nestedRoot) keeps(outer *nestedRoot) bool {
	return len(r.uris) > 0 && !outer.holds(r.uriIn(outer))
}

// isGiven reports whether a run compares the whole root.
func (r *nestedRoot) isGiven() bool {
	return r.given || slices.ContainsFunc(r.outer, func(o *nestedRoot) bool { return o.given })
}

// resolveNestedRoots makes one document of each file that is found below several roots. A file below a
// folder that is indexed is a document of this folder, however it is named. What was indexed before
// a folder around it keeps its URIs. If a file is two documents of an earlier version, the document of the
// outer folder stays.
func (d *runDiff) resolveNestedRoots(ctx context.Context, known map[string]neo4jstore.DocumentState) error {
	roots, err := d.nestedRoots(ctx, known)
	if err != nil || len(roots) == 0 {
		return err
	}
	nested := map[string]bool{}
	for _, r := range roots {
		nested[r.path] = true
	}
	l := d.listing
	l.Files = slices.DeleteFunc(slices.Clone(l.Files), func(f source.File) bool { return nested[f.Root] })
	l.Failures = slices.DeleteFunc(slices.Clone(l.Failures), func(f source.Failure) bool { return nested[f.Root] })
	l.Roots = slices.Clone(l.Roots)
	for _, r := range roots {
		if r.isGiven() && !r.unlisted && !slices.Contains(l.Roots, r.path) {
			l.Roots = append(l.Roots, r.path)
		}
		for _, o := range r.outer {
			if r.given && !o.isGiven() && !o.unlisted {
				d.parts = append(d.parts, part{o.path, r.uriIn(o)})
			}
		}
	}
	owned := ownedFiles(roots)
	for _, r := range roots {
		all := r.isGiven()
		isCompared := func(uri string) bool { return all || d.isInPart(neo4jstore.DocumentState{Root: r.path, URI: uri}) }
		for _, f := range owned[r] {
			if isCompared(f.URI) {
				l.Files = append(l.Files, f)
			}
		}
		for _, f := range r.failures {
			if isCompared(f.URI) && !r.isFailureOfAnother(f, roots) {
				l.Failures = append(l.Failures, f)
			}
		}
	}
	slices.SortStableFunc(l.Files, func(a, b source.File) int { return cmp.Compare(a.URI, b.URI) })
	slices.SortStableFunc(l.Failures, func(a, b source.Failure) int { return cmp.Compare(a.URI, b.URI) })
	d.listing = l
	d.noteNestedRoots(roots)
	return nil
}

// nestedRoots returns the given roots and the roots of the corpus that are nested in each other, from
// outside in, with their files.
func (d *runDiff) nestedRoots(ctx context.Context, known map[string]neo4jstore.DocumentState) ([]*nestedRoot, error) {
	all := map[string]*nestedRoot{}
	for _, path := range d.listing.Roots {
		all[path] = &nestedRoot{path: path, given: true}
	}
	for _, uri := range sortedKeys(known) {
		path := known[uri].Root
		if all[path] == nil {
			all[path] = &nestedRoot{path: path}
		}
		all[path].uris = append(all[path].uris, uri)
	}
	byReal := map[string][]*nestedRoot{}
	for _, path := range sortedKeys(all) {
		r := all[path]
		if r.uri = filepath.Base(path); r.uri == string(filepath.Separator) {
			r.uri = ""
		}
		var err error
		if !filepath.IsAbs(path) { // standard input or a web page
			continue
		}
		if r.real, err = filepath.EvalSymlinks(path); err == nil { // else it is gone
			byReal[r.real] = append(byReal[r.real], r)
		}
	}
	nested := map[*nestedRoot]bool{}
	for _, same := range byReal {
		for _, r := range same {
			for _, o := range r.containing(byReal) {
				if r.given || o.given {
					r.outer = append(r.outer, o)
					nested[r], nested[o] = true, true
				}
			}
		}
	}
	roots := slices.SortedFunc(maps.Keys(nested), compareNested)
	for _, r := range roots {
		if err := r.list(ctx, d); err != nil {
			return nil, err
		}
	}
	return roots, nil
}

// compareNested orders roots from outside in. Of two names of a folder, the one that is indexed is the
// outer one.
func compareNested(a, b *nestedRoot) int {
	return cmp.Or(cmp.Compare(len(a.real), len(b.real)), cmp.Compare(min(len(b.uris), 1), min(len(a.uris), 1)), cmp.Compare(a.path, b.path))
}

// containing returns the roots that contain this one.
func (r *nestedRoot) containing(byReal map[string][]*nestedRoot) []*nestedRoot {
	var out []*nestedRoot
	for _, o := range byReal[r.real] {
		if compareNested(o, r) < 0 {
			out = append(out, o)
		}
	}
	for dir := r.real; filepath.Dir(dir) != dir; {
		dir = filepath.Dir(dir)
		out = append(out, byReal[dir]...)
	}
	return out
}

// list sets the files of the root: what the run lists, or what it would list. A root of the corpus that
// cannot be listed takes no part.
func (r *nestedRoot) list(ctx context.Context, d *runDiff) error {
	from := d.listing
	if !r.given {
		var err error
		if from, err = source.List(ctx, []string{r.path}, d.Source); err != nil {
			d.Logger.DebugContext(ctx, "a folder of the corpus is not listed", "root", r.path, "error", err)
			r.unlisted = true
			return ctx.Err()
		}
	}
	for _, f := range from.Files {
		if f.Root == r.path {
			r.files = append(r.files, f)
		}
	}
	for _, f := range from.Failures {
		if f.Root == r.path {
			r.failures = append(r.failures, f)
		}
	}
	return nil
}

// ownedFiles returns the files of each root that are documents of this root.
func ownedFiles(roots []*nestedRoot) map[*nestedRoot][]source.File {
	type candidate struct {
		root *nestedRoot
		file source.File
	}
	found := map[string]candidate{} // by path without symbolic links
	for _, r := range roots {
		for _, f := range r.files {
			path := f.Path
			if path == r.path {
				path = r.real
			}
			if c, ok := found[path]; !ok || r.keeps(c.root) {
				found[path] = candidate{r, f}
			}
		}
	}
	owned := map[*nestedRoot][]source.File{}
	for _, path := range sortedKeys(found) {
		c := found[path]
		owned[c.root] = append(owned[c.root], c.file)
	}
	return owned
}

// isFailureOfAnother reports whether another root has the file or folder that could not be read.
func (r *nestedRoot) isFailureOfAnother(f source.Failure, roots []*nestedRoot) bool {
	for _, o := range r.outer {
		if !r.keeps(o) && o.lists(r.uriIn(o)) {
			return true
		}
	}
	return slices.ContainsFunc(roots, func(inner *nestedRoot) bool {
		return slices.Contains(inner.outer, r) && inner.keeps(r) && inner.lists(inner.uri) && continues(f.URI, inner.uriIn(r))
	})
}

// lists reports whether files of the root, read or not, continue a URI.
func (r *nestedRoot) lists(uri string) bool {
	return slices.ContainsFunc(r.files, func(f source.File) bool { return continues(f.URI, uri) }) ||
		slices.ContainsFunc(r.failures, func(f source.Failure) bool { return continues(f.URI, uri) })
}

// noteNestedRoots says which files are documents of another root than the given one.
func (d *runDiff) noteNestedRoots(roots []*nestedRoot) {
	for _, r := range roots {
		for _, o := range r.outer {
			switch {
			case r.unlisted || o.unlisted:
			case r.keeps(o):
				d.notes = append(d.notes, fmt.Sprintf("%s was indexed before %s, which contains it: its documents keep their names, which begin with %s", r.path, o.path, r.uri))
			case len(r.uris) > 0:
				d.notes = append(d.notes, fmt.Sprintf("%s was indexed as a part of %s too: each file stays as one document, which is named %s, and its second one is removed", r.path, o.path, r.uriIn(o)))
			case o.lists(r.uriIn(o)):
				d.notes = append(d.notes, fmt.Sprintf("%s is a part of %s, so its documents are named %s", r.path, o.path, r.uriIn(o)))
			}
		}
	}
}
