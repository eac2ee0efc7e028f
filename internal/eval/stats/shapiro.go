package stats

import (
	"math"
	"slices"
)

// A Shapiro is the result of a Shapiro-Wilk test of normality.
type Shapiro struct {
	W float64 `json:"w"`
	P float64 `json:"p"` // a small one means that the values are not normally distributed
}

// The sizes of samples that ShapiroWilk takes.
const (
	minShapiro = 3
	maxShapiro = 5000
)

// ShapiroWilk tests whether values come from a normal distribution, by Royston's approximation
// (algorithm AS R94). ok is false for fewer than 3 or more than 5,000 values, and if all are equal.
func ShapiroWilk(values []float64) (result Shapiro, ok bool) {
	n := len(values)
	if n < minShapiro || n > maxShapiro {
		return Shapiro{}, false
	}
	x := slices.Sorted(slices.Values(values))
	least, width := x[0], x[n-1]-x[0]
	if !(width > 0) || math.IsInf(width, 0) {
		return Shapiro{}, false
	}
	a := shapiroWeights(n)
	mean := 0.
	for i := range x {
		x[i] = (x[i] - least) / width
		mean += x[i] / float64(n)
	}
	var squares, product float64
	for i, v := range x {
		squares += (v - mean) * (v - mean)
		product += a[i] * (v - mean)
	}
	root := math.Sqrt(squares)
	rest := (root - product) * (root + product) / squares
	return Shapiro{W: 1 - rest, P: shapiroP(n, rest)}, true
}

// shapiroWeights returns the weights of the sorted values, whose squares sum up to 1.
func shapiroWeights(n int) []float64 {
	a := make([]float64, n)
	set := func(i int, weight float64) { a[i], a[n-1-i] = -weight, weight }
	if n == minShapiro {
		set(0, math.Sqrt(.5))
		return normalized(a)
	}
	half := n / 2
	m := make([]float64, half)
	sum := 0.
	for i := range m {
		m[i] = NormalQuantile((float64(i+1) - .375) / (float64(n) + .25))
		sum += 2 * m[i] * m[i]
	}
	root := 1 / math.Sqrt(float64(n))
	first := polynomial(root, 0, .221157, -.147981, -2.07119, 4.434685, -2.706056) - m[0]/math.Sqrt(sum)
	set(0, first)
	from, numerator, denominator := 1, sum-2*m[0]*m[0], 1-2*first*first
	if n > 5 {
		second := polynomial(root, 0, .042981, -.293762, -1.752461, 5.682633, -3.582633) - m[1]/math.Sqrt(sum)
		set(1, second)
		from, numerator, denominator = 2, numerator-2*m[1]*m[1], denominator-2*second*second
	}
	for i := from; i < half; i++ {
		set(i, -m[i]/math.Sqrt(numerator/denominator))
	}
	return normalized(a)
}

// normalized scales weights so that their squares sum up to 1.
func normalized(a []float64) []float64 {
	sum := 0.
	for _, w := range a {
		sum += w * w
	}
	for i := range a {
		a[i] /= math.Sqrt(sum)
	}
	return a
}

// shapiroP returns the probability of a 1 - W at least as large as rest.
func shapiroP(n int, rest float64) float64 {
	size := float64(n)
	if n == minShapiro {
		return min(1, max(0, 6/math.Pi*(math.Asin(math.Sqrt(1-rest))-math.Asin(math.Sqrt(.75)))))
	}
	y, log := math.Log(rest), math.Log(size)
	mean := polynomial(log, -1.5861, -.31082, -.083751, .0038915)
	deviation := math.Exp(polynomial(log, -.4803, -.082676, .0030302))
	if n <= 11 {
		bound := polynomial(size, -2.273, .459)
		if y >= bound {
			return 0
		}
		y = -math.Log(bound - y)
		mean = polynomial(size, .544, -.39978, .025054, -6.714e-4)
		deviation = math.Exp(polynomial(size, 1.3822, -.77857, .062767, -.0020322))
	}
	return NormalCDF((mean - y) / deviation)
}

// polynomial returns the value at x of the polynomial with these coefficients, of x^0 first.
func polynomial(x float64, coefficients ...float64) float64 {
	sum := 0.
	for _, c := range slices.Backward(coefficients) {
		sum = sum*x + c
	}
	return sum
}
