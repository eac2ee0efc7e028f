package chunk

import (
	"slices"
	"sort"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// A placer finds the places of the windows of a document, in their order.
type placer struct {
	doc  *graph.Document
	at   int // byte offset in the text
	line int // of the file, on which it is; 0 if unknown
}

func (p *placer) of(w window) graph.ChunkPlace {
	at := &p.doc.Places
	var place graph.ChunkPlace
	if at.Line > 0 && at.Row == 0 {
		p.line += strings.Count(p.doc.Text[p.at:w.start], "\n")
		p.at = w.start
		place.Line = p.line
	}
	if at.Verbatim {
		place.FileStart = at.Offset + w.start + sort.SearchInts(at.Breaks, w.start)
		place.FileEnd = at.Offset + w.end + sort.SearchInts(at.Breaks, w.end)
	}
	pages := within(at.Pages, w, func(p graph.Page) int { return p.Start })
	for _, page := range pages {
		place.Pages = append(place.Pages, page.Number)
		place.PageStarts = append(place.PageStarts, max(0, page.Start-w.start))
	}
	sections := within(at.Sections, w, func(s graph.Section) int { return s.Start })
	for _, section := range sections {
		place.Headings = append(place.Headings, section.Path)
		place.HeadingStarts = append(place.HeadingStarts, max(0, section.Start-w.start))
	}
	return place
}

// within returns the parts of a document that a window has a byte of. Each part ends where the next
// one starts.
func within[T any](parts []T, w window, start func(T) int) []T {
	first, found := slices.BinarySearchFunc(parts, w.start, func(p T, at int) int { return start(p) - at })
	if !found {
		first = max(0, first-1)
	}
	last, _ := slices.BinarySearchFunc(parts, w.end, func(p T, at int) int { return start(p) - at })
	return parts[min(first, last):last]
}
