package textproc

import (
	"strings"
	"sync/atomic"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/neorag/neorag/internal/text/language"
)

// The cache of stems is a table of fixed size. A word has one slot, and a new word
// replaces the old one, so that the cache stays small and needs no lock.
const stemSlots = 1 << 15

type cachedStem struct {
	language   language.Language
	word, term string
}

var stemCache [stemSlots]atomic.Pointer[cachedStem]

// stemWord returns the term of a word in lower case, "" for a stop word.
func stemWord[T string | []byte](l language.Language, word T) string {
	slot := &stemCache[(hashBytes(word)+languageSalt(l))%stemSlots]
	if known := slot.Load(); known != nil && known.word == string(word) && known.language == l {
		return known.term
	}
	entry := &cachedStem{language: l, word: string(word)}
	entry.term = foldWord(l.Term(entry.word))
	slot.Store(entry)
	return entry.term
}

// languageSalt separates the words of different languages in the cache.
func languageSalt(l language.Language) uint64 {
	salt := uint64(0)
	for i := range len(l) {
		salt = salt*257 + uint64(l[i])
	}
	return salt
}

// foldWord removes accents and cuts a word to maxTerm bytes. A word that is ASCII is returned as it is.
func foldWord(word string) string {
	if isASCII(word) {
		return word
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(word) {
		if norm.NFKD.PropertiesString(string(r)).CCC() != 0 {
			continue
		}
		if r = unicode.ToLower(r); b.Len()+len(string(r)) > maxTerm {
			break
		}
		b.WriteRune(r)
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
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
