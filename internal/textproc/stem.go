package textproc

import (
	"sync/atomic"

	"github.com/kljensen/snowball/english"
)

// The cache of stems is a table of fixed size. A word has one slot, and a new word
// replaces the old one, so that the cache stays small and needs no lock.
const stemSlots = 1 << 15

type cachedStem struct{ word, term string }

var stemCache [stemSlots]atomic.Pointer[cachedStem]

// stemWord returns the term of a folded word in lower case, "" for a stop word.
func stemWord(word []byte) string {
	slot := &stemCache[hashBytes(word)%stemSlots]
	if known := slot.Load(); known != nil && known.word == string(word) {
		return known.term
	}
	entry := &cachedStem{word: string(word)}
	if !stopWords()[entry.word] {
		entry.term = english.Stem(entry.word, true)
		if entry.term == "" {
			entry.term = entry.word
		}
	}
	slot.Store(entry)
	return entry.term
}

// hashBytes returns the FNV-1a hash, mixed so that its low bits are as good as the high
// ones.
func hashBytes[T string | []byte](b T) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(b) {
		h = (h ^ uint64(b[i])) * 1099511628211
	}
	return mixBits(h)
}

// mixBits is the finalizer of splitmix64.
func mixBits(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
