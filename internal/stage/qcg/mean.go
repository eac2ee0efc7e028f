package qcg

import "math"

// A Mean adds up vectors. The zero value is ready to use.
type Mean struct{ sum []float64 }

// Add adds a vector of the same dimension as the others.
func (m *Mean) Add(vector []float32) {
	if m.sum == nil {
		m.sum = make([]float64, len(vector))
	}
	for i, x := range vector {
		m.sum[i] += float64(x)
	}
}

// Unit returns the mean of the vectors, scaled to the length 1. It is nil without vectors, or if
// they cancel each other out.
func (m *Mean) Unit() []float32 {
	squares := 0.
	for _, x := range m.sum {
		squares += float64(x * x)
	}
	length := math.Sqrt(squares)
	if length < 1e-9 {
		return nil
	}
	out := make([]float32, len(m.sum))
	for i, x := range m.sum {
		out[i] = float32(x / length)
	}
	return out
}
