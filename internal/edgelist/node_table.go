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

// A nodeTable gives nodes numbers in the order in which their names come. Names
// that are whole numbers take no text, and small ones no hashing.
type nodeTable struct {
	direct []uint32          // number that is a name: its node + 1
	sparse map[uint32]uint32 // those beyond direct
	texts  map[string]uint32
	names  []name
}

// A name is a text, or a number where the text is empty.
type name struct {
	text   string
	number uint32
}

func newNodeTable() *nodeTable {
	return &nodeTable{sparse: map[uint32]uint32{}, texts: map[string]uint32{}}
}

// minDirect is how far direct reaches at the least; beyond, it stays within a
// few entries for each node.
const minDirect = 1 << 16

// node is the number of the node with that name.
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

// growDirect lets direct reach n when there are nodes enough to make that worth it.
func (t *nodeTable) growDirect(n uint32) {
	if int(n) >= max(minDirect, 8*len(t.names)) {
		return
	}
	reach := max(minDirect, 16*len(t.names))
	direct := make([]uint32, reach)
	copy(direct, t.direct)
	for number, at := range t.sparse {
		if int(number) < reach {
			direct[number] = at + 1
			delete(t.sparse, number)
		}
	}
	t.direct = direct
}

// parseNumber is the value of a field that is written as a number is: "7", not "07".
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

// sorted gives the names in their order, and to each node its place in that.
func (t *nodeTable) sorted(ctx context.Context) (names []string, to []uint32, err error) {
	if len(t.texts) > 0 {
		return t.sortedTexts(ctx)
	}
	at := make([]uint32, 0, len(t.names))
	for _, node := range t.direct {
		if node > 0 {
			at = append(at, node-1)
		}
	}
	beyond := len(at)
	for _, node := range t.sparse {
		at = append(at, node)
	}
	slices.SortFunc(at[beyond:], func(a, b uint32) int { return cmp.Compare(t.names[a].number, t.names[b].number) })
	names, to = make([]string, len(at)), make([]uint32, len(at))
	for place, node := range at {
		names[place], to[node] = strconv.FormatUint(uint64(t.names[node].number), 10), uint32(place)
	}
	return names, to, context.Cause(ctx)
}

func (t *nodeTable) sortedTexts(ctx context.Context) (names []string, to []uint32, err error) {
	given := make([]string, len(t.names))
	for i, n := range t.names {
		given[i] = n.text
		if n.text == "" {
			given[i] = strconv.FormatUint(uint64(n.number), 10)
		}
	}
	return SortNames(ctx, given)
}

// SortNames gives names that are distinct their order, and to every one of them its
// place in that: as numbers if all are whole numbers, or ids that end in one
// and begin alike, else as texts. It returns the context's error within a
// fraction of a second when that ends first.
func SortNames(ctx context.Context, names []string) (ordered []string, to []uint32, err error) {
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	at := make([]uint32, len(names))
	for i := range at {
		at[i] = uint32(i)
	}
	compare := comparator(names)
	slices.SortFunc(at, func(a, b uint32) int {
		if stop.Load() {
			return 0 // the rest of the sort is quick then
		}
		return compare(names[a], names[b])
	})
	ordered, to = make([]string, len(names)), make([]uint32, len(names))
	for place, i := range at {
		ordered[place], to[i] = names[i], uint32(place)
	}
	return ordered, to, context.Cause(ctx)
}

// comparator is how names are ordered. Whole numbers without leading zeros that
// follow on the same text are in the order of their values when the shorter
// name comes first.
func comparator(names []string) func(a, b string) int {
	stem := ""
	for i, n := range names {
		text := strings.TrimRight(n, "0123456789")
		if i == 0 {
			stem = text
		}
		digits := n[len(text):]
		if text != stem || digits == "" || digits[0] == '0' && len(digits) > 1 {
			return strings.Compare
		}
	}
	return func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) }
}
