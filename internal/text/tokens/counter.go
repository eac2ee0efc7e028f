package tokens

import (
	"hash/maphash"
	"iter"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

const (
	// cacheSlots bounds the memory of a counter: about 100 bytes a slot.
	cacheSlots = 1 << 16
	// cacheText is the length of the longest segment that is cached: longer ones hardly
	// recur.
	cacheText = 48
)

// A Counter counts tokens of one encoding.
type Counter struct {
	name  Encoding
	load  sync.Once
	bpe   *tiktoken.Tiktoken
	seed  maphash.Seed
	cache []atomic.Pointer[encoded]
}

// encoded is a segment with the byte lengths of its tokens.
type encoded struct {
	text    string
	lengths []uint8
}

// setLoader replaces tiktoken's loader, which downloads vocabularies, by the embedded one.
var setLoader = sync.OnceFunc(func() { tiktoken.SetBpeLoader(loader.NewOfflineLoader()) })

func (c *Counter) init() {
	setLoader()
	bpe, err := tiktoken.GetEncoding(string(c.name))
	if err != nil {
		panic("tokens: load the embedded vocabulary " + string(c.name) + ": " + err.Error())
	}
	c.bpe, c.seed, c.cache = bpe, maphash.MakeSeed(), make([]atomic.Pointer[encoded], cacheSlots)
}

// segments iterates over the starts of the segments of a text, with the byte lengths of the tokens
// of each, which must not be retained.
func (c *Counter) segments(text string) iter.Seq2[int, []uint8] {
	c.load.Do(c.init)
	return func(yield func(int, []uint8) bool) {
		for at := 0; at < len(text); {
			end, valid := segment(text, at)
			if !yield(at, c.encode(text[at:end], valid)) {
				return
			}
			at = end
		}
	}
}

// encode returns the token lengths of a segment. Words recur: the cache saves nine of ten
// regular expression matches in prose. A slot is overwritten by the next segment with the
// same hash, so that the cache needs no lock and no eviction.
func (c *Counter) encode(s string, valid bool) []uint8 {
	if !valid {
		return []uint8{1}
	}
	if len(s) > cacheText {
		return c.lengths(s)
	}
	slot := &c.cache[maphash.String(c.seed, s)%cacheSlots]
	if e := slot.Load(); e != nil && e.text == s {
		return e.lengths
	}
	s = strings.Clone(s) // so that the slot does not retain the whole document
	e := &encoded{text: s, lengths: c.lengths(s)}
	slot.Store(e)
	return e.lengths
}

// lengths returns the byte lengths of the tokens of s.
func (c *Counter) lengths(s string) []uint8 {
	ids := c.bpe.EncodeOrdinary(s)
	lengths := make([]uint8, len(ids))
	for i := range ids {
		lengths[i] = uint8(len(c.bpe.Decode(ids[i : i+1])))
	}
	return lengths
}
