package neo4jstore

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// values is a row or a map that the server returned. A missing or null value reads as
// the zero value, like a property that was never written.
type values map[string]any

func (v values) text(name string) string {
	s, _ := v[name].(string)
	return s
}

func (v values) whole(name string) int64 {
	n, _ := v[name].(int64)
	return n
}

func (v values) int(name string) int { return int(v.whole(name)) }

func (v values) real(name string) float64 {
	switch n := v[name].(type) {
	case float64:
		return n
	case int64:
		return float64(n)
	}
	return 0
}

func (v values) flag(name string) bool {
	b, _ := v[name].(bool)
	return b
}

func (v values) texts(name string) []string {
	list, _ := v[name].([]any)
	if len(list) == 0 {
		return nil
	}
	texts := make([]string, 0, len(list))
	for _, item := range list {
		s, _ := item.(string)
		texts = append(texts, s)
	}
	return texts
}

// wholes returns a list of integers.
func (v values) wholes(name string) []int64 {
	list, _ := v[name].([]any)
	if len(list) == 0 {
		return nil
	}
	all := make([]int64, len(list))
	for i, n := range list {
		all[i], _ = n.(int64)
	}
	return all
}

// ints is wholes as int.
func (v values) ints(name string) []int {
	var all []int
	for _, n := range v.wholes(name) {
		all = append(all, int(n))
	}
	return all
}

// vector returns a list of numbers; nil for none.
func (v values) vector(name string) []float32 {
	list, _ := v[name].([]any)
	if len(list) == 0 {
		return nil
	}
	all := make([]float32, len(list))
	for i, x := range list {
		f, _ := x.(float64)
		all[i] = float32(f)
	}
	return all
}

func (v values) sub(name string) values {
	m, _ := v[name].(map[string]any)
	return m
}

func (v values) maps(name string) []values {
	list, _ := v[name].([]any)
	if len(list) == 0 {
		return nil
	}
	maps := make([]values, 0, len(list))
	for _, item := range list {
		m, _ := item.(map[string]any)
		maps = append(maps, m)
	}
	return maps
}

// references returns a list of maps of n, kind and key, in the order of the server.
func (v values) references(name string) []graph.Reference {
	var refs []graph.Reference
	for _, m := range v.maps(name) {
		refs = append(refs, graph.Reference{N: m.int("n"), Kind: graph.Kind(m.text("kind")), Key: m.text("key")})
	}
	return refs
}

// citations are the references of a report, by number and key, from lists of number, kind and
// key: a report has many, and lists take less time than maps.
func (v values) citations(name string) []graph.Reference {
	list, _ := v[name].([]any)
	refs := make([]graph.Reference, 0, len(list))
	for _, item := range list {
		fields, _ := item.([]any)
		if len(fields) != 3 {
			continue
		}
		n, _ := fields[0].(int64)
		kind, _ := fields[1].(string)
		key, _ := fields[2].(string)
		refs = append(refs, graph.Reference{N: int(n), Kind: graph.Kind(kind), Key: key})
	}
	slices.SortFunc(refs, func(a, b graph.Reference) int { return cmp.Or(cmp.Compare(a.N, b.N), strings.Compare(a.Key, b.Key)) })
	if len(refs) == 0 {
		return nil
	}
	return refs
}

// rows runs a read statement and returns an item for each row.
func rows[T any](ctx context.Context, s *Store, st cypher.Statement, corpus string, params map[string]any, item func(values) T) ([]T, error) {
	var items []T
	err := s.read(ctx, st, corpus, params, func(record *neo4j.Record) error {
		items = append(items, item(record.AsMap()))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return items, nil
}

// eachRow turns a function on values into the callback of a read.
func eachRow(look func(values)) func(*neo4j.Record) error {
	return func(record *neo4j.Record) error {
		look(record.AsMap())
		return nil
	}
}

// texts returns list, or an empty list for nil, which the server would take as null.
func texts(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// mark leaves false out of the store.
func mark(set bool) any {
	if !set {
		return nil
	}
	return true
}

// optionalTexts leaves an empty list out of the store.
func optionalTexts(list []string) any {
	if len(list) == 0 {
		return nil
	}
	return list
}

// optional leaves an empty text out of the store.
func optional(text string) any {
	if text == "" {
		return nil
	}
	return text
}
