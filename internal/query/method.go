package query

import (
	"context"
	"maps"
	"slices"

	"github.com/neorag/neorag/internal/retrieve"
)

// A Method is one way to answer questions.
type Method struct {
	Name    string
	Summary string // half a line, for `neorag methods`

	answer func(ctx context.Context, r request) (Answer, error)
	// retrieve is the method's search alone, which Engine.Retrieve offers for
	// measuring; nil for a method that reads everything.
	retrieve func(ctx context.Context, r request) (retrieve.Ranking, error)
	scoped   bool     // it takes filters and several corpora
	unpinned bool     // it reads reports in at most one round trip, so no generation has to be pinned
	tuning   []string // settings that Question.Tuning may hold for it
	modes    []string // of its search; Engine.Retrieve knows each as method:mode
}

// methods holds every method under its name. Each method's file adds itself.
var methods = map[string]Method{}

func register(m Method) struct{} {
	if _, twice := methods[m.Name]; twice {
		panic("method " + m.Name + " is registered twice")
	}
	methods[m.Name] = m
	return struct{}{}
}

// MethodNames returns the names of all methods, in alphabetical order.
func MethodNames() []string { return slices.Sorted(maps.Keys(methods)) }

// RetrievalMethods returns the names of the methods that Engine.Retrieve knows, those with
// modes once for each, as light:low.
func RetrievalMethods() []string {
	return withModes(namesOf(func(m Method) bool { return m.retrieve != nil }))
}

// FilterMethods returns the methods of RetrievalMethods that take filters.
func FilterMethods() []string {
	return withModes(namesOf(func(m Method) bool { return m.retrieve != nil && m.scoped }))
}

// withModes replaces the name of a method that has modes.
func withModes(names []string) []string {
	var out []string
	for _, name := range names {
		if len(methods[name].modes) == 0 {
			out = append(out, name)
		}
		for _, mode := range methods[name].modes {
			out = append(out, name+":"+mode)
		}
	}
	return out
}

// scopedMethods returns the names of the methods that take filters and several corpora.
func scopedMethods() []string {
	return namesOf(func(m Method) bool { return m.scoped })
}

func namesOf(wanted func(Method) bool) []string {
	return slices.DeleteFunc(MethodNames(), func(name string) bool { return !wanted(methods[name]) })
}

// TuningNames returns the names of the settings that Question.Tuning may hold
// for a method.
func TuningNames(method string) []string { return slices.Clone(methods[method].tuning) }

// Methods returns all methods, by name.
func Methods() []Method {
	out := make([]Method, 0, len(methods))
	for _, name := range MethodNames() {
		out = append(out, methods[name])
	}
	return out
}
