package leiden

import "math"

const (
	// maxL1Row is the length of the longest row that is summed in the L1 table.
	maxL1Row = 128
	// l1Bits is the number of bits of an index of the table.
	l1Bits = 11
)

// fitsL1 reports whether a row is summed in the L1 table: it has at least two entries,
// or there is nothing to sum, and at most maxL1Row.
func fitsL1(row []uint32) bool { return len(row) > 1 && len(row) <= maxL1Row }

// l1Sums is an accumulator of sums by label that fits into the L1 cache: a direct-mapped
// hash table of 24 kB. All sums are zero between uses.
type l1Sums struct {
	sums        [1 << l1Bits]float64
	labels      [1 << l1Bits]uint32 // of the sums
	unitWeights [maxL1Row]float32   // all 1, for rows without weights
}

func newL1Sums() *l1Sums {
	t := new(l1Sums)
	for i := range t.unitWeights {
		t.unitWeights[i] = 1
	}
	return t
}

// slot returns the index of the sum of a label (Fibonacci hashing).
func slot(label uint32) uint32 { return label * 0x9E3779B1 >> (32 - l1Bits) }

// gather adds the weights of a row by label and lists the n distinct labels in keys, in
// order of first appearance. If two labels share a slot, ok is false and the table is
// as before. Like scratch.gather it is branch-free.
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

// take returns the sum of a label and clears it.
func (t *l1Sums) take(label uint32) float64 {
	at := slot(label)
	if t.labels[at] != label {
		return 0
	}
	sum := t.sums[at]
	t.sums[at] = 0
	return sum
}

// bestProposalL1 is bestProposal with sums in the L1 table and lazy totals.
func (m *mover) bestProposalL1(t *l1Sums, keys []uint32, own uint32, k float64) proposal {
	f := k * m.gamma
	stay := t.take(own) - float64(f*(m.tot[own]-k))
	best, to := stay+float64(m.epsilon*k), own
	ties := tieCounter{limit: m.maxTies}
	for _, c := range keys {
		weight := t.take(c)
		// The sum of the own community is cleared, so its gain is negative here.
		if weight <= best || !ties.allows(weight) {
			continue
		}
		if gain := weight - float64(f*m.tot[c]); gain > best && c != own {
			best, to = gain, c
		}
	}
	return m.orEmpty(best, stay, to, own)
}
