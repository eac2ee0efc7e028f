package textproc

import (
	"sync/atomic"

	"github.com/kljensen/snowball/english"
)

// The cache of stems is a table of fixed size in which a word has one slot and
// the newest word wins: it stays small whatever is read, needs no lock, and
// changes only how quick the answer is.
const stemSlots = 1 << 15

type stemmed struct{ word, term string }

var stemCache [stemSlots]atomic.Pointer[stemmed]

// stemWord is the term of a folded, lower-case word, or "" for a stop word.
func stemWord(word []byte) string {
	slot := &stemCache[hashBytes(word)%stemSlots]
	if known := slot.Load(); known != nil && known.word == string(word) {
		return known.term
	}
	entry := &stemmed{word: string(word)}
	if !stopSet()[entry.word] {
		entry.term = english.Stem(entry.word, true)
		if entry.term == "" {
			entry.term = entry.word
		}
	}
	slot.Store(entry)
	return entry.term
}

// hashBytes is FNV-1a with a final mix, so that low bits are as good as high ones.
func hashBytes[T string | []byte](b T) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(b) {
		h = (h ^ uint64(b[i])) * 1099511628211
	}
	return mixBits(h)
}

// mixBits is the finaliser of splitmix64.
func mixBits(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
