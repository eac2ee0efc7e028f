package leiden

// refine splits each community of a level into well connected parts, in ref,
// and counts the parts. Nodes start alone; in random order those that are still
// alone, and well connected to the rest of the community, join the well
// connected part with the highest gain. A part is connected because every node
// that joins it has an edge into it. Parts are numbered so that those of one
// community are consecutive.
func (s *solver) refine(l *level) int {
	n := l.g.nodes()
	r := refiner{
		level: l, scratch: &s.scratch, gamma: s.gamma, sure: sure,
		tot: l.tot, ext: make([]float64, n), order: l.refList,
	}
	if l.g == &l.store {
		r.sure = sureAggregate
	}
	copy(l.tot, l.g.strength)
	for i := range l.ref {
		l.ref[i] = uint32(i)
		l.size[i] = 1
	}
	for c := range l.count {
		if s.stop.Load() {
			return 0
		}
		r.community(l.members[l.first[c]:l.first[c+1]], &s.rng)
	}
	return l.number(s.scratch.keys)
}

// number renames the parts in ref, each known by one of its nodes, in the order
// of communities and members.
func (l *level) number(rename []uint32) int {
	rename = rename[:len(l.ref)]
	for i := range rename {
		rename[i] = none
	}
	count := uint32(0)
	for _, v := range l.members[:len(l.ref)] {
		p := l.ref[v]
		if rename[p] == none {
			rename[p] = count
			count++
		}
		l.ref[v] = rename[p]
	}
	return int(count)
}

// refiner is the state of the refinement of one level. A part is known by the
// node that began it.
type refiner struct {
	*level
	*scratch
	gamma float64
	sure  float64
	tot   []float64 // strength of a part
	ext   []float64 // weight from a part to the rest of its community
	order []uint32
}

func (r *refiner) community(members []uint32, rng *random) {
	if len(members) == 1 {
		return
	}
	g := r.g
	c := r.comm[members[0]]
	whole := 0.0
	for _, v := range members {
		whole += g.strength[v]
		sum := 0.0
		for i := g.begin[v]; i < g.end[v]; i++ {
			if r.comm[g.adj[i]] == c {
				sum += g.weight(i)
			}
		}
		r.ext[v] = sum
	}
	order := r.order[:len(members)]
	copy(order, members)
	rng.shuffle(order)
	for _, v := range order {
		if r.ref[v] != v || r.size[v] != 1 {
			continue
		}
		k := g.strength[v]
		if r.ext[v] < r.gamma*k*(whole-k) {
			continue
		}
		n := 0
		for i := g.begin[v]; i < g.end[v]; i++ {
			u := g.adj[i]
			if r.comm[u] != c {
				continue
			}
			p := r.ref[u]
			a := r.acc[p]
			r.keys[n] = p
			if a == 0 {
				n++
			}
			r.acc[p] = a + g.weight(i)
		}
		r.join(v, k, whole, r.keys[:n])
	}
}

// join puts v into the best of the parts it has edges to, if there is a good one.
func (r *refiner) join(v uint32, k, whole float64, parts []uint32) {
	best, to, weight := r.sure*k, v, 0.0
	for _, p := range parts {
		w, tot := r.acc[p], r.tot[p]
		r.acc[p] = 0
		gain := w - r.gamma*k*tot
		if gain > best && r.ext[p] >= r.gamma*tot*(whole-tot) {
			best, to, weight = gain, p, w
		}
	}
	if to == v {
		return
	}
	r.ref[v] = to
	r.tot[to] += k
	r.ext[to] += r.ext[v] - 2*weight
	r.size[to]++
	r.size[v] = 0
}

func (g *csr) weight(i uint64) float64 {
	if g.weights == nil {
		return 1
	}
	return float64(g.weights[i])
}

// components makes the connected parts of communities the parts of a level.
func (s *solver) components(l *level) int {
	for i := range l.ref {
		l.ref[i] = none
	}
	stack := s.scratch.keys[:0]
	for _, start := range l.members[:len(l.ref)] {
		if l.ref[start] != none {
			continue
		}
		c := l.comm[start]
		l.ref[start] = start
		stack = append(stack[:0], start)
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, u := range l.g.adj[l.g.begin[v]:l.g.end[v]] {
				if l.comm[u] == c && l.ref[u] == none {
					l.ref[u] = start
					stack = append(stack, u)
				}
			}
		}
	}
	return l.number(s.scratch.keys)
}
