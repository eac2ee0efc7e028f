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
	single  bool   // reads reports in one round trip at most, and so needs no look at the generation
	answer  func(ctx context.Context, e *Engine, q Question, generation int64) (Answer, error)
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

// Methods are all methods, by name.
func Methods() []Method {
	out := make([]Method, 0, len(methods))
	for _, name := range MethodNames() {
		out = append(out, methods[name])
	}
	return out
}
