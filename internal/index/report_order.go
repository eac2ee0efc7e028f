package index

import (
	"cmp"
	"container/heap"
	"sync"

	"github.com/neorag/neorag/internal/graph"
)

// A reportOrder hands out the communities to report, root by root, so that what was read for children is at hand for their parents. The root with the
// deepest community is first, because its reports wait longest for each other, and in a root the
// deepest level. Each is handed out when the reports of its children are written, independently of
// other branches. A community whose children got new reports is handed out even if it is not
// marked.
type reportOrder struct {
	mu           sync.Mutex
	parent       map[string]string
	place        map[string]reportPlace
	openChildren map[string]int  // children that may still get a new report
	wanted       map[string]bool // communities with a mark, or with a child whose report is new
	ready        reportHeap      // communities to hand out
	open         int             // communities that may still get a new report
	changed      chan struct{}   // receives a value when ready or open changed
}

// newReportOrder returns the order for all communities of a generation, parents first, given
// the keys of those that are marked.
func newReportOrder(all []graph.Community, marked []string) *reportOrder {
	o := &reportOrder{
		parent: map[string]string{}, place: map[string]reportPlace{}, openChildren: map[string]int{}, wanted: map[string]bool{},
		changed: make(chan struct{}, 1),
	}
	for i, k := range all {
		place := reportPlace{o.place[k.Parent].root, k.Level, k.Key}
		if place.root == nil {
			place.root = &reportRoot{number: i}
		}
		place.root.depth = max(place.root.depth, k.Level)
		o.parent[k.Key], o.place[k.Key] = k.Parent, place
	}
	open := map[string]bool{}
	for _, key := range marked {
		o.wanted[key] = true
		for ; key != "" && !open[key]; key = o.parent[key] {
			open[key] = true
			if parent := o.parent[key]; parent != "" {
				o.openChildren[parent]++
			}
		}
	}
	o.open = len(open)
	for key := range open {
		if o.openChildren[key] == 0 {
			o.ready = append(o.ready, o.place[key])
		}
	}
	heap.Init(&o.ready)
	o.signal()
	return o
}

// signal wakes the goroutine that waits for communities.
func (o *reportOrder) signal() {
	select {
	case o.changed <- struct{}{}:
	default:
	}
}

// take hands out at most most communities that are ready, and reports whether more may
// follow.
func (o *reportOrder) take(most int) (keys []string, more bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(keys) < most && len(o.ready) > 0 {
		next, _ := heap.Pop(&o.ready).(reportPlace)
		keys = append(keys, next.key)
	}
	return keys, o.open > 0
}

// done records that the report of a community is written, or unchanged if renewed is
// false. The parent becomes ready if that was the last of its children.
func (o *reportOrder) done(key string, renewed bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for {
		o.open--
		parent := o.parent[key]
		if parent == "" {
			break
		}
		if renewed {
			o.wanted[parent] = true
		}
		if o.openChildren[parent]--; o.openChildren[parent] > 0 {
			break
		}
		if o.wanted[parent] {
			heap.Push(&o.ready, o.place[parent])
			break
		}
		key, renewed = parent, false
	}
	o.signal()
}

// A reportRoot is a community at level 0 with those below it.
type reportRoot struct{ number, depth int }

// A reportPlace is the place of a community in the order.
type reportPlace struct {
	root  *reportRoot
	level int
	key   string
}

// A reportHeap is a heap.Interface with the deepest root first, of equal ones the first, in it the
// deepest level, and within a level the smallest key.
type reportHeap []reportPlace

func (h reportHeap) Len() int      { return len(h) }
func (h reportHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h reportHeap) Less(i, j int) bool {
	a, b := h[i], h[j]
	return cmp.Or(cmp.Compare(b.root.depth, a.root.depth), cmp.Compare(a.root.number, b.root.number), cmp.Compare(b.level, a.level), cmp.Compare(a.key, b.key)) < 0
}

func (h *reportHeap) Push(x any) {
	k, _ := x.(reportPlace)
	*h = append(*h, k)
}

func (h *reportHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
