// Package qcg is the query-centric graph of QCG-RAG: nodes with vectors, each with edges to
// its nearest neighbours, and the retrieval that expands over them (section 3). Neighbours of
// other nodes with vectors, such as entities, are found in the same way. It knows
// neither texts nor a store. Equal nodes give equal results, on every machine and in any
// order of insertion.
package qcg

import (
	"math"
	"slices"
	"strings"
)

// scale is what similarities are rounded by, so that a stored one equals a computed one.
const scale = 1e6

// A Set holds nodes with vectors of one dimension.
type Set struct {
	keys      []string
	vectors   []float32 // of all nodes, one after the other
	tails     []float32 // of each vector, the lengths of what follows each block but the last
	dimension int
}

// block is how many numbers of two vectors are multiplied before it is checked whether the rest
// can still make the vectors near enough.
const block = 64

// slack is more than the rounding of a cosine.
const slack = 1e-4

// NewSet returns an empty set with room for n nodes.
func NewSet(dimension, n int) *Set {
	return &Set{dimension: dimension, keys: make([]string, 0, n), vectors: make([]float32, 0, n*dimension)}
}

// Add adds a node. Keys must ascend; the vector has length one, and is copied.
func (s *Set) Add(key string, vector []float32) {
	if len(vector) != s.dimension {
		panic("qcg: the vector of a node has another dimension than its set")
	}
	s.keys = append(s.keys, key)
	s.vectors = append(s.vectors, vector...)
	for from := block; from < len(vector); from += block {
		squares := 0.
		for _, x := range vector[from:] {
			squares += float64(float64(x) * float64(x))
		}
		s.tails = append(s.tails, float32(math.Sqrt(squares)))
	}
}

// above returns the cosine of two nodes, or something below least if it is.
func (s *Set) above(m, n int, least float32) float32 {
	tails := (s.dimension - 1) / block
	return dotAbove(s.vector(m), s.vector(n), s.tails[m*tails:(m+1)*tails], s.tails[n*tails:(n+1)*tails], least)
}

// Len returns the number of nodes.
func (s *Set) Len() int { return len(s.keys) }

// Key returns the key of node i.
func (s *Set) Key(i int) string { return s.keys[i] }

// Find returns the node of a key.
func (s *Set) Find(key string) (int, bool) {
	return slices.BinarySearchFunc(s.keys, key, strings.Compare)
}

func (s *Set) vector(i int) []float32 { return s.vectors[i*s.dimension : (i+1)*s.dimension] }

// Similarity returns the cosine of two nodes.
func (s *Set) Similarity(a, b int) float64 { return Cosine(s.vector(a), s.vector(b)) }

// Cosine returns the cosine of node i and a vector of length one.
func (s *Set) Cosine(i int, vector []float32) float64 { return Cosine(s.vector(i), vector) }

// Cosine returns the cosine of two vectors of length one, rounded to six decimals. The order
// of additions is fixed and every product is rounded, so that all machines agree.
func Cosine(a, b []float32) float64 { return round(dot(a, b)) }

func round(x float32) float64 { return math.Round(float64(x)*scale) / scale }

// dot returns the product of two vectors.
func dot(a, b []float32) float32 { return dotAbove(a, b, nil, nil, 0) }

// dotAbove returns the product of two vectors, or something below least if it is. It stops as
// soon as that is certain: what follows a block adds at most the product of the lengths of the
// tails, which p and q hold for each block but the last. It adds up in eight lanes, which a
// processor computes side by side.
func dotAbove(a, b, p, q []float32, least float32) float32 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float32
	b = b[:len(a)]
	i := 0
	for k := range len(p) + 1 {
		end := len(a)
		if k < len(p) {
			end = i + block
		}
		for ; i+8 <= end; i += 8 {
			x, y := a[i:i+8:i+8], b[i:i+8:i+8]
			s0 += float32(x[0] * y[0])
			s1 += float32(x[1] * y[1])
			s2 += float32(x[2] * y[2])
			s3 += float32(x[3] * y[3])
			s4 += float32(x[4] * y[4])
			s5 += float32(x[5] * y[5])
			s6 += float32(x[6] * y[6])
			s7 += float32(x[7] * y[7])
		}
		if k < len(p) {
			if most := ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7)) + float32(p[k]*q[k]) + slack; most < least {
				return most
			}
		}
	}
	for ; i < len(a); i++ {
		s0 += float32(a[i] * b[i])
	}
	return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
}
