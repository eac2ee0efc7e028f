package leiden

import "math/bits"

// random is a SplitMix64 generator: small, fast, and good enough to shuffle nodes.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	return mix64(uint64(*r))
}

// mix64 is the output function of SplitMix64.
func mix64(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// intn returns a number in [0, n), uniform up to a bias of n/2^64.
func (r *random) intn(n int) int {
	hi, _ := bits.Mul64(r.next(), uint64(n))
	return int(hi)
}

// shuffle permutes s at random (Fisher-Yates).
func (r *random) shuffle(s []uint32) {
	for i := len(s) - 1; i > 0; i-- {
		j := r.intn(i + 1)
		s[i], s[j] = s[j], s[i]
	}
}

// derive returns the generator for one part of the work. It depends only on the
// seed and the part, never on which worker does the part or when.
func derive(seed, part uint64) random {
	return random(mix64(seed ^ mix64(part+0x9e3779b97f4a7c15)))
}
