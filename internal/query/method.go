package query

import (
	"context"
	"maps"
	"slices"
)

// A Method is one way to find what answers a question.
type Method struct {
	Name    string
	Summary string // half a line, for `neorag methods`
	answer  func(ctx context.Context, r request) (Answer, error)

	// retrieve is the search of the method alone: what Engine.Retrieve offers for
	// measuring. Nil for a method that reads everything.
	retrieve func(ctx context.Context, r request) (Retrieved, error)
	scoped   bool     // it takes filters and several corpora
	unpinned bool     // it reads reports in one round trip at most, and so needs no generation pinned
	tunes    []string // names that Question.Tuning may hold for this method
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

// MethodNames are the names of all methods, in alphabetical order.
func MethodNames() []string { return slices.Sorted(maps.Keys(methods)) }

// RetrievalMethods are the names of the methods that Engine.Retrieve knows.
func RetrievalMethods() []string {
	var out []string
	for _, name := range MethodNames() {
		if methods[name].retrieve != nil {
			out = append(out, name)
		}
	}
	return out
}

// scopedMethods are the names of the methods that take filters and several corpora.
func scopedMethods() []string {
	return slices.DeleteFunc(MethodNames(), func(name string) bool { return !methods[name].scoped })
}

// FilterMethods are those of RetrievalMethods that take filters.
func FilterMethods() []string {
	return slices.DeleteFunc(RetrievalMethods(), func(name string) bool { return !methods[name].scoped })
}

// Tunes are the names of the settings that Question.Tuning may hold for a method.
func Tunes(method string) []string { return slices.Sorted(slices.Values(methods[method].tunes)) }

// Methods are all methods, by name.
func Methods() []Method {
	out := make([]Method, 0, len(methods))
	for _, name := range MethodNames() {
		out = append(out, methods[name])
	}
	return out
}
