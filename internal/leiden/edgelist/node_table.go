package edgelist

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
)

// A nodeTable numbers nodes in order of first appearance. Names that are whole numbers are
// not stored as text, and small ones need no hashing.
type nodeTable struct {
	direct []uint32          // by numeric name: node + 1, or 0
	sparse map[uint32]uint32 // nodes with numeric names beyond direct
	texts  map[string]uint32
	names  []name
}

// A name is a text, or a number if the text is empty.
type name struct {
	text   string
	number uint32
}

func newNodeTable() *nodeTable {
	return &nodeTable{sparse: map[uint32]uint32{}, texts: map[string]uint32{}}
}

// minDirect is the minimum length of direct. A longer one has 16 entries for each node
// there was when it was allocated.
const minDirect = 1 << 16

// node returns the number of the node with a name, adding it if it is new.
func (t *nodeTable) node(field []byte) uint32 {
	n, ok := parseNumber(field)
	if !ok {
		if at, known := t.texts[string(field)]; known {
			return at
		}
		text := string(field)
		at := t.add(name{text: text})
		t.texts[text] = at
		return at
	}
	if int(n) < len(t.direct) {
		if t.direct[n] == 0 {
			t.direct[n] = t.add(name{number: n}) + 1
		}
		return t.direct[n] - 1
	}
	if at, known := t.sparse[n]; known {
		return at
	}
	at := t.add(name{number: n})
	t.sparse[n] = at
	t.growDirect(n)
	return at
}

func (t *nodeTable) add(n name) uint32 {
	t.names = append(t.names, n)
	return uint32(len(t.names) - 1)
}

// growDirect extends direct to include n if there are enough nodes to make that worth it.
func (t *nodeTable) growDirect(n uint32) {
	if int(n) >= max(minDirect, 8*len(t.names)) {
		return
	}
	length := max(minDirect, 16*len(t.names))
	direct := make([]uint32, length)
	copy(direct, t.direct)
	for number, at := range t.sparse {
		if int(number) < length {
			direct[number] = at + 1
			delete(t.sparse, number)
		}
	}
	t.direct = direct
}

// parseNumber returns the value of a field that is a whole number without leading zeros.
func parseNumber(field []byte) (uint32, bool) {
	if len(field) == 0 || len(field) > 10 || field[0] == '0' && len(field) > 1 {
		return 0, false
	}
	n := uint64(0)
	for _, c := range field {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + uint64(c-'0')
	}
	return uint32(n), n <= math.MaxUint32
}

// sorted returns the names in order, and the index of each node in that order.
func (t *nodeTable) sorted(ctx context.Context) (names []string, newIndex []uint32, err error) {
	if len(t.texts) > 0 {
		return t.sortedTexts(ctx)
	}
	at := make([]uint32, 0, len(t.names))
	for _, node := range t.direct {
		if node > 0 {
			at = append(at, node-1)
		}
	}
	sparse := len(at)
	for _, node := range t.sparse {
		at = append(at, node)
	}
	slices.SortFunc(at[sparse:], func(a, b uint32) int { return cmp.Compare(t.names[a].number, t.names[b].number) })
	names, newIndex = make([]string, len(at)), make([]uint32, len(at))
	for i, node := range at {
		names[i], newIndex[node] = strconv.FormatUint(uint64(t.names[node].number), 10), uint32(i)
	}
	return names, newIndex, context.Cause(ctx)
}

// sortedTexts is sorted for names that are not all numbers.
func (t *nodeTable) sortedTexts(ctx context.Context) (names []string, newIndex []uint32, err error) {
	given := make([]string, len(t.names))
	for i, n := range t.names {
		given[i] = n.text
		if n.text == "" {
			given[i] = strconv.FormatUint(uint64(n.number), 10)
		}
	}
	return SortNames(ctx, given)
}

// SortNames sorts distinct names: as numbers if all are whole numbers, or ids with a
// common prefix followed by a whole number, else as texts. newIndex holds the index of
// each name in sorted. It returns context.Cause(ctx) within a fraction of a second after
// ctx ends.
func SortNames(ctx context.Context, names []string) (sorted []string, newIndex []uint32, err error) {
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	at := make([]uint32, len(names))
	for i := range at {
		at[i] = uint32(i)
	}
	compare := comparator(names)
	slices.SortFunc(at, func(a, b uint32) int {
		if stop.Load() {
			return 0 // so that the sort ends soon
		}
		return compare(names[a], names[b])
	})
	sorted, newIndex = make([]string, len(names)), make([]uint32, len(names))
	for i, old := range at {
		sorted[i], newIndex[old] = names[old], uint32(i)
	}
	return sorted, newIndex, context.Cause(ctx)
}

// comparator returns how to compare names. Names with the same prefix, followed by a whole
// number without leading zeros, are in numeric order if shorter names come first.
func comparator(names []string) func(a, b string) int {
	prefix := ""
	for i, n := range names {
		text := strings.TrimRight(n, "0123456789")
		if i == 0 {
			prefix = text
		}
		digits := n[len(text):]
		if text != prefix || digits == "" || digits[0] == '0' && len(digits) > 1 {
			return strings.Compare
		}
	}
	return func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) }
}
