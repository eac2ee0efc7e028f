package layout

import (
	"cmp"
	"math"
	"slices"
)

// steps returns the number of steps that forces takes for n circles.
func steps(n int) int {
	switch {
	case n <= 60:
		return 220
	case n <= 1500:
		return 140
	}
	return 90
}

// forces moves circles as Fruchterman and Reingold do: all repel each other, linked
// ones attract each other, the centre attracts a little, and the steps get shorter.
// A link attracts less at an end with many links, so that hubs do not pull everything
// into one place.
func forces(circles []Circle, links []link, degree []float64, unit float64) {
	n := len(circles)
	distance := 3 * unit
	dx, dy := make([]float64, n), make([]float64, n)
	mean := 0.0
	for _, l := range links {
		mean += l.weight / float64(len(links))
	}
	pull := make([]float64, len(links))
	for i, l := range links {
		pull[i] = math.Log1p(l.weight/mean) / math.Sqrt(math.Sqrt(1+min(degree[l.a], degree[l.b])/mean))
	}
	var q quadtree
	total := steps(n)
	for step := range total {
		clear(dx)
		clear(dy)
		q.repel(circles, dx, dy, distance*distance, unit)
		for i, l := range links {
			x, y := circles[l.b].X-circles[l.a].X, circles[l.b].Y-circles[l.a].Y
			f := pull[i] * math.Sqrt(x*x+y*y) / distance
			dx[l.a], dy[l.a] = dx[l.a]+f*x, dy[l.a]+f*y
			dx[l.b], dy[l.b] = dx[l.b]-f*x, dy[l.b]-f*y
		}
		heat := 1 - float64(step)/float64(total)
		limit := distance * math.Sqrt(float64(n)) * 0.12 * heat * heat
		for i := range circles {
			c := &circles[i]
			x, y := dx[i]-0.02*c.X, dy[i]-0.02*c.Y
			if d := math.Sqrt(x*x + y*y); d > limit {
				x, y = x*limit/d, y*limit/d
			}
			c.X, c.Y = c.X+x, c.Y+y
		}
	}
}

// separate pushes apart circles that are closer than gap, small ones more than large
// ones, until none are or the tries are used up.
func separate(circles []Circle, gap float64, tries int) {
	n := len(circles)
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(circles[a].X-circles[a].R, circles[b].X-circles[b].R), cmp.Compare(a, b))
	})
	for range tries {
		sortByLeft(order, circles)
		touched := false
		for i, a := range order {
			ca := &circles[a]
			for _, b := range order[i+1:] {
				cb := &circles[b]
				if cb.X-cb.R-gap > ca.X+ca.R {
					break
				}
				touched = pushApart(ca, cb, gap) || touched
			}
		}
		if !touched {
			return
		}
	}
}

// pushApart moves two circles apart by their overlap, and reports whether there was one.
func pushApart(a, b *Circle, gap float64) bool {
	need := a.R + b.R + gap
	x, y := b.X-a.X, b.Y-a.Y
	d2 := x*x + y*y
	if d2 >= need*need*0.9999 {
		return false
	}
	d := math.Sqrt(d2)
	if d < 1e-9 {
		x, y, d = 1e-9, 0, 1e-9
	}
	sa, sb := a.R*a.R, b.R*b.R
	by := (need - d) / d
	fa, fb := by*sb/(sa+sb), by*sa/(sa+sb)
	a.X, a.Y = a.X-x*fa, a.Y-y*fa
	b.X, b.Y = b.X+x*fb, b.Y+y*fb
	return true
}

// sortByLeft sorts circles by their left edge. The order changes little between calls,
// so insertion sort is fastest.
func sortByLeft(order []int32, circles []Circle) {
	for i := 1; i < len(order); i++ {
		o := order[i]
		left := circles[o].X - circles[o].R
		j := i - 1
		for ; j >= 0 && circles[order[j]].X-circles[order[j]].R > left; j-- {
			order[j+1] = order[j]
		}
		order[j+1] = o
	}
}
