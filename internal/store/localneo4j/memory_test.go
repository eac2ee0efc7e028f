package localneo4j

import (
	"testing"

	"pgregory.net/rapid"
)

func TestSizes(t *testing.T) {
	for _, tt := range []struct{ memory, heap, pages int }{
		{0, 1024, 512}, // unknown
		{1 << 10, 256, 256},
		{2 << 10, 512, 512},
		{4 << 10, 1024, 1024},
		{8 << 10, 1024, 3 << 10},
		{16 << 10, 2 << 10, 6 << 10},
		{24 << 10, 3 << 10, 9 << 10},
		{64 << 10, 8 << 10, 24 << 10},
		{512 << 10, 8 << 10, 32 << 10},
	} {
		if heap, pages := sizes(tt.memory); heap != tt.heap || pages != tt.pages {
			t.Errorf("sizes(%d) = %d, %d, want %d, %d", tt.memory, heap, pages, tt.heap, tt.pages)
		}
	}
}

// TestSizesLeaveHalf checks that a server takes at most half of the memory, and no less
// than on a smaller machine.
func TestSizesLeaveHalf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		small, large := rapid.IntRange(256, 1<<21).Draw(t, "memory"), rapid.IntRange(0, 1<<20).Draw(t, "more")
		large += small
		heap, pages := sizes(small)
		if heap <= 0 || pages <= 0 || heap+pages > small/2 {
			t.Errorf("%d MB of heap and %d MB of page cache of %d", heap, pages, small)
		}
		if h, p := sizes(large); h < heap || h+p < heap+pages {
			t.Errorf("with %d MB %d and %d, with %d MB %d and %d", small, heap, pages, large, h, p)
		}
	})
}

// TestMemory checks that this machine has some.
func TestMemory(t *testing.T) {
	if got := memory(); got < 256 {
		t.Errorf("this machine has %d MB", got)
	}
}
