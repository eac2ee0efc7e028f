package rank

import "math/bits"

// Shuffle shuffles items. The order depends on the seed and the number of items only, and
// is the same on every machine and in every version of Go.
func Shuffle[T any](seed uint64, items []T) {
	g := splitMix64(seed)
	for i := len(items) - 1; i > 0; i-- {
		j := g.below(uint64(i + 1))
		items[i], items[j] = items[j], items[i]
	}
}

// splitMix64 is the random number generator of that name.
type splitMix64 uint64

func (g *splitMix64) next() uint64 {
	*g += 0x9e3779b97f4a7c15
	x := uint64(*g)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// below returns a uniformly distributed number from 0 to n-1.
func (g *splitMix64) below(n uint64) uint64 {
	for {
		high, low := bits.Mul64(g.next(), n)
		if low >= -n%n {
			return high
		}
	}
}
