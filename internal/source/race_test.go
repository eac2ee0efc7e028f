//go:build race

package source

// slow is how much longer everything may take under the race detector.
const slow = 20
