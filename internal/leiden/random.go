package leiden

import "math/bits"

// random is SplitMix64: small, fast, and good enough to order nodes.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	return mix64(uint64(*r))
}

func mix64(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// intn is uniform in [0, n) up to a bias of n/2^64.
func (r *random) intn(n int) int {
	hi, _ := bits.Mul64(r.next(), uint64(n))
	return int(hi)
}

// shuffle permutes s.
func (r *random) shuffle(s []uint32) {
	for i := len(s) - 1; i > 0; i-- {
		j := r.intn(i + 1)
		s[i], s[j] = s[j], s[i]
	}
}

// derive is the generator of one part of the work: it depends on the seed and
// the part, never on who does the part or when.
func derive(seed, part uint64) random {
	return random(mix64(seed ^ mix64(part+0x9e3779b97f4a7c15)))
}
