package layout

import (
	"cmp"
	"math"
	"slices"
)

const goldenAngle = 2.399963229728653 // in radians; spreads points evenly

// mergeLinks adds up the weights of links between the same two items.
func mergeLinks(links []link) []link {
	for i, l := range links {
		if l.b < l.a {
			links[i].a, links[i].b = l.b, l.a
		}
	}
	slices.SortStableFunc(links, func(x, y link) int {
		return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	kept := links[:0]
	for _, l := range links {
		if n := len(kept); n > 0 && kept[n-1].a == l.a && kept[n-1].b == l.b {
			kept[n-1].weight += l.weight
		} else {
			kept = append(kept, l)
		}
	}
	return kept
}

// minSpacing is the least radius of a community of the deepest level, in units of the
// square root of the squared radii of its nodes. Each level above it adds a fifth, so
// that a community without children is as visible as one whose children have added
// theirs.
const minSpacing = 1.7

func (t *tree) minRadius(group int) float64 {
	own := t.item(group)
	return minSpacing * math.Pow(1.2, float64(min(t.levels-t.depth[own], 5))) * math.Sqrt(t.content[own])
}

// arrange places the items of a group around 0, 0 and sets the radius of the group.
// Items without links inside the group form rings around the others.
func (t *tree) arrange(group int) []Circle {
	items, links := t.items[group], t.links[group]
	circles := make([]Circle, len(items))
	linked := make([]bool, len(items))
	for _, l := range links {
		linked[l.a], linked[l.b] = true, true
	}
	var core, rest []int32
	at := make([]int32, len(items))
	for i, item := range items {
		circles[i].R = t.radius[item]
		if int(item) >= t.nodes {
			circles[i].R *= 1.04
		}
		if linked[i] {
			at[i] = int32(len(core))
			core = append(core, int32(i))
		} else {
			rest = append(rest, int32(i))
		}
	}
	inside := make([]Circle, len(core))
	for i, c := range core {
		inside[i] = circles[c]
	}
	moved := make([]link, len(links))
	for i, l := range links {
		moved[i] = link{at[l.a], at[l.b], l.weight}
	}
	spread(inside, moved, t.seed+uint64(group))
	for i, c := range core {
		circles[c] = inside[i]
	}
	reach := centre(circles, core)
	reach = rings(circles, rest, reach)
	own := t.item(group)
	for _, item := range items {
		t.content[own] += t.content[item]
	}
	t.radius[own] = max(reach*1.04, 1)
	if radius := t.minRadius(group); radius > t.radius[own] && group > 0 {
		t.radius[own] = radius
		expand(circles, radius*0.94)
	}
	return circles
}

// spread places linked circles: evenly at first, then by forces, then scaled until
// they cover about half of their area, then pushed apart until none overlaps another.
func spread(circles []Circle, links []link, seed uint64) {
	n := len(circles)
	if n < 2 {
		return
	}
	degree := make([]float64, n)
	for _, l := range links {
		degree[l.a] += l.weight
		degree[l.b] += l.weight
	}
	order := make([]int, n)
	area := 0.0
	for i := range order {
		order[i] = i
		area += circles[i].R * circles[i].R
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(degree[b], degree[a]) })
	unit := math.Sqrt(area / float64(n))
	turn := float64(splitmix64(seed)>>11) / (1 << 53) * 2 * math.Pi
	for i, o := range order {
		sin, cos := math.Sincos(turn + goldenAngle*float64(i))
		far := 2 * unit * math.Sqrt(float64(i)+0.5)
		circles[o].X, circles[o].Y = far*cos, far*sin
	}
	forces(circles, links, degree, unit)
	scaleToRadius(circles, math.Sqrt(area/0.42))
	separate(circles, unit*0.2, 80)
	tighten(circles, unit*0.2)
}

// maxTightened is the most circles that tighten works on.
const maxTightened = 600

// tighten draws circles together while that makes the circle around them smaller.
func tighten(circles []Circle, gap float64) {
	if len(circles) > maxTightened {
		return
	}
	which := make([]int32, len(circles))
	for i := range which {
		which[i] = int32(i)
	}
	reach := centre(circles, which)
	best := slices.Clone(circles)
	for range 24 {
		for i := range circles {
			circles[i].X *= 0.94
			circles[i].Y *= 0.94
		}
		separate(circles, gap, 40)
		if r := reachOf(circles); r < reach {
			reach = r
			copy(best, circles)
		}
	}
	copy(circles, best)
	separate(circles, gap, 40)
}

// splitmix64 mixes the bits of x: neighbouring seeds give unrelated numbers.
func splitmix64(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// scaleToRadius scales places so that nine out of ten lie within reach of 0, 0.
func scaleToRadius(circles []Circle, reach float64) {
	far := make([]float64, len(circles))
	for i, c := range circles {
		far[i] = math.Hypot(c.X, c.Y)
	}
	slices.Sort(far)
	most := far[len(far)*9/10]
	if most == 0 {
		return
	}
	for i := range circles {
		circles[i].X *= reach / most
		circles[i].Y *= reach / most
	}
}

// centre moves the given circles so that the smallest circle around them has its
// centre at about 0, 0, and returns its radius.
func centre(circles []Circle, which []int32) float64 {
	if len(which) == 0 {
		return 0
	}
	x, y := circles[which[0]].X, circles[which[0]].Y
	// Each step moves towards the farthest circle (Bădoiu and Clarkson).
	for step := range 100 {
		var farthest Circle
		most := -1.0
		for _, i := range which {
			c := circles[i]
			if d := math.Hypot(c.X-x, c.Y-y) + c.R; d > most {
				most, farthest = d, c
			}
		}
		d := math.Hypot(farthest.X-x, farthest.Y-y)
		if d == 0 {
			break
		}
		by := most / d / float64(step+2)
		x, y = x+(farthest.X-x)*min(by, 1), y+(farthest.Y-y)*min(by, 1)
	}
	reach := 0.0
	for _, i := range which {
		c := &circles[i]
		c.X, c.Y = c.X-x, c.Y-y
		reach = max(reach, math.Hypot(c.X, c.Y)+c.R)
	}
	return reach
}

// reachOf returns the radius of the circle around 0, 0 that contains all circles.
func reachOf(circles []Circle) float64 {
	reach := 0.0
	for _, c := range circles {
		reach = max(reach, math.Hypot(c.X, c.Y)+c.R)
	}
	return reach
}

// expand scales places until the circles fill a radius, by at most three.
func expand(circles []Circle, radius float64) {
	by := 3.0
	for _, c := range circles {
		if d := math.Hypot(c.X, c.Y); d > 0 {
			by = min(by, (radius-c.R)/d)
		}
	}
	if by <= 1 {
		return
	}
	for i := range circles {
		circles[i].X *= by
		circles[i].Y *= by
	}
}

// rings places circles in rings, the largest first, around a circle of radius reach,
// and returns the radius of the whole.
func rings(circles []Circle, which []int32, reach float64) float64 {
	if len(which) == 0 {
		return reach
	}
	slices.SortStableFunc(which, func(a, b int32) int { return cmp.Compare(circles[b].R, circles[a].R) })
	if reach == 0 {
		circles[which[0]].X, circles[which[0]].Y = 0, 0
		reach = circles[which[0]].R
		which = which[1:]
	}
	for len(which) > 0 {
		widest := circles[which[0]].R
		radius := reach + 1.3*widest
		count := min(len(which), max(1, int(math.Pi/math.Asin(min(1, 1.3*widest/radius)))))
		for i, w := range which[:count] {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(count))
			circles[w].X, circles[w].Y = radius*cos, radius*sin
		}
		reach, which = radius+1.3*widest, which[count:]
	}
	return reach
}
