//go:build !race

package chunk

// slow is how much longer everything may take under the race detector.
const slow = 1
