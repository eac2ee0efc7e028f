package localneo4j

// Limits of what a server takes when nobody says otherwise, in MB.
const (
	leastHeap, mostHeap   = 1024, 8 << 10
	leastPages, mostPages = 512, 32 << 10
)

// sizes returns the heap and page cache, in MB, of a server on a machine with so much
// memory; 0 is unknown. Together they are half of the memory, so that the other half is
// left to the user, and to the system, which caches the full-text and vector indexes with
// it. An eighth of the memory is heap, which bounds what one transaction may hold. The
// page cache grows only as far as the graph does.
func sizes(memoryMB int) (heap, pages int) {
	if memoryMB <= 0 {
		return leastHeap, leastPages
	}
	heap = min(max(memoryMB/8, leastHeap), mostHeap, memoryMB/4)
	return heap, min(memoryMB/2-heap, mostPages)
}
