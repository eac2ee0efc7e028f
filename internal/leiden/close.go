package leiden

import "math"

const (
	// closeRow is the longest row that is summed close by.
	closeRow  = 128
	closeBits = 11
)

// isClose says that a row is summed close by: not one so long, or so short that
// there is nothing to sum.
func isClose(row []uint32) bool { return len(row) > 1 && len(row) <= closeRow }

// closeSums are sums by label in a table that fits into the cache nearest to the
// processor: 24 kB. All sums are zero between uses.
type closeSums struct {
	sums   [1 << closeBits]float64
	labels [1 << closeBits]uint32 // whose sum it is
	ones   [closeRow]float32      // the weights of a row that has none
}

func newCloseSums() *closeSums {
	t := new(closeSums)
	for i := range t.ones {
		t.ones[i] = 1
	}
	return t
}

// slot is where the sum of a label is.
func slot(label uint32) uint32 { return label * 0x9E3779B1 >> (32 - closeBits) }

// gather adds the weights of a row, whose labels are given, and lists in keys the
// labels in the order in which they are seen first. When two labels share a slot
// it is not ok, and the table is as before. It takes no branches, as the gather
// of a scratch.
func (t *closeSums) gather(labels []uint32, weights []float32, keys []uint32) (n int, ok bool) {
	if weights == nil {
		weights = t.ones[:]
	}
	keys, weights = keys[:len(labels)+1], weights[:len(labels)]
	var shared uint32
	for i, c := range labels {
		at := slot(c)
		sum, owner := t.sums[at], t.labels[at]
		keys[n] = c
		if math.Float64bits(sum) == 0 {
			n++
			owner = c
		}
		shared |= owner ^ c
		t.sums[at], t.labels[at] = sum+float64(weights[i]), owner
	}
	if shared == 0 {
		return n, true
	}
	for _, c := range keys[:n] {
		t.sums[slot(c)] = 0
	}
	return 0, false
}

// take gives the sum of a label and clears it.
func (t *closeSums) take(label uint32) float64 {
	at := slot(label)
	if t.labels[at] != label {
		return 0
	}
	sum := t.sums[at]
	t.sums[at] = 0
	return sum
}

// pickClose is pick with sums close by.
func (m *mover) pickClose(t *closeSums, keys []uint32, own uint32, k float64) proposal {
	f := k * m.gamma
	stay := t.take(own) - f*(m.tot[own]-k)
	best, to := stay+m.sure*k, own
	equal := equals{limit: m.equals}
	for _, c := range keys {
		weight := t.take(c)
		// The sum of the own community is taken, so its gain is negative here.
		if weight <= best || !equal.next(weight) {
			continue
		}
		if gain := weight - f*m.tot[c]; gain > best && c != own {
			best, to = gain, c
		}
	}
	return m.proposal(best, stay, to, own)
}
