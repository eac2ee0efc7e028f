package pdftext

import (
	"bytes"
	"cmp"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	headingSize   = 1.15 // of a heading, as a multiple of the size of most text
	maxHeading    = 200  // bytes
	maxLevel      = 6
	sameSize      = 1.1 // largest ratio of the sizes of two lines of a paragraph
	maxLeading    = 2.1 // largest distance of two lines of a paragraph, as a multiple of their size
	leadingChange = 1.3 // largest ratio of two distances in a paragraph
)

// itemPattern matches the beginning of a list item.
var itemPattern = regexp.MustCompile(`^(?:[•‣◦▪■●○–—*·]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)])\s`)

// A block is lines that follow each other at the same distance: one paragraph or more, or a
// heading.
type block struct {
	lines []line
	box   rect
	right float64 // where the longest line of its column ends, on its page
	level int     // of a heading, from 1; 0 for text
}

// A column is lines of a page that begin below each other.
type column struct {
	page int
	turn turn
	left float64 // rounded
}

const columnStep = 4 // points

func columnOf(l line) column { return column{l.page, l.turn, math.Round(l.box.left / columnStep)} }

// layOut sets the text, the pages and the heading of the document.
func (d *Document) layOut(lines []line, pages int) {
	lines = withDropCaps(lines)
	blocks := blocksOf(withTables(withoutFurniture(lines, pages)))
	markHeadings(blocks)
	w := textWriter{document: d, words: vocabularyOf(lines)}
	for _, b := range blocks {
		w.block(b)
	}
	d.Text = string(w.text)
	for _, b := range blocks {
		if b.level == 1 {
			d.Heading = b.join()
			break
		}
	}
}

func blocksOf(lines []line) []block {
	var blocks []block
	leading := 0.0
	for _, l := range lines {
		if n := len(blocks); n > 0 {
			b := &blocks[n-1]
			last := b.lines[len(b.lines)-1]
			down := last.box.bottom - l.box.bottom
			if last.page == l.page && last.turn == l.turn && follows(last, l, down, leading) {
				if down > 0 {
					leading = down
				}
				b.lines, b.box = append(b.lines, l), b.box.union(l.box)
				continue
			}
		}
		blocks, leading = append(blocks, block{lines: []line{l}, box: l.box}), 0
	}
	ends := map[column]float64{}
	for _, l := range lines {
		ends[columnOf(l)] = max(ends[columnOf(l)], l.box.right)
	}
	for i := range blocks {
		b := &blocks[i]
		b.right = b.box.right
		for _, l := range b.lines {
			b.right = max(b.right, ends[columnOf(l)])
		}
	}
	return blocks
}

// follows reports whether a line is in the block of the line before it, which is down points
// higher; leading is the distance of the lines before, or 0.
func follows(last, l line, down, leading float64) bool {
	size := max(last.size, l.size)
	switch {
	case l.table != last.table:
		return false
	case l.table > 0:
		return true
	case l.size > 0 && last.size > 0 && size > sameSize*min(last.size, l.size):
		return false
	case math.Abs(down) < size/4 && l.box.left >= last.box.left: // in the same row
		return true
	case down <= 0 || down > maxLeading*size || l.box.left >= last.box.right || l.box.right <= last.box.left:
		return false
	}
	return leading == 0 || down <= leadingChange*leading
}

// markHeadings sets the levels of headings: of blocks that are larger than most text.
func markHeadings(blocks []block) {
	weights := map[float64]int{}
	for _, b := range blocks {
		for _, l := range b.lines {
			weights[math.Round(2*l.size)/2] += len(l.text)
		}
	}
	body := 0.0
	for _, size := range slices.Sorted(maps.Keys(weights)) {
		if weights[size] > weights[body] {
			body = size
		}
	}
	var sizes []float64
	for i := range blocks {
		if b := &blocks[i]; b.isHeading(body) {
			b.level = 1
			sizes = append(sizes, b.lines[0].size)
		}
	}
	slices.SortFunc(sizes, func(a, b float64) int { return cmp.Compare(b, a) })
	sizes = slices.CompactFunc(sizes, func(a, b float64) bool { return max(a, b)/min(a, b) < 1.05 })
	for i := range blocks {
		if b := &blocks[i]; b.level > 0 {
			smaller := slices.IndexFunc(sizes, func(size float64) bool { return size/b.lines[0].size < 1.05 })
			b.level = min(maxLevel, 1+max(0, smaller))
		}
	}
}

func (b block) isHeading(body float64) bool {
	if body == 0 || b.lines[0].table > 0 || len(b.lines) > 3 || b.lines[0].turn != 0 || b.lines[0].size < headingSize*body {
		return false
	}
	text := b.join()
	last, _ := utf8.DecodeLastRuneInString(text)
	return len(text) <= maxHeading && strings.ContainsFunc(text, unicode.IsLetter) && !strings.ContainsRune(".,;:-", last) && !itemPattern.MatchString(text)
}

// join returns the lines of a block as one.
func (b block) join() string {
	var s strings.Builder
	for i, l := range b.lines {
		if i > 0 {
			s.WriteByte(' ')
		}
		s.WriteString(l.text)
	}
	return s.String()
}

type textWriter struct {
	document *Document
	text     []byte
	words    vocabulary
	last     line
	inBlock  block // of the last line
}

// block writes a block. A paragraph that ends in the middle of a sentence continues in the next
// block of text, on the same page or the next.
func (w *textWriter) block(b block) {
	if b.level > 0 {
		w.separate("\n\n")
		w.begin(b.lines[0].page)
		w.text = append(w.text, strings.Repeat("#", b.level)+" "+b.join()...)
		w.last, w.inBlock = b.lines[len(b.lines)-1], b
		return
	}
	for i, l := range b.lines {
		switch {
		case i > 0:
			w.join(l.text, lineBreak(b, w.last, l))
		case w.continues(b):
			w.join(l.text, " ")
		default:
			w.separate("\n\n")
		}
		w.begin(l.page)
		w.text = append(w.text, l.text...)
		w.last = l
	}
	w.inBlock = b
}

// continues reports whether a block of text continues the sentence before it.
func (w *textWriter) continues(b block) bool {
	if len(w.text) == 0 || w.inBlock.level > 0 || b.lines[0].table > 0 || w.last.table > 0 || b.lines[0].turn != w.last.turn || b.lines[0].page > w.last.page+1 || b.lines[0].page == w.last.page && b.lines[0].box.top <= w.last.box.bottom {
		return false
	}
	first, _ := utf8.DecodeRuneInString(b.lines[0].text)
	end, _ := utf8.DecodeLastRuneInString(w.last.text)
	full := w.last.box.right >= w.inBlock.right-2*w.last.size
	return unicode.IsLower(first) && full && (unicode.IsLetter(end) || end == '-' || end == ',') && !itemPattern.MatchString(b.lines[0].text)
}

// lineBreak returns what separates two lines of a block: a space if the second one begins with
// a word that had no room in the first.
func lineBreak(b block, last, l line) string {
	if l.table > 0 {
		return "\n"
	}
	if math.Abs(last.box.bottom-l.box.bottom) < l.size/4 { // in the same row
		return " "
	}
	end, _ := utf8.DecodeLastRuneInString(strings.TrimRight(last.text, `"'”’)]`))
	sentence := strings.ContainsRune(".!?:", end)
	switch {
	case strings.HasSuffix(last.text, "-"):
		return " "
	case itemPattern.MatchString(l.text):
		return "\n"
	case sentence && l.box.left > b.box.left+l.size && l.box.left < b.box.left+5*l.size && last.box.left <= b.box.left+l.size/2:
		return "\n\n" // indented
	case last.box.right+l.size/4+l.first > b.right:
		return " "
	case sentence:
		return "\n\n"
	}
	return "\n"
}

// join writes what separates a line from the one before, which is nothing after a hyphen. The
// hyphen goes with the end of the line, unless the word is a compound.
func (w *textWriter) join(text, separator string) {
	hyphen, before := bytes.HasSuffix(w.text, []byte("-")), rune(0)
	if hyphen {
		before, _ = utf8.DecodeLastRune(w.text[:len(w.text)-1])
	}
	if separator != " " || !hyphen || !unicode.IsLetter(before) && !unicode.IsDigit(before) {
		w.separate(separator)
		return
	}
	if w.words.isHyphenated(lastWord(w.text[:len(w.text)-1]), firstWord(text)) {
		w.text = w.text[:len(w.text)-1]
	}
}

// separate writes a separator, but not at the beginning.
func (w *textWriter) separate(separator string) {
	if len(w.text) > 0 {
		w.text = append(w.text, separator...)
	}
}

// begin notes that the text of a page begins here, if it does.
func (w *textWriter) begin(page int) {
	if n := len(w.document.Pages); n == 0 || w.document.Pages[n-1].Number != page {
		w.document.Pages = append(w.document.Pages, Page{page, len(w.text)})
	}
}
