package chunk

import (
	"slices"
	"unicode/utf8"
)

// A window is a piece of a text, in bytes, with its number of tokens.
type window struct {
	start, end, tokens int
}

// tokenised is a text with the byte offsets at which its tokens start.
type tokenised struct {
	text    string
	offsets []int
}

// before is the number of tokens that start before byte i.
func (t tokenised) before(i int) int {
	n, _ := slices.BinarySearch(t.offsets, i)
	return n
}

// first is the index of the token that byte i belongs to.
func (t tokenised) first(i int) int {
	n, found := slices.BinarySearch(t.offsets, i)
	if found {
		return n
	}
	return n - 1
}

// offset is the byte at which token n starts: the end of the text after the last.
func (t tokenised) offset(n int) int {
	if n >= len(t.offsets) {
		return len(t.text)
	}
	return t.offsets[max(n, 0)]
}

// window counts the tokens that have a byte in it, those cut at its ends included.
func (t tokenised) window(start, end int) window {
	return window{start, end, t.before(end) - t.first(start)}
}

// content makes windows whose ends the text decides.
func (t tokenised) content(size, overlap int) []window {
	var windows []window
	for start, done := 0, 0; done < len(t.text); {
		end := t.end(start, done, size)
		if end == 0 && start < done {
			start = done // no word ends in reach: the overlap gives way
			end = t.end(start, done, size)
		}
		if end == 0 { // a word longer than a window
			end = t.runeAtMost(t.offset(t.first(start)+most(size)), done)
		}
		windows = append(windows, t.window(start, end))
		start, done = t.next(start, end, overlap), end
	}
	return windows
}

// least and most bound the tokens of a window, so that size is their mean.
func least(size int) int { return size - size/5 }
func most(size int) int  { return size + size/5 }

// end chooses the end of the window that starts at start, after done, where the
// window before ended. It is 0 when no word ends in reach.
func (t tokenised) end(start, done, size int) int {
	first := t.first(start)
	if first+most(size) >= len(t.offsets) {
		return len(t.text)
	}
	high := t.offset(first + most(size))
	low := max(t.offset(first+least(size)-1), done) + 1
	if at := best(t.text, low, high); at > 0 {
		return at
	}
	// Words that are long, but not longer than a window, stay whole: the window is short.
	return lastWord(t.text, done+1, min(low-1, high))
}

// next is the start of the window after that of start and end: the first word
// from which at most overlap tokens remain before end, or end itself.
func (t tokenised) next(start, end, overlap int) int {
	if overlap == 0 {
		return end
	}
	last := t.before(end)
	from := max(t.offset(last-overlap), start+1)
	if at := firstWord(t.text, from, end); at > 0 {
		return at
	}
	return end
}

// runeAtMost is the last rune boundary at or before i, or the first after done
// if that leaves nothing.
func (t tokenised) runeAtMost(i, done int) int {
	for i > done && !boundary(t.text, i) {
		i--
	}
	if i > done {
		return i
	}
	return nextRune(t.text, done+1)
}

// exact makes windows of size tokens, each size-overlap after the one before.
// A window that would start or end inside a rune does so at the next one.
func (t tokenised) exact(size, overlap int) []window {
	var windows []window
	done := 0
	for i := 0; done < len(t.text); i += size - overlap {
		start, end := nextRune(t.text, t.offset(i)), nextRune(t.text, t.offset(i+size))
		if end > done {
			windows = append(windows, window{start, end, min(size, len(t.offsets)-i)})
			done = end
		}
	}
	return windows
}

// boundary tells whether i stands between two runes of text. A byte that is
// not UTF-8 counts as a rune.
func boundary(text string, i int) bool {
	if i <= 0 || i >= len(text) || utf8.RuneStart(text[i]) {
		return true
	}
	for start := i - 1; start >= max(0, i-utf8.UTFMax+1); start-- {
		if utf8.RuneStart(text[start]) {
			_, n := utf8.DecodeRuneInString(text[start:])
			return start+n <= i
		}
	}
	return true
}

// nextRune is the first rune boundary of text at or after i.
func nextRune(text string, i int) int {
	for !boundary(text, i) {
		i++
	}
	return min(i, len(text))
}
