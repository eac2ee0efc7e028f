package layout

import "math"

// unfold turns places inside groups into places in the plane, from the whole
// downwards. Each group is turned so that what is linked with something outside
// looks at it.
func (t *tree) unfold(inner [][]Circle) []Circle {
	places := make([]Circle, len(t.parent))
	places[t.item(0)].R = t.radius[t.item(0)]
	deepest := int32(0)
	byDepth := map[int32][]int{}
	for group := range t.groups() {
		d := t.depth[t.item(group)]
		byDepth[d] = append(byDepth[d], group)
		deepest = max(deepest, d)
	}
	local := make([]Circle, len(t.parent))
	for group, circles := range inner {
		for i, item := range t.items[group] {
			local[item] = circles[i]
		}
	}
	for d := int32(0); d <= deepest; d++ {
		sines, cosines := t.turns(d, local, places)
		for _, group := range byDepth[d] {
			centre := places[t.item(group)]
			sin, cos := 0.0, 1.0
			if length := math.Hypot(sines[group], cosines[group]); length > 0 {
				sin, cos = sines[group]/length, cosines[group]/length
			}
			for _, item := range t.items[group] {
				c := local[item]
				places[item] = Circle{centre.X + c.X*cos - c.Y*sin, centre.Y + c.X*sin + c.Y*cos, t.radius[item]}
			}
		}
	}
	return places
}

// turns gives, for each group at a depth, the sine and cosine, times a length,
// of the angle by which the pulls from outside turn it.
func (t *tree) turns(depth int32, local, places []Circle) (sines, cosines []float64) {
	sines, cosines = make([]float64, t.groups()), make([]float64, t.groups())
	if depth == 0 {
		return sines, cosines
	}
	for _, e := range t.edges {
		for _, ends := range [2][2]int32{{e.A, e.B}, {e.B, e.A}} {
			if t.depth[ends[0]] <= depth {
				continue
			}
			item := t.above(ends[0], depth+1)
			group := t.parent[item]
			own, other := t.item(int(group)), t.above(ends[1], depth)
			if own == other {
				continue
			}
			x, y := places[other].X-places[own].X, places[other].Y-places[own].Y
			d := math.Hypot(x, y)
			if d == 0 {
				continue
			}
			w := math.Log1p(e.Weight) / d
			p := local[item]
			cosines[group] += w * (p.X*x + p.Y*y)
			sines[group] += w * (p.X*y - p.Y*x)
		}
	}
	return sines, cosines
}

// above is the item at that depth, or the deepest above it, that holds an item.
func (t *tree) above(item, depth int32) int32 {
	for t.depth[item] > depth {
		item = t.item(int(t.parent[item]))
	}
	return item
}

// part moves nodes that have the place of another one by a little.
func part(nodes []Circle) {
	type place struct{ x, y float64 }
	taken := make(map[place]bool, len(nodes))
	for i := range nodes {
		n := &nodes[i]
		for k := 1; taken[place{n.X, n.Y}]; k++ {
			sin, cos := math.Sincos(golden * float64(k))
			n.X, n.Y = n.X+n.R*0.1*cos, n.Y+n.R*0.1*sin
		}
		taken[place{n.X, n.Y}] = true
	}
}
