package textproc

import (
	"cmp"
	"math"
	"slices"

	"github.com/neorag/neorag/internal/text/language"
)

// Dimension is the number of dimensions of the vectors that Vector returns.
const Dimension = 384

// Weights of features, relative to a term. Pairs of terms distinguish phrases. Byte
// n-grams make different spellings and forms of a word similar.
const (
	pairWeight           = .4
	ngramWeight          = .5 // of all n-grams of a word
	ngramBytes           = 4
	dimensionsPerFeature = 4 // that one feature is added to
)

// Vector returns a hashed vector of length one: the terms of the text, pairs of
// neighbours and byte n-grams of terms are each added to a few dimensions with a sign.
// Repetitions count logarithmically. It returns nil only for an empty text.
func Vector(text string) []float32 {
	if text == "" {
		return nil
	}
	var f features
	f.addText(text)
	sum := f.project()
	norm := 0.
	for _, x := range sum {
		norm += float64(x * x)
	}
	if norm < 1e-12 { // no features, or they cancel each other
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

type feature struct {
	hash   uint64
	weight float64
}

type features struct{ list []feature }

// addText adds the features of a text. For a text without terms these are its n-grams.
func (f *features) addText(text string) {
	last := ""
	scanTerms(language.Of(text), text, func(term string, _, _ int) {
		weight := termWeight(term)
		h := hashBytes(term)
		f.add(h, weight)
		if last != "" && last != term {
			f.add(mixBits(hashBytes(min(last, term))*3+hashBytes(max(last, term))), pairWeight*min(weight, termWeight(last)))
		}
		f.addNgrams(term, weight*ngramWeight)
		last = term
	})
	if len(f.list) == 0 {
		f.addNgrams(text, 1)
	}
}

func (f *features) add(hash uint64, weight float64) {
	f.list = append(f.list, feature{hash, weight})
}

// addNgrams adds the byte n-grams of a word with marks for its start and end.
func (f *features) addNgrams(word string, weight float64) {
	marked := "^" + word + "$"
	n := len(marked) - ngramBytes + 1
	if n < 2 {
		return
	}
	each := weight / math.Sqrt(float64(n))
	for i := range n {
		f.add(hashBytes(marked[i:i+ngramBytes])^ngramSalt, each)
	}
}

const ngramSalt = 0x9e3779b97f4a7c15

// project adds up the features in the order of their hashes, so that rounding does not
// depend on the order of the text. Equal features are added once, by the logarithm of
// their number.
func (f *features) project() (out [Dimension]float64) {
	slices.SortFunc(f.list, func(a, b feature) int { return cmp.Compare(a.hash, b.hash) })
	for i := 0; i < len(f.list); {
		j, weight := i, 0.
		for ; j < len(f.list) && f.list[j].hash == f.list[i].hash; j++ {
			weight = max(weight, f.list[j].weight)
		}
		weight = float64(weight * (1 + math.Log(float64(j-i))))
		h := f.list[i].hash
		for range dimensionsPerFeature {
			h = mixBits(h + ngramSalt)
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

// termWeight estimates the rarity of a term, which is unknown for a single text, by
// its length.
func termWeight(term string) float64 {
	return min(1.4, .5+float64(.1*float64(len(term))))
}
