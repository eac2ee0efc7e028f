package query

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/query/retrieve"
)

// A Method is one way to answer questions.
type Method struct {
	Name    string
	Summary string // half a line, for `neorag methods`
	Profile

	Answer func(ctx context.Context, r Request) (Answer, error)
	// retrieve is the method's search alone, which Engine.Retrieve offers for
	// measuring; nil for a method that reads everything.
	Retrieve func(ctx context.Context, r Request) (retrieve.Ranking, error)
	Maps     bool      // it reads all of a kind, window by window
	Scoped   bool      // it takes filters and several corpora
	Rounds   bool      // what it reads depends on what a model says of what it read before
	Unpinned bool      // it reads reports in at most one round trip, so no generation has to be pinned
	Settings []Setting // its own
	Shared   []string  // flags of shared settings that affect its answers, in addition to the settings of all methods
	Traces   []Trace   // an empty trace of each type that its answers may have
	Prompts  []string  // that it uses besides those that all methods share
	Tuning   []string  // settings that Question.Tuning may hold for it
	Modes    []string  // of its search; Engine.Retrieve knows each as method:mode
	Paths    []string  // by which it finds chunks; Engine.Retrieve knows some of them as method:path+path
}

// methods holds every method under its name. Each method's file adds itself.
var methods = map[string]Method{}

// Register adds a method. It panics if another one has its name.
func Register(m Method) Method {
	if _, twice := methods[m.Name]; twice {
		panic("method " + m.Name + " is registered twice")
	}
	methods[m.Name] = m
	return m
}

// MethodNames returns the names of all methods, in alphabetical order.
func MethodNames() []string { return slices.Sorted(maps.Keys(methods)) }

// RetrievalMethods returns the names of the methods that Engine.Retrieve knows, those with
// modes once for each, as light:low. It also knows methods by some of their paths, as
// basic:vectors.
func RetrievalMethods() []string {
	return withModes(namesOf(func(m Method) bool { return m.Retrieve != nil }))
}

// CheckRetrieval returns ErrUnknownMethod for a name that Engine.Retrieve does not know.
func CheckRetrieval(name string) error {
	q := Question{Method: name}.withVariant()
	m := methods[q.Method]
	if m.Retrieve == nil || (len(m.Modes) > 0 || q.Mode != "") && !slices.Contains(m.Modes, q.Mode) || m.checkPaths(q.Paths) != nil {
		return fmt.Errorf("%w %q: choose from %s", ErrUnknownMethod, name, strings.Join(RetrievalMethods(), ", "))
	}
	return nil
}

// withVariant separates the method of Engine.Retrieve from its mode or its paths.
func (q Question) withVariant() Question {
	name, variant, ok := strings.Cut(q.Method, ":")
	switch {
	case !ok:
	case len(methods[name].Paths) > 0:
		q.Method, q.Paths = name, strings.Split(variant, "+")
	default:
		q.Method, q.Mode = name, variant
	}
	return q
}

// checkPaths returns ErrUnknownPath for a path that a method does not have.
func (m Method) checkPaths(paths []string) error {
	for _, path := range paths {
		if len(m.Paths) == 0 {
			choose := namesOf(func(m Method) bool { return len(m.Paths) > 0 })
			return fmt.Errorf("%w %q: the method %s has none to choose from; these have: %s", ErrUnknownPath, path, m.Name, strings.Join(choose, ", "))
		}
		if !slices.Contains(m.Paths, path) {
			return fmt.Errorf("%w %q: choose from %s", ErrUnknownPath, path, strings.Join(m.Paths, ", "))
		}
	}
	return nil
}

// CommonMethods returns the methods of RetrievalMethods that need no model, and nothing that a
// corpus may lack.
func CommonMethods() []string { return withModes(namesOf(Method.isCommon)) }

func (m Method) isCommon() bool {
	return m.Retrieve != nil && !m.NeedsModel && !slices.ContainsFunc(m.Needs, func(a Artifact) bool { return a != Reports })
}

// FilterMethods returns the methods of CommonMethods that take filters.
func FilterMethods() []string {
	return withModes(namesOf(func(m Method) bool { return m.isCommon() && m.Scoped }))
}

// withModes replaces the name of a method that has modes.
func withModes(names []string) []string {
	var out []string
	for _, name := range names {
		if len(methods[name].Modes) == 0 {
			out = append(out, name)
		}
		for _, mode := range methods[name].Modes {
			out = append(out, name+":"+mode)
		}
	}
	return out
}

func namesOf(wanted func(Method) bool) []string {
	return slices.DeleteFunc(MethodNames(), func(name string) bool { return !wanted(methods[name]) })
}

// TuningNames returns the names of the settings that Question.Tuning may hold
// for a method, or for a variant of one, as light:low.
func TuningNames(method string) []string {
	name, _, _ := strings.Cut(method, ":")
	return slices.Sorted(slices.Values(methods[name].Tuning))
}

// everyday are the methods for daily use, in the order in which they are listed. All others serve
// comparisons with papers.
var everyday = []string{"auto", "fused", "basic", "local", "global", "drift", "light", "lazy", "text"}

// Everyday reports whether a method is for daily use, not only for comparisons with papers.
func (m Method) Everyday() bool { return slices.Contains(everyday, m.Name) }

// Methods returns all methods: first those for daily use, then the others by name.
func Methods() []Method {
	var out []Method
	for _, name := range everyday {
		if m, ok := methods[name]; ok {
			out = append(out, m)
		}
	}
	for _, name := range MethodNames() {
		if m := methods[name]; !m.Everyday() {
			out = append(out, m)
		}
	}
	return out
}
