package index

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/neorag/neorag/internal/stage/qcg"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// linkPage is how many nodes are linked before progress is reported.
const linkPage = 2000

// A linker finds nearest neighbours. It holds all nodes of a corpus that may be neighbours, in key order, with the lists of
// their neighbours. The lists are a function of the vectors of the nodes, whatever the history,
// because a node whose full list loses a member is marked in the transaction that deletes the
// edge.
type linker struct {
	set    *qcg.Set
	bound  qcg.Bound
	lists  [][]qcg.Neighbour
	marked []int
	others []string // keys of marked nodes without a vector
}

// add adds a node. One without a vector is a neighbour of none, and has none.
func (l *linker) add(key string, vector []float32, marked bool, neighbours []neo4jstore.Neighbour) {
	if len(vector) == 0 {
		if marked {
			l.others = append(l.others, key)
		}
		return
	}
	if marked {
		l.marked = append(l.marked, l.set.Len())
	}
	var list []qcg.Neighbour
	for _, e := range neighbours {
		list = qcg.Insert(list, qcg.Neighbour{Key: e.Key, Score: e.Score}, math.MaxInt)
	}
	l.set.Add(key, vector)
	l.lists = append(l.lists, list)
}

// relink replaces the lists of some nodes, among them the marked ones, and adds these to the lists
// of the others that they are near enough to. It returns the previous lists.
func (l *linker) relink(ctx context.Context, nodes []int, workers int) (before [][]qcg.Neighbour, err error) {
	before = l.lists
	l.lists, err = l.set.Relink(ctx, before, nodes, l.bound, workers)
	return before, err
}

// affected returns the marked nodes, and those whose lists hold a marked node or one that is no
// longer in the set: their lists are to be replaced too if marked nodes have other vectors than
// before, because a node that was not near enough may be now.
func (l *linker) affected() []int {
	isAffected := func(n qcg.Neighbour) bool {
		at, found := l.set.Find(n.Key)
		return !found || l.isMarked(at)
	}
	var out []int
	for node, list := range l.lists {
		if l.isMarked(node) || slices.ContainsFunc(list, isAffected) {
			out = append(out, node)
		}
	}
	return out
}

func (l *linker) isMarked(node int) bool {
	_, found := slices.BinarySearch(l.marked, node)
	return found
}

// write writes the lists that changed and the lists of the marked nodes. The marks are removed last:
// until then an interrupted run compares with all marked nodes again, so that no list misses one.
func (l *linker) write(ctx context.Context, s *stage, before [][]qcg.Neighbour, write func(context.Context, []neo4jstore.Linked) error) error {
	if err := write(ctx, l.entered(before)); err != nil {
		return fmt.Errorf("write neighbours: %w", err)
	}
	for part := range slices.Chunk(l.ofMarked(), linkPage) {
		if err := write(ctx, part); err != nil {
			return fmt.Errorf("write neighbours: %w", err)
		}
		s.addDone(len(part))
	}
	return nil
}

// entered returns the lists of nodes without a mark that changed.
func (l *linker) entered(before [][]qcg.Neighbour) []neo4jstore.Linked {
	var out []neo4jstore.Linked
	for node, list := range l.lists {
		if !l.isMarked(node) && !slices.Equal(list, before[node]) {
			out = append(out, l.linked(node))
		}
	}
	return out
}

// ofMarked returns the lists of the marked nodes.
func (l *linker) ofMarked() []neo4jstore.Linked {
	out := make([]neo4jstore.Linked, 0, len(l.marked)+len(l.others))
	for _, node := range l.marked {
		out = append(out, l.linked(node))
	}
	for _, key := range l.others {
		out = append(out, neo4jstore.Linked{Key: key})
	}
	return out
}

func (l *linker) linked(node int) neo4jstore.Linked {
	n := neo4jstore.Linked{Key: l.set.Key(node)}
	for _, other := range l.lists[node] {
		n.Neighbours = append(n.Neighbours, neo4jstore.Neighbour{Key: other.Key, Score: other.Score})
	}
	return n
}
