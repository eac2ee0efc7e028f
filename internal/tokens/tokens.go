// Package tokens counts and cuts texts in tokens of OpenAI's vocabularies. It
// is the only importer of tiktoken-go; the vocabularies are part of the program,
// so nothing is ever fetched. They are loaded when a Counter is first used,
// not at the start of the process.
//
// Tokens are those of ordinary encoding: "<|endoftext|>" in a document is text.
// Byte pair encoding is quadratic in the length of one piece, which for a run of
// equal letters is the whole run: runs of more than 256 characters of one class
// are encoded in pieces, so that no document can stop the program. Ordinary text
// has no such runs, and its tokens are exactly tiktoken's.
package tokens

import (
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

// Names are the known encodings, the default first.
func Names() []string { return []string{string(O200k), string(Cl100k)} }

var counters = map[string]*Counter{
	string(O200k):  {name: O200k},
	string(Cl100k): {name: Cl100k},
}

// Get is the counter of that encoding, "" being o200k_base. It is one for the
// whole process and safe for concurrent use. Get loads nothing.
func Get(name string) (*Counter, error) {
	if name == "" {
		name = string(O200k)
	}
	c, ok := counters[name]
	if !ok {
		return nil, fmt.Errorf("encoding %q is not known: use one of %s", name, strings.Join(Names(), ", "))
	}
	return c, nil
}

// Name is the encoding's name.
func (c *Counter) Name() string { return string(c.name) }

// Count is the number of tokens of text.
func (c *Counter) Count(text string) int {
	n := 0
	c.each(text, func(_ int, lengths []uint8) bool {
		n += len(lengths)
		return true
	})
	return n
}

// ID is the number of the token that text is, and whether it is a single one.
func (c *Counter) ID(text string) (int, bool) {
	c.load.Do(c.init)
	ids := c.bpe.EncodeOrdinary(text)
	if len(ids) != 1 {
		return 0, false
	}
	return ids[0], true
}

// Offsets holds the byte offset at which each token of text starts: ascending,
// the first 0. A token may start inside a UTF-8 sequence. A byte that is not
// UTF-8 is a token of its own.
func (c *Counter) Offsets(text string) []int {
	if text == "" {
		return nil
	}
	// English has four to five bytes a token; growing once more is cheap.
	offsets := make([]int, 0, len(text)/4+1)
	c.each(text, func(at int, lengths []uint8) bool {
		for _, n := range lengths {
			offsets = append(offsets, at)
			at += int(n)
		}
		return true
	})
	return slices.Clip(offsets)
}

// Cut is the longest prefix of text that holds at most limit tokens, cut
// between two runes. It reads no more of text than it needs.
func (c *Counter) Cut(text string, limit int) string {
	if limit <= 0 {
		return ""
	}
	left, end := limit, len(text)
	c.each(text, func(at int, lengths []uint8) bool {
		if len(lengths) <= left {
			left -= len(lengths)
			return true
		}
		end = at
		for _, n := range lengths[:left] {
			end += int(n)
		}
		return false
	})
	if end == len(text) {
		return text
	}
	end = runeStart(text, end)
	// A rune that is left out may leave a part of its first token behind, which
	// alone can be more tokens than the whole was.
	for end > 0 && c.Count(text[:end]) > limit {
		end = runeStart(text, end-1)
	}
	return text[:end]
}

// runeStart is the last rune boundary of text at or before i.
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
	return i // among bytes that are not UTF-8
}
