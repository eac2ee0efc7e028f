//go:build !linux || race

package source

// limitDataSegment does nothing: this system has no such limit, or the race
// detector needs more memory than any limit allows.
func limitDataSegment(uint64) {}
