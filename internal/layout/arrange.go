package layout

import (
	"cmp"
	"math"
	"slices"
)

const golden = 2.399963229728653 // the angle that spreads points evenly, in radians

// merge adds up links between the same two items.
func merge(links []link) []link {
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

// roomy is the radius of a community of the deepest level by the square root of
// the squared radii of its nodes, at least; each level above has a fifth more, so
// that a community without children shows beside one whose children have theirs.
const roomy = 1.7

func (t *tree) room(group int) float64 {
	own := t.item(group)
	return roomy * math.Pow(1.2, float64(min(t.levels-t.depth[own], 5))) * math.Sqrt(t.content[own])
}

// arrange places the items of a group around 0, 0 and sets the group's radius.
// Items that nothing in the group is linked with stand in rings around the others.
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
	if room := t.room(group); room > t.radius[own] && group > 0 {
		t.radius[own] = room
		widen(circles, room*0.94)
	}
	return circles
}

// spread finds places for linked circles: evenly at first, then by forces, then
// drawn together or apart until they fill about half of their ground, then
// pushed until none covers another.
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
	turn := float64(mix(seed)>>11) / (1 << 53) * 2 * math.Pi
	for i, o := range order {
		sin, cos := math.Sincos(turn + golden*float64(i))
		far := 2 * unit * math.Sqrt(float64(i)+0.5)
		circles[o].X, circles[o].Y = far*cos, far*sin
	}
	forces(circles, links, degree, unit)
	fill(circles, math.Sqrt(area/0.42))
	separate(circles, unit*0.2, 80)
	tighten(circles, unit*0.2)
}

// many is from how many circles on they are not drawn together any further.
const many = 600

// tighten draws circles together as long as that makes what holds them smaller.
func tighten(circles []Circle, gap float64) {
	if len(circles) > many {
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

// mix is splitmix64: neighbouring seeds give unlike numbers.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// fill scales places so that nine of ten lie within the reach.
func fill(circles []Circle, reach float64) {
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

// centre moves the circles that are named so that the smallest circle that
// holds them is about 0, 0, and gives its radius.
func centre(circles []Circle, which []int32) float64 {
	if len(which) == 0 {
		return 0
	}
	x, y := circles[which[0]].X, circles[which[0]].Y
	// Each step goes towards what is farthest (Bădoiu and Clarkson).
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

// reachOf is the distance from 0, 0 that holds all circles.
func reachOf(circles []Circle) float64 {
	reach := 0.0
	for _, c := range circles {
		reach = max(reach, math.Hypot(c.X, c.Y)+c.R)
	}
	return reach
}

// widen moves circles apart until they fill a radius, at most to three times
// their distances.
func widen(circles []Circle, radius float64) {
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

// rings places circles, largest first, around what reaches so far, and gives
// how far they reach.
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
