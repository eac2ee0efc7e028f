package layout

import "math"

// exactLimit is the most circles for which all pairs are computed.
const exactLimit = 48

// theta is the opening angle: a square whose side is smaller than theta times its
// distance acts as one body.
const theta = 0.9

// maxDepth bounds the tree where circles are at almost the same place.
const maxDepth = 24

// A quadtree sums the repulsion of many circles, as Barnes and Hut do.
type quadtree struct {
	squares []square
}

type square struct {
	x, y, mass float64 // centre of mass; while circles are added, sums weighted by mass
	child      [4]int32
	body       int32 // the only circle in it; -1 for none or several
	leaf       bool
}

// repel adds to dx and dy the repulsion of each circle by the others: strength over
// the distance, times the radius of the other in units.
func (q *quadtree) repel(circles []Circle, dx, dy []float64, strength, unit float64) {
	soft := unit * unit * 0.01
	if len(circles) <= exactLimit {
		for i := range circles {
			for j := range i {
				x, y := circles[i].X-circles[j].X, circles[i].Y-circles[j].Y
				f := strength / (x*x + y*y + soft) / unit
				dx[i], dy[i] = dx[i]+x*f*circles[j].R, dy[i]+y*f*circles[j].R
				dx[j], dy[j] = dx[j]-x*f*circles[i].R, dy[j]-y*f*circles[i].R
			}
		}
		return
	}
	side := q.build(circles)
	stack := make([]visit, 0, 128)
	for i, c := range circles {
		stack = append(stack[:0], visit{0, side})
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			s := &q.squares[v.square]
			if s.mass == 0 || s.body == int32(i) {
				continue
			}
			x, y := c.X-s.x, c.Y-s.y
			d2 := x*x + y*y
			if s.leaf || v.side*v.side < theta*theta*d2 {
				f := strength / (d2 + soft) * s.mass / unit
				dx[i], dy[i] = dx[i]+x*f, dy[i]+y*f
				continue
			}
			for _, child := range s.child {
				if child != 0 {
					stack = append(stack, visit{child, v.side / 2})
				}
			}
		}
	}
}

type visit struct {
	square int32
	side   float64
}

// build builds the tree and returns the side of its square.
func (q *quadtree) build(circles []Circle) float64 {
	left, low := math.Inf(1), math.Inf(1)
	right, high := math.Inf(-1), math.Inf(-1)
	for _, c := range circles {
		left, right = min(left, c.X), max(right, c.X)
		low, high = min(low, c.Y), max(high, c.Y)
	}
	side := max(right-left, high-low, 1e-9) * 1.0001
	q.squares = append(q.squares[:0], square{body: -1, leaf: true})
	for i := range circles {
		q.add(circles, int32(i), left, low, side)
	}
	for i := range q.squares {
		if s := &q.squares[i]; s.mass > 0 {
			s.x, s.y = s.x/s.mass, s.y/s.mass
		}
	}
	return side
}

func (q *quadtree) add(circles []Circle, i int32, left, low, side float64) {
	at := int32(0)
	for depth := 0; ; depth++ {
		s := &q.squares[at]
		c := circles[i]
		if s.leaf && s.mass > 0 && depth < maxDepth {
			// The only circle so far moves one square deeper.
			other := s.body
			s.leaf, s.body = false, -1
			below := q.quarter(at, circles[other], left, low, side)
			b := &q.squares[below]
			o := circles[other]
			b.x, b.y, b.mass, b.body = o.X*o.R, o.Y*o.R, o.R, other
			s = &q.squares[at]
		}
		empty := s.mass == 0
		s.x, s.y, s.mass = s.x+c.X*c.R, s.y+c.Y*c.R, s.mass+c.R
		if s.leaf {
			s.body = -1
			if empty {
				s.body = i
			}
			return
		}
		next := q.quarter(at, c, left, low, side)
		side /= 2
		if c.X >= left+side {
			left += side
		}
		if c.Y >= low+side {
			low += side
		}
		at = next
	}
}

// quarter returns the quarter of a square that a circle is in, and adds it if needed.
func (q *quadtree) quarter(at int32, c Circle, left, low, side float64) int32 {
	i := 0
	if c.X >= left+side/2 {
		i |= 1
	}
	if c.Y >= low+side/2 {
		i |= 2
	}
	if q.squares[at].child[i] == 0 {
		q.squares = append(q.squares, square{body: -1, leaf: true})
		q.squares[at].child[i] = int32(len(q.squares) - 1)
	}
	return q.squares[at].child[i]
}
