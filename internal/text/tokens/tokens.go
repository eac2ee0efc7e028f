// Package tokens counts and truncates texts in tokens of OpenAI's vocabularies. It is the
// only importer of tiktoken-go. The vocabularies are embedded in the program, so that
// nothing is ever downloaded; they are loaded when a Counter is first used, not when the
// process starts.
//
// Special tokens are not recognised: "<|endoftext|>" in a document is ordinary text. Byte
// pair encoding is quadratic in the length of one piece, which for a run of equal letters
// is the whole run. Therefore runs of more than 256 characters of one class are encoded
// in pieces, so that no document can block the program. Ordinary text has no such runs,
// and its tokens are exactly the tokens of tiktoken.
package tokens

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// An Encoding names a vocabulary.
type Encoding string

// The known encodings. O200k is the default.
const (
	O200k  Encoding = "o200k_base"
	Cl100k Encoding = "cl100k_base"
)

// Names returns the known encodings, the default first.
func Names() []string { return []string{string(O200k), string(Cl100k)} }

var counters = map[string]*Counter{
	string(O200k):  {name: O200k},
	string(Cl100k): {name: Cl100k},
}

// Get returns the counter of an encoding; "" means o200k_base. There is one counter for
// each encoding in a process. It is safe for concurrent use. Get does not load the
// vocabulary.
func Get(name string) (*Counter, error) {
	c, ok := counters[cmp.Or(name, string(O200k))]
	if !ok {
		return nil, fmt.Errorf("unknown encoding %q: use one of %s", name, strings.Join(Names(), ", "))
	}
	return c, nil
}

// Name returns the name of the encoding.
func (c *Counter) Name() string { return string(c.name) }

// Count returns the number of tokens of text.
func (c *Counter) Count(text string) int {
	n := 0
	for _, lengths := range c.segments(text) {
		n += len(lengths)
	}
	return n
}

// ID returns the id of the token that text is, and whether text is a single token.
func (c *Counter) ID(text string) (int, bool) {
	c.load.Do(c.init)
	ids := c.bpe.EncodeOrdinary(text)
	if len(ids) != 1 {
		return 0, false
	}
	return ids[0], true
}

// Offsets returns the byte offset of each token of text, ascending from 0. A token may
// start inside a UTF-8 sequence. Each byte that is not valid UTF-8 is one token.
func (c *Counter) Offsets(text string) []int {
	if text == "" {
		return nil
	}
	// English has four to five bytes a token; growing once more is cheap.
	offsets := make([]int, 0, len(text)/4+1)
	for at, lengths := range c.segments(text) {
		for _, n := range lengths {
			offsets = append(offsets, at)
			at += int(n)
		}
	}
	return slices.Clip(offsets)
}

// Cut returns the longest prefix of text that has at most limit tokens and ends between
// two runes. It reads no more of text than necessary.
func (c *Counter) Cut(text string, limit int) string {
	if limit <= 0 {
		return ""
	}
	left, end := limit, len(text)
	for at, lengths := range c.segments(text) {
		if len(lengths) > left {
			end = at
			for _, n := range lengths[:left] {
				end += int(n)
			}
			break
		}
		left -= len(lengths)
	}
	if end == len(text) {
		return text
	}
	end = runeStart(text, end)
	// Cutting before a rune can split a token, and its remainder can be more tokens
	// than the whole token was.
	for end > 0 && c.Count(text[:end]) > limit {
		end = runeStart(text, end-1)
	}
	return text[:end]
}

// runeStart returns the last rune boundary of text at or before i.
func runeStart(text string, i int) int {
	for start := i; start > i-utf8.UTFMax && start >= 0; start-- {
		if !utf8.RuneStart(text[start]) {
			continue
		}
		if _, n := utf8.DecodeRuneInString(text[start:]); start+n > i {
			return start
		}
		break
	}
	return i // between bytes that are not UTF-8
}
