package rank

// An Item is something that costs tokens in a context.
type Item struct {
	Key    string
	Tokens int
}

// Packed says what fitted: places in the list given, ascending.
type Packed struct {
	Kept, Left []int
	Tokens     int // of what was kept
}

// Pack takes items in order while they fit into the budget. What does not fit is
// left out and reported; smaller ones after it are still taken.
func Pack(items []Item, budget int) Packed {
	var p Packed
	for i, item := range items {
		if cost := max(0, item.Tokens); cost <= budget-p.Tokens {
			p.Kept = append(p.Kept, i)
			p.Tokens += cost
		} else {
			p.Left = append(p.Left, i)
		}
	}
	return p
}

// Windows cuts items, in order, into runs of at most budget tokens. An item above
// the budget gets a window of its own.
func Windows(items []Item, budget int) [][]int {
	var out [][]int
	used := 0
	for i, item := range items {
		cost := max(0, item.Tokens)
		if len(out) == 0 || cost > budget-used {
			out = append(out, nil)
			used = 0
		}
		last := len(out) - 1
		out[last] = append(out[last], i)
		used += cost
	}
	return out
}
