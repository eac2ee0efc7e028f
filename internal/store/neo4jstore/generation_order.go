package neo4jstore

import (
	"slices"
	"strings"
)

// downward orders n communities so that each is followed by those below it: siblings by key,
// and at the end those that have themselves above them, which only damaged data has. Edges
// of the levels of an entity are then written together, which touches each record once.
func downward(n int, key, parent func(i int) string) []int {
	byKey := make([]int, n)
	at := make(map[string]int, n)
	for i := range byKey {
		byKey[i] = i
		at[key(i)] = i
	}
	slices.SortFunc(byKey, func(a, b int) int { return strings.Compare(key(a), key(b)) })
	const none = -1
	root, child, sibling := none, make([]int, n), make([]int, n)
	for i := range child {
		child[i] = none
	}
	for _, i := range slices.Backward(byKey) {
		first := &root
		if p, ok := at[parent(i)]; ok {
			first = &child[p]
		}
		sibling[i], *first = *first, i
	}
	order := make([]int, 0, n)
	reached := make([]bool, n)
	for stack := []int{root}; len(stack) > 0; {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if i == none {
			continue
		}
		reached[i] = true
		order = append(order, i)
		stack = append(stack, sibling[i], child[i])
	}
	for _, i := range byKey {
		if !reached[i] {
			order = append(order, i)
		}
	}
	return order
}
