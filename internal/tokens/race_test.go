//go:build race

package tokens

// slow is how much longer everything may take under the race detector.
const slow = 20
