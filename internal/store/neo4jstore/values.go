package neo4jstore

// values are the properties of a node, or the row of a check, that are read by name. A missing
// or null value reads as the zero value, like a property that was never written.
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
	x, _ := number(v[name])
	return x
}

func (v values) flag(name string) bool {
	b, _ := v[name].(bool)
	return b
}

func (v values) texts(name string) []string {
	list, _ := v[name].([]any)
	return items[string](list)
}

// ints returns a list of integers.
func (v values) ints(name string) []int {
	list, _ := v[name].([]any)
	return convert[int](items[int64](list))
}

// items returns the items of a list, nil for an empty one. One of another type is the zero value.
func items[T any](list []any) []T {
	if len(list) == 0 {
		return nil
	}
	all := make([]T, len(list))
	for i, item := range list {
		all[i], _ = item.(T)
	}
	return all
}

// convert converts numbers.
func convert[T, F int | int64 | float32 | float64](list []F) []T {
	if list == nil {
		return nil
	}
	all := make([]T, len(list))
	for i, n := range list {
		all[i] = T(n)
	}
	return all
}

// number returns a number as float64.
func number(v any) (x float64, ok bool) {
	switch n := v.(type) {
	case float64:
		return n, true
	case int64:
		return float64(n), true
	}
	return 0, false
}

// listOrEmpty returns list, or an empty list for nil, which the server would take as null.
func listOrEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// optional leaves the zero value out of the store.
func optional[T comparable](value T) any {
	var zero T
	if value == zero {
		return nil
	}
	return value
}

// optionalList leaves an empty list out of the store.
func optionalList[T any](list []T) any {
	if len(list) == 0 {
		return nil
	}
	return list
}
