package source

import (
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text"
)

// A heading is a line of a text that names what follows.
type heading struct {
	level int // from 1; 0 is the title of the document
	title string
	start int // byte offset
}

const maxHeading = 120 // bytes of a heading in a path

// sectionsOf returns the parts of a text that headings begin.
func sectionsOf(headings []heading) []graph.Section {
	var sections []graph.Section
	var path []heading
	for _, h := range headings {
		for len(path) > 0 && path[len(path)-1].level >= h.level {
			path = path[:len(path)-1]
		}
		h.title = text.Shorten(h.title, maxHeading)
		path = append(path, h)
		titles := make([]string, len(path))
		for i := range path {
			titles[i] = path[i].title
		}
		sections = append(sections, graph.Section{Path: strings.Join(titles, " > "), Start: h.start})
	}
	return sections
}

// firstTitle returns the title, or else the first heading of level 1, or "".
func firstTitle(headings []heading) string {
	for _, h := range headings {
		if h.level <= 1 {
			return h.title
		}
	}
	return ""
}

// eachLine calls f with the lines of a text, without their ends, and where they begin.
func eachLine(text string, f func(line string, start int)) {
	start := 0
	for line := range strings.Lines(text) {
		f(strings.TrimSuffix(line, "\n"), start)
		start += len(line)
	}
}
