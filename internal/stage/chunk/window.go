package chunk

import (
	"slices"
	"unicode/utf8"
)

// A window is a byte range of a text with its number of tokens.
type window struct {
	start, end, tokens int
}

// tokenizedText is a text with the byte offsets at which its tokens and its sentences start.
type tokenizedText struct {
	text      string
	offsets   []int
	sentences []int
}

// tokensBefore returns the number of tokens that start before byte i.
func (t tokenizedText) tokensBefore(i int) int {
	n, _ := slices.BinarySearch(t.offsets, i)
	return n
}

// tokenAt returns the index of the token that byte i belongs to.
func (t tokenizedText) tokenAt(i int) int {
	n, found := slices.BinarySearch(t.offsets, i)
	if found {
		return n
	}
	return n - 1
}

// tokenStart returns the byte at which token n starts, or the end of the text for
// n past the last token.
func (t tokenizedText) tokenStart(n int) int {
	if n >= len(t.offsets) {
		return len(t.text)
	}
	return t.offsets[max(n, 0)]
}

// window returns the window of a byte range. Tokens that are cut at its ends count.
func (t tokenizedText) window(start, end int) window {
	return window{start, end, t.tokensBefore(end) - t.tokenAt(start)}
}

// contentWindows returns windows that end at boundaries of the text, as Content
// promises.
func (t tokenizedText) contentWindows(size, overlap int) []window {
	var windows []window
	for start, done := 0, 0; done < len(t.text); {
		end := t.windowEnd(start, done, size)
		if end == 0 && start < done {
			start = done // no word boundary in reach: drop the overlap
			end = t.windowEnd(start, done, size)
		}
		if end == 0 { // a word longer than a window
			end = t.runeBoundaryBefore(t.tokenStart(t.tokenAt(start)+maxTokens(size)), done)
		}
		windows = append(windows, t.window(start, end))
		start, done = t.nextStart(start, end, overlap), end
	}
	return windows
}

// minTokens and maxTokens bound the tokens of a window so that their mean is size.
func minTokens(size int) int { return size - size/5 }
func maxTokens(size int) int { return size + size/5 }

// windowEnd chooses the end of the window that starts at start. The end is after
// done, the end of the previous window, or 0 when no word ends in reach.
func (t tokenizedText) windowEnd(start, done, size int) int {
	first := t.tokenAt(start)
	if first+maxTokens(size) >= len(t.offsets) {
		return len(t.text)
	}
	high := t.tokenStart(first + maxTokens(size))
	low := max(t.tokenStart(first+minTokens(size)-1), done) + 1
	if at := t.bestBoundary(low, high); at > 0 {
		return at
	}
	// A long word that fits into a window stays whole, so this window is short.
	return lastWord(t.text, done+1, min(low-1, high))
}

// nextStart returns the start of the window after [start, end): the first sentence with at most
// overlap tokens from it to end, or end itself where a sentence starts there. In the middle of a
// longer sentence it is the first word.
func (t tokenizedText) nextStart(start, end, overlap int) int {
	if overlap == 0 {
		return end
	}
	last := t.tokensBefore(end)
	from := max(t.tokenStart(last-overlap), start+1)
	if at := t.firstSentence(from, end); at > 0 {
		return at
	}
	if at := firstWord(t.text, from, end); at > 0 {
		return at
	}
	return end
}

// runeBoundaryBefore returns the last rune boundary at or before i. Only if there is none
// after done, the end of the previous window, it returns the first one after done, which
// may be after i.
func (t tokenizedText) runeBoundaryBefore(i, done int) int {
	for i > done && !isRuneBoundary(t.text, i) {
		i--
	}
	if i > done {
		return i
	}
	return nextRuneBoundary(t.text, done+1)
}

// exactWindows returns windows of size tokens, each starting size-overlap tokens
// after the previous one. A start or end inside a rune moves to the next rune.
func (t tokenizedText) exactWindows(size, overlap int) []window {
	var windows []window
	done := 0
	for i := 0; done < len(t.text); i += size - overlap {
		start, end := nextRuneBoundary(t.text, t.tokenStart(i)), nextRuneBoundary(t.text, t.tokenStart(i+size))
		if end > done {
			windows = append(windows, window{start, end, min(size, len(t.offsets)-i)})
			done = end
		}
	}
	return windows
}

// isRuneBoundary reports whether i lies between two runes of text. A byte that is
// not valid UTF-8 counts as a rune.
func isRuneBoundary(text string, i int) bool {
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

// nextRuneBoundary returns the first rune boundary of text at or after i.
func nextRuneBoundary(text string, i int) int {
	for !isRuneBoundary(text, i) {
		i++
	}
	return min(i, len(text))
}
