package layout

import "math"

// absolute returns the places of all items in the plane, given their places relative
// to their groups, from the root downwards. Each group is rotated so that items with
// links to the outside face what they are linked to.
func (t *tree) absolute(relative [][]Circle) []Circle {
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
	for group, circles := range relative {
		for i, item := range t.items[group] {
			local[item] = circles[i]
		}
	}
	for d := int32(0); d <= deepest; d++ {
		sines, cosines := t.rotations(d, local, places)
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

// rotations returns, for each group at a depth, the sine and cosine of the angle by
// which links to the outside rotate it, both times the same length.
func (t *tree) rotations(depth int32, local, places []Circle) (sines, cosines []float64) {
	sines, cosines = make([]float64, t.groups()), make([]float64, t.groups())
	if depth == 0 {
		return sines, cosines
	}
	for _, e := range t.edges {
		for _, ends := range [2][2]int32{{e.A, e.B}, {e.B, e.A}} {
			if t.depth[ends[0]] <= depth {
				continue
			}
			item := t.ancestor(ends[0], depth+1)
			group := t.parent[item]
			own, other := t.item(int(group)), t.ancestor(ends[1], depth)
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

// ancestor returns the item at a depth that contains an item, or the item itself if
// it is not deeper.
func (t *tree) ancestor(item, depth int32) int32 {
	for t.depth[item] > depth {
		item = t.item(int(t.parent[item]))
	}
	return item
}

// moveDuplicates moves each node that has the place of an earlier one a little.
func moveDuplicates(nodes []Circle) {
	type place struct{ x, y float64 }
	taken := make(map[place]bool, len(nodes))
	for i := range nodes {
		n := &nodes[i]
		for k := 1; taken[place{n.X, n.Y}]; k++ {
			sin, cos := math.Sincos(goldenAngle * float64(k))
			n.X, n.Y = n.X+n.R*0.1*cos, n.Y+n.R*0.1*sin
		}
		taken[place{n.X, n.Y}] = true
	}
}
