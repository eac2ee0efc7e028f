package leiden

import "math"

// gather adds the weights of a row to acc by label and appends labels that appear for
// the first time to keys, of which there are n so far. It returns their new number.
// keys must have room for one more than the number of labels: writing unconditionally
// makes this loop branch-free and so fast, and most time is spent in it. For the same
// reason a sum is compared with zero by its bits, which compiles to no branch.
func (s *scratch) gather(row []uint32, weights []float32, labels []uint32, n int) int {
	if weights == nil {
		return gatherUnit(row, labels, s.acc, s.keys, n)
	}
	return gatherWeighted(row, weights, labels, s.acc, s.keys, n)
}

func gatherUnit(row, labels []uint32, acc []float64, keys []uint32, n int) int {
	for _, u := range row {
		c := labels[u]
		a := acc[c]
		keys[n] = c
		if math.Float64bits(a) == 0 {
			n++
		}
		acc[c] = a + 1
	}
	return n
}

func gatherWeighted(row []uint32, weights []float32, labels []uint32, acc []float64, keys []uint32, n int) int {
	weights = weights[:len(row)]
	for i, u := range row {
		c := labels[u]
		a := acc[c]
		keys[n] = c
		if math.Float64bits(a) == 0 {
			n++
		}
		acc[c] = a + float64(weights[i])
	}
	return n
}

// masked returns the weight if all bits of the mask are set, and 0 if none is: a
// branch-free condition.
func masked(weight float32, mask uint32) float64 {
	return float64(math.Float32frombits(math.Float32bits(weight) & mask))
}
