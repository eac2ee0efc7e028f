//go:build !linux

package source

// peakOf is 0: this system does not say what a process took.
func peakOf(f func()) int64 {
	f()
	return 0
}
