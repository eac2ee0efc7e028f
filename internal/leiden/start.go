package leiden

import "slices"

// A start is where to start on one graph: labels of the nodes, nil for singletons, and the
// nodes to visit first, nil for all.
type start struct {
	labels  []uint32
	changed []bool
}

// root returns the start for the given graph.
func (s *Start) root() start {
	if s == nil || len(s.Levels) == 0 {
		return start{}
	}
	return start{labels: s.Levels[0], changed: s.Changed}
}

// A follower continues the levels below the roots from a Start.
type follower struct {
	plan    plan // with a start
	levels  [][]uint32
	sizes   []map[uint32]int // by level: the number of nodes of each community of the start
	changed []bool           // nodes whose edges changed, or that have a neighbour that moved to another community of any level so far
}

// newFollower returns a follower for roots, whose members are in order; nil without a
// start.
func newFollower(o Options, g *Graph, order []uint32, roots []Community) *follower {
	s := o.Start
	if s == nil || len(s.Levels) == 0 {
		return nil
	}
	f := &follower{plan: o.plan(g.arcs), levels: s.Levels, changed: make([]bool, g.Nodes())}
	for _, labels := range s.Levels {
		sizes := map[uint32]int{}
		for _, l := range labels {
			if l != none {
				sizes[l]++
			}
		}
		f.sizes = append(f.sizes, sizes)
	}
	for v := range f.changed {
		f.changed[v] = s.Changed == nil || s.Changed[v]
	}
	for _, r := range roots {
		members := order[r.First:r.Last]
		f.markMoved(0, members, func(i int) {
			for u := range g.Neighbors(members[i]) {
				f.changed[u] = true
			}
		})
	}
	return f
}

// markMoved marks the members of a community of a level that were in another one than
// most of the others, and calls neighbors with the index of each.
func (f *follower) markMoved(level int, members []uint32, neighbors func(i int)) {
	if level >= len(f.levels) {
		return
	}
	most := f.mostFrequent(level, members)
	for i, v := range members {
		if f.levels[level][v] != most {
			f.changed[v] = true
			neighbors(i)
		}
	}
}

// mostFrequent returns the community of a level of the start that most nodes were in,
// the first of equals.
func (f *follower) mostFrequent(level int, nodes []uint32) uint32 {
	counts := map[uint32]int{}
	most := f.levels[level][nodes[0]]
	for _, v := range nodes {
		counts[f.levels[level][v]]++
	}
	for _, v := range nodes {
		if l := f.levels[level][v]; counts[l] > counts[most] {
			most = l
		}
	}
	return most
}

// isUnchanged reports whether nodes were exactly a community of a level of the start, and
// none of them changed.
func (f *follower) isUnchanged(level int, nodes []uint32) bool {
	labels := f.levels[level]
	first := labels[nodes[0]]
	if first == none || f.sizes[level][first] != len(nodes) {
		return false
	}
	for _, v := range nodes {
		if labels[v] != first || f.changed[v] {
			return false
		}
	}
	return true
}

// starts returns where to start below a level on a community of some nodes: the
// communities that they were in. Those that were in none below the level keep together if
// they were in the same community of the level. It reports whether they are more than one.
func (f *follower) starts(level int, nodes []uint32) (from start, several bool) {
	from = start{labels: make([]uint32, len(nodes)), changed: make([]bool, len(nodes))}
	type place struct{ level, below uint32 }
	numbers := map[place]uint32{}
	for i, v := range nodes {
		from.changed[i] = f.changed[v]
		p := place{f.levels[level][v], none}
		if level+1 < len(f.levels) {
			p.below = f.levels[level+1][v]
		}
		if p.level == none && p.below == none {
			from.labels[i] = none
			continue
		}
		number, ok := numbers[p]
		if !ok {
			number = uint32(len(numbers)) //nolint:gosec // at most the nodes
			numbers[p] = number
		}
		from.labels[i] = number
	}
	return from, len(numbers) > 1
}

// continueFrom labels the nodes of the subgraph at a depth with the communities that
// they were in if nothing changed, else with those that are found starting from them. It
// returns the number of communities. If ok is false they have to be found without a start.
func (sp *splitter) continueFrom(c *subgraph, depth int, nodes []uint32) (count int, ok bool) {
	f := sp.follower
	if f == nil || depth >= len(f.levels) {
		return 0, false
	}
	from, several := f.starts(depth, nodes)
	if f.isUnchanged(depth, nodes) && c.areConnected(from.labels) {
		c.labels = append(c.labels[:0], from.labels...)
		return int(slices.Max(from.labels)) + 1, true
	}
	if !several {
		return 0, false
	}
	c.labels = resize(c.labels, len(nodes))
	count = sp.solver.partition(&c.csr, c.labels, sp.solver.options.Resolution, f.plan, from)
	return count, count > 1
}

// areConnected reports whether the nodes of each label are connected.
func (c *subgraph) areConnected(labels []uint32) bool {
	reached := make([]bool, len(labels))
	started := make([]bool, slices.Max(labels)+1)
	var stack []uint32
	for start, label := range labels {
		switch {
		case reached[start]:
			continue
		case started[label]:
			return false
		}
		started[label], reached[start] = true, true
		for stack = append(stack, uint32(start)); len(stack) > 0; { //nolint:gosec // a node
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, u := range c.adj[c.begin[v]:c.end[v]] {
				if !reached[u] && labels[u] == label {
					reached[u] = true
					stack = append(stack, u)
				}
			}
		}
	}
	return true
}

// markMovedChildren marks the nodes of the subgraph whose community in the level below its
// depth is not the one they were in. nodes are the nodes of the communities, in the order of
// c.members.
func (sp *splitter) markMovedChildren(c *subgraph, depth int, nodes []uint32, count int) {
	if sp.follower == nil {
		return
	}
	for i := range count {
		lo, hi := c.first[i], c.first[i+1]
		sp.follower.markMoved(depth+1, nodes[lo:hi], func(at int) {
			v := c.members[int(lo)+at]
			for _, u := range c.adj[c.begin[v]:c.end[v]] {
				sp.follower.changed[c.nodes[u]] = true
			}
		})
	}
}
