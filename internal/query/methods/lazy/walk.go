package lazy

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// The settings of LazyGraphRAG.
const (
	lazyBest  = 10 // chunks with which a community is tested, and by which it is ranked
	lazyBatch = 5  // chunks that are tested at the same time
	lazyRow   = 5  // communities in a row without a relevant chunk, after which the walk goes one level down
)

// A chunk is a chunk with the communities that it belongs to.
type chunk struct {
	Key         string
	Score       float64  // compared with the chunk most similar to the question; 0 without a similarity
	Communities []string // keys, from a root down
}

// A relevanceTest returns which of some chunks help to answer the question.
type relevanceTest func(ctx context.Context, chunks []chunk) ([]bool, error)

// A walkResult is what a walk found.
type walkResult struct {
	Tested      map[string]bool // chunks, by key, and whether they are relevant
	Relevant    []chunk         // most similar first
	Communities []Community     // in the order of their tests, without labels
}

// A walk looks for chunks that help to answer a question, community by community
// (LazyGraphRAG), within a number of tests.
type walk struct {
	Chunks []chunk // most similar first
	Budget int     // tests of a chunk
	Test   relevanceTest

	members  map[string][]int // places of chunks, by community
	children map[string][]string
	mean     map[string]float64 // place of its best chunks, by community
	visits   map[string]int     // places in the result
	out      walkResult
}

// Run tests the whole scope, then the communities from the roots down, those whose best chunks
// rank first before others. It starts again with the next chunks of each, until it finds
// nothing more or the budget is spent.
func (w walk) Run(ctx context.Context) (walkResult, error) {
	w.prepare()
	for more := true; more && w.left() > 0; {
		before := w.relevant()
		if err := w.descend(ctx); err != nil {
			return walkResult{}, err
		}
		more = w.relevant() > before
	}
	for _, c := range w.Chunks {
		if w.out.Tested[c.Key] {
			w.out.Relevant = append(w.out.Relevant, c)
		}
	}
	return w.out, nil
}

// left is how many chunks may still be tested.
func (w *walk) left() int { return w.Budget - len(w.out.Tested) }

// relevant counts the chunks that were found.
func (w *walk) relevant() (n int) {
	for _, yes := range w.out.Tested {
		if yes {
			n++
		}
	}
	return n
}

// prepare ranks the communities: the key of the whole scope is empty.
func (w *walk) prepare() {
	w.members, w.children, w.mean = map[string][]int{}, map[string][]string{}, map[string]float64{}
	w.out.Tested, w.visits = map[string]bool{}, map[string]int{}
	for i, c := range w.Chunks {
		parent := ""
		w.members[parent] = append(w.members[parent], i)
		for _, key := range c.Communities {
			if _, seen := w.members[key]; !seen {
				w.children[parent] = append(w.children[parent], key)
			}
			w.members[key] = append(w.members[key], i)
			parent = key
		}
	}
	for key, places := range w.members {
		best, sum := places[:min(lazyBest, len(places))], 0
		for _, place := range best {
			sum += place
		}
		w.mean[key] = float64(sum) / float64(len(best))
	}
}

// descend goes once from the whole scope down to the deepest communities. What has no relevant
// chunk is left out with all below it, except for the whole scope.
func (w *walk) descend(ctx context.Context) error {
	frontier := []string{""}
	for level := -1; len(frontier) > 0; level++ {
		slices.SortFunc(frontier, func(a, b string) int { return cmp.Or(cmp.Compare(w.mean[a], w.mean[b]), strings.Compare(a, b)) })
		row := 0
		dropped := map[string]bool{}
		for _, key := range frontier {
			if w.left() <= 0 {
				return nil
			}
			if row == lazyRow {
				break
			}
			left := w.left()
			found, err := w.testCommunity(ctx, key, level)
			switch {
			case err != nil:
				return err
			case found:
				row = 0
			case w.left() < left:
				row++
			}
			dropped[key] = key != "" && !w.hasRelevant(key)
		}
		var below []string
		for _, key := range frontier {
			if !dropped[key] {
				below = append(below, w.children[key]...)
			}
		}
		frontier = below
	}
	return nil
}

// hasRelevant reports whether a chunk of a community was found, here or in another community.
func (w *walk) hasRelevant(community string) bool {
	return slices.ContainsFunc(w.members[community], func(place int) bool { return w.out.Tested[w.Chunks[place].Key] })
}

// testCommunity tests the best chunks of a community that were not tested, until a batch has
// no relevant one, and reports whether it found any.
func (w *walk) testCommunity(ctx context.Context, community string, level int) (found bool, err error) {
	var best []chunk
	for _, place := range w.members[community] {
		c := w.Chunks[place]
		if _, done := w.out.Tested[c.Key]; !done && len(best) < lazyBest {
			best = append(best, c)
		}
	}
	for batch := range slices.Chunk(best, lazyBatch) {
		if batch = batch[:min(len(batch), w.left())]; len(batch) == 0 {
			break
		}
		helps, err := w.Test(ctx, batch)
		if err != nil {
			return false, err
		}
		relevant := 0
		for i, c := range batch {
			if w.out.Tested[c.Key] = helps[i]; helps[i] {
				relevant++
			}
		}
		w.count(community, level, len(batch), relevant)
		if relevant == 0 {
			break
		}
		found = true
	}
	return found, nil
}

// count adds tests to the tests of a community.
func (w *walk) count(community string, level, tests, relevant int) {
	at, ok := w.visits[community]
	if !ok {
		at = len(w.out.Communities)
		w.visits[community] = at
		w.out.Communities = append(w.out.Communities, Community{Key: community, Level: level})
	}
	w.out.Communities[at].Tests += tests
	w.out.Communities[at].Relevant += relevant
}
