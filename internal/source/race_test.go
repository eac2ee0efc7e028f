//go:build race

package source

// slow is the factor that time limits of tests are multiplied by.
const slow = 20
