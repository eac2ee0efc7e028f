package cite

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A Window is a range of a document's text with what surrounds it.
type Window struct {
	Before, Quote, After string
	Span                     // of the quote
	From, To             int // of all of it, without white space at its ends
}

// WindowOf returns the text of chunks around a range that is counted as in references, with at most
// around bytes on each side. Between two chunks it has as much white space as the document. The chunks are
// in order and belong to one document.
func WindowOf(chunks []neo4jstore.PlacedChunk, start, end, around int) Window {
	if len(chunks) == 0 {
		return Window{}
	}
	text, first := joinChunks(chunks)
	from, to := textOffset(chunks, start)-first, textOffset(chunks, end)-first
	from = runeStart(text, min(max(from, 0), len(text)))
	to = runeStart(text, min(max(to, from), len(text)))
	begin, end := runeStart(text, max(0, from-around)), runeStart(text, min(len(text), to+around))
	w := Window{Before: text[begin:from], Quote: text[from:to], After: text[to:end]}
	w.Span = spanIn(chunks, first+from, first+to)
	begin, end = end-len(strings.TrimLeftFunc(text[begin:end], unicode.IsSpace)), begin+len(strings.TrimRightFunc(text[begin:end], unicode.IsSpace))
	if begin >= end { // white space alone
		w.From, w.To = w.Start, w.End
		return w
	}
	whole := spanIn(chunks, first+begin, first+end)
	w.From, w.To = whole.Start, whole.End
	return w
}

// joinChunks returns the text of chunks, which may overlap, and its offset in the text of the document.
func joinChunks(chunks []neo4jstore.PlacedChunk) (text string, first int) {
	var b strings.Builder
	first = chunks[0].Start
	for _, c := range chunks {
		at := first + b.Len()
		if gap := c.Start - at; gap > 0 {
			b.WriteString(blank(gap))
			at = c.Start
		}
		if seen := at - c.Start; seen < len(c.Text) {
			b.WriteString(c.Text[seen:])
		}
	}
	return b.String(), first
}

// blank returns white space of n bytes. Longer space between chunks is mostly that of a new paragraph.
func blank(n int) string {
	if n == 1 {
		return "\n"
	}
	return "\n" + strings.Repeat(" ", n-2) + "\n"
}

// textOffset returns the offset in the text of a document of an offset as references have it.
func textOffset(chunks []neo4jstore.PlacedChunk, at int) int {
	for i, c := range chunks {
		if c.FileEnd == 0 {
			return at // a converted document
		}
		if at <= c.FileEnd || i == len(chunks)-1 {
			return c.Start + inChunk(c, max(0, at-c.FileStart)) // what is between two chunks is white space
		}
	}
	return at
}

// inChunk returns the offset in the text of a chunk of an offset in its part of the file, where a line may
// end with two bytes.
func inChunk(c neo4jstore.PlacedChunk, at int) int {
	if c.FileEnd-c.FileStart == len(c.Text) {
		return at
	}
	for i := range len(c.Text) {
		if at <= i {
			return i
		}
		if c.Text[i] == '\n' {
			at--
		}
	}
	return min(at, len(c.Text))
}

// spanIn returns where a range of the text of a document is.
func spanIn(chunks []neo4jstore.PlacedChunk, start, end int) Span {
	first, last := lastBefore(chunks, start+1), lastBefore(chunks, max(end, 1))
	var s Span
	s.Place, s.Start, _ = placeIn(first, start, min(max(end, start+1), first.Start+len(first.Text)))
	_, _, s.End = placeIn(last, max(last.Start, start), end)
	return s
}

// lastBefore returns the last chunk that begins before an offset in the text, or the first chunk.
func lastBefore(chunks []neo4jstore.PlacedChunk, at int) neo4jstore.PlacedChunk {
	i, _ := slices.BinarySearchFunc(chunks, at, func(c neo4jstore.PlacedChunk, at int) int { return cmp.Compare(c.Start, at) })
	return chunks[max(0, i-1)]
}

// runeStart returns the last place at or before a place at which a character begins.
func runeStart(text string, at int) int {
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}
