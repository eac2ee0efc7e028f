package leiden

import "math"

const (
	// maxL1Row is the longest row that is summed close by.
	maxL1Row  = 128
	l1Bits = 11
)

// fitsL1 says that a row is summed close by: not one so long, or so short that
// there is nothing to sum.
func fitsL1(row []uint32) bool { return len(row) > 1 && len(row) <= maxL1Row }

// l1Sums are sums by label in a table that fits into the cache nearest to the
// processor: 24 kB. All sums are zero between uses.
type l1Sums struct {
	sums   [1 << l1Bits]float64
	labels [1 << l1Bits]uint32 // whose sum it is
	unitWeights   [maxL1Row]float32      // the weights of a row that has none
}

func newL1Sums() *l1Sums {
	t := new(l1Sums)
	for i := range t.unitWeights {
		t.unitWeights[i] = 1
	}
	return t
}

// slot is where the sum of a label is.
func slot(label uint32) uint32 { return label * 0x9E3779B1 >> (32 - l1Bits) }

// gather adds the weights of a row, whose labels are given, and lists in keys the
// labels in the order in which they are seen first. When two labels share a slot
// it is not ok, and the table is as before. It takes no branches, as the gather
// of a scratch.
func (t *l1Sums) gather(labels []uint32, weights []float32, keys []uint32) (n int, ok bool) {
	if weights == nil {
		weights = t.unitWeights[:]
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
func (t *l1Sums) take(label uint32) float64 {
	at := slot(label)
	if t.labels[at] != label {
		return 0
	}
	sum := t.sums[at]
	t.sums[at] = 0
	return sum
}

// bestProposalL1 is pick with sums close by.
func (m *mover) bestProposalL1(t *l1Sums, keys []uint32, own uint32, k float64) proposal {
	f := k * m.gamma
	stay := t.take(own) - f*(m.tot[own]-k)
	best, to := stay+m.epsilon*k, own
	equal := tieCounter{limit: m.maxTies}
	for _, c := range keys {
		weight := t.take(c)
		// The sum of the own community is taken, so its gain is negative here.
		if weight <= best || !equal.allows(weight) {
			continue
		}
		if gain := weight - f*m.tot[c]; gain > best && c != own {
			best, to = gain, c
		}
	}
	return m.orEmpty(best, stay, to, own)
}
