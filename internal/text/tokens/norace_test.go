//go:build !race

package tokens

// slow is the factor by which tests may take longer, because of the race detector.
const slow = 1
