package textproc

import (
	"math"
	"slices"
)

// Dimension is the length of every vector that Vector makes.
const Dimension = 384

// Weights of a text's features. A term counts in full; pairs of terms tell phrases
// apart; pieces of words bring spellings and forms together.
const (
	pairWeight   = .4
	pieceWeight  = .5 // all pieces of a word together
	pieceLetters = 4
	hashes       = 4 // dimensions a feature falls on
)

// Vector hashes a text into a vector of length one: its terms, pairs of
// neighbours and pieces of words, each on a few dimensions with a sign, repeated
// ones dampened. It depends on the text alone. Only the empty text has none.
func Vector(text string) []float32 {
	if text == "" {
		return nil
	}
	var f features
	f.read(text)
	sum := f.sum()
	norm := 0.
	for _, x := range sum {
		norm += x * x
	}
	if norm < 1e-12 { // no features, or they cancel out
		sum = [Dimension]float64{}
		sum[hashBytes(text)%Dimension] = 1
		norm = 1
	}
	norm = math.Sqrt(norm)
	out := make([]float32, Dimension)
	for i, x := range sum {
		out[i] = float32(x / norm)
	}
	return out
}

// Cosine is the cosine of the angle between two vectors, 0 where one has no
// length or they differ in dimension.
func Cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	var dot, aa, bb float64
	for i, x := range a {
		y := b[i]
		dot += float64(x) * float64(y)
		aa += float64(x) * float64(x)
		bb += float64(y) * float64(y)
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return max(-1, min(1, dot/math.Sqrt(aa*bb)))
}

type feature struct {
	hash   uint64
	weight float64
}

type features struct{ list []feature }

// read collects the features of a text; one without terms (marks or stop words
// only) gives its characters.
func (f *features) read(text string) {
	last := ""
	scanTerms(text, func(term string, _, _ int) {
		weight := termWeight(term)
		h := hashBytes(term)
		f.add(h, weight)
		if last != "" && last != term {
			f.add(mixBits(hashBytes(min(last, term))*3+hashBytes(max(last, term))), pairWeight*min(weight, termWeight(last)))
		}
		f.pieces(term, weight*pieceWeight)
		last = term
	})
	if len(f.list) == 0 {
		f.pieces(text, 1)
	}
}

func (f *features) add(hash uint64, weight float64) {
	f.list = append(f.list, feature{hash, weight})
}

// pieces adds the runs of a few bytes of a word, with marks at both ends.
func (f *features) pieces(word string, weight float64) {
	marked := "^" + word + "$"
	n := len(marked) - pieceLetters + 1
	if n < 2 {
		return
	}
	each := weight / math.Sqrt(float64(n))
	for i := range n {
		f.add(hashBytes(marked[i:i+pieceLetters])^pieceSalt, each)
	}
}

const pieceSalt = 0x9e3779b97f4a7c15

// sum adds the features up, equal ones once with a dampened count, in the order of
// their hashes, so that rounding is the same whatever the order of the text.
func (f *features) sum() (out [Dimension]float64) {
	slices.SortFunc(f.list, func(a, b feature) int {
		switch {
		case a.hash < b.hash:
			return -1
		case a.hash > b.hash:
			return 1
		}
		return 0
	})
	for i := 0; i < len(f.list); {
		j, weight := i, 0.
		for ; j < len(f.list) && f.list[j].hash == f.list[i].hash; j++ {
			weight = max(weight, f.list[j].weight)
		}
		weight *= 1 + math.Log(float64(j-i))
		h := f.list[i].hash
		for range hashes {
			h = mixBits(h + pieceSalt)
			if h>>63 == 0 {
				out[h%Dimension] += weight
			} else {
				out[h%Dimension] -= weight
			}
		}
		i = j
	}
	return out
}

// termWeight stands in for a term's rarity, which a single text does not show:
// longer stems and numbers are rarer, and tell more.
func termWeight(term string) float64 {
	return min(1.4, .5+.1*float64(len(term)))
}
