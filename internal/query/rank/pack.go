package rank

import "slices"

// Packed is the result of packing. Kept and LeftOut are indices of items, ascending.
type Packed struct {
	Kept, LeftOut []int
	Tokens        int // of the items kept
}

// Pack takes items, in order, that fit into the rest of the budget, given the tokens of each. An
// item that does not fit is left out; smaller items after it may still fit.
func Pack(tokens []int, budget int) Packed {
	var p Packed
	for i, n := range tokens {
		if cost := max(0, n); cost <= budget-p.Tokens {
			p.Kept = append(p.Kept, i)
			p.Tokens += cost
		} else {
			p.LeftOut = append(p.LeftOut, i)
		}
	}
	return p
}

// Windows splits items, in order, into windows of at most budget tokens and returns the
// indices of the items in each. An item above the budget is a window by itself.
func Windows(tokens []int, budget int) [][]int {
	var out [][]int
	used := 0
	for i, n := range tokens {
		cost := max(0, n)
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

// A Section is the items of one kind in a context, best first, with their share of the
// budget. Shares are relative to each other. A section whose share is not positive gets
// only what the others leave.
type Section struct {
	Tokens []int // of each item
	Share  float64
}

// PackSections packs each section into its share of the budget, as Pack does. What a
// section leaves free then goes to the others, in the given order, so that nothing is
// left out that would still fit. The result has one entry for each section.
func PackSections(sections []Section, budget int) []Packed {
	total := 0.
	for _, s := range sections {
		total += max(0, s.Share)
	}
	out := make([]Packed, len(sections))
	left := budget
	for i, s := range sections {
		if total > 0 {
			out[i] = Pack(s.Tokens, int(float64(budget)*max(0, s.Share)/total))
		} else {
			out[i] = Pack(s.Tokens, 0)
		}
		left -= out[i].Tokens
	}
	for i, s := range sections {
		left -= out[i].packLeftOut(s.Tokens, left)
	}
	return out
}

// packLeftOut adds items that were left out and fit into free tokens, and returns their
// tokens.
func (p *Packed) packLeftOut(tokens []int, free int) int {
	taken := 0
	var left []int
	for _, at := range p.LeftOut {
		if cost := max(0, tokens[at]); cost <= free-taken {
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
