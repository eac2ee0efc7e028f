package stats

// Kappa returns Cohen's kappa of the labels that two judges gave to the same items: 1 for full
// agreement, 0 for as much as by chance. ok is false without items, and if both gave one and the
// same label to all.
func Kappa[L comparable](first, second []L) (kappa float64, ok bool) {
	n := float64(len(first))
	if n == 0 {
		return 0, false
	}
	one, other := map[L]float64{}, map[L]float64{}
	agreed := 0.
	for i := range first {
		one[first[i]]++
		other[second[i]]++
		if first[i] == second[i] {
			agreed++
		}
	}
	chance := 0. // a sum of integers, whose order does not matter
	for label, count := range one {
		chance += count * other[label]
	}
	if chance == n*n {
		return 0, false
	}
	return (agreed/n - chance/(n*n)) / (1 - chance/(n*n)), true
}
