package index

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/sys/glob"
)

// A Selection chooses documents by their URIs.
type Selection struct {
	Names []string // of documents, or of files and folders whose documents are chosen
	Globs []string // patterns of whole URIs, as in .gitignore
}

// from returns the chosen URIs, sorted. Names and patterns that choose
// none are ErrNoDocument.
func (s Selection) from(uris []string) ([]string, error) {
	chosen := map[string]bool{}
	var missing []string
	choose := func(what string, matches func(uri string) bool) {
		n := 0
		for _, uri := range uris {
			if matches(uri) {
				chosen[uri] = true
				n++
			}
		}
		if n == 0 {
			missing = append(missing, what)
		}
	}
	for _, name := range s.Names {
		name = strings.TrimSuffix(name, "/")
		choose(name, func(uri string) bool {
			rest, ok := strings.CutPrefix(uri, name)
			return ok && (rest == "" || rest[0] == '#' || rest[0] == '/')
		})
	}
	for _, pattern := range s.Globs {
		expr, err := glob.Compile(pattern)
		if err != nil {
			return nil, fmt.Errorf("pattern %q: %w", pattern, err)
		}
		choose(pattern, expr.MatchString)
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("%w: %s", ErrNoDocument, strings.Join(missing, ", "))
	}
	return slices.Sorted(maps.Keys(chosen)), nil
}

// Chosen are the documents that a selection chooses.
type Chosen struct {
	URIs []string // of the documents to remove, or to readmit, sorted
	Done int      // the others, which are removed or readmitted already
}

// choose returns what a selection chooses among documents to work on and documents that need no work.
func (s Selection) choose(todo, done []string) (Chosen, error) {
	work := map[string]bool{}
	mark(work, todo)
	all, err := s.from(slices.Concat(todo, done))
	if err != nil {
		return Chosen{}, err
	}
	chosen := Chosen{URIs: slices.DeleteFunc(slices.Clone(all), func(uri string) bool { return !work[uri] })}
	chosen.Done = len(all) - len(chosen.URIs)
	return chosen, nil
}
