package rank

import "slices"

// An Item is something that costs tokens in a context.
type Item struct {
	Key    string
	Tokens int
}

// Packed says what fitted: places in the list given, ascending.
type Packed struct {
	Kept, LeftOut []int
	Tokens        int // of what was kept
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
			p.LeftOut = append(p.LeftOut, i)
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

// A Section is one kind of thing in a context, best first, with its share of
// the budget. Shares are compared with each other; one that is not above 0
// gets only what others leave.
type Section struct {
	Items []Item
	Share float64
}

// PackSections packs each section into its share of the budget. Room that a
// section leaves goes to the others, in the order given, so that a context is
// full while anything fits. What does not fit is left out and reported, and
// smaller things after it are still taken. The result has one entry a section.
func PackSections(sections []Section, budget int) []Packed {
	total := 0.
	for _, s := range sections {
		total += max(0, s.Share)
	}
	out := make([]Packed, len(sections))
	left := budget
	for i, s := range sections {
		if total > 0 {
			out[i] = Pack(s.Items, int(float64(budget)*max(0, s.Share)/total))
		} else {
			out[i] = Pack(s.Items, 0)
		}
		left -= out[i].Tokens
	}
	for i, s := range sections {
		left -= out[i].packLeftOut(s.Items, left)
	}
	return out
}

// packLeftOut takes of what was left out what fits into the room, and returns its tokens.
func (p *Packed) packLeftOut(items []Item, room int) int {
	taken := 0
	var left []int
	for _, at := range p.LeftOut {
		if cost := max(0, items[at].Tokens); cost <= room-taken {
			p.Kept = append(p.Kept, at)
			taken += cost
		} else {
			left = append(left, at)
		}
	}
	slices.Sort(p.Kept)
	p.LeftOut, p.Tokens = left, p.Tokens+taken
	return taken
}
