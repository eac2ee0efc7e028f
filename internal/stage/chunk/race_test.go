//go:build race

package chunk

// raceFactor is how much longer a test may take under the race detector.
const raceFactor = 20
