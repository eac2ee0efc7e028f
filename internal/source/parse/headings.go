package parse

import (
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text"
)

// A Heading is a line of a text that names what follows.
type Heading struct {
	Level int // from 1; 0 is the title of the document
	Title string
	Start int // byte offset
}

// MaxHeading is the most bytes of a heading in a path.
const MaxHeading = 120

// Sections returns the parts of a text that headings begin.
func Sections(headings []Heading) []graph.Section {
	var sections []graph.Section
	var path []Heading
	for _, h := range headings {
		for len(path) > 0 && path[len(path)-1].Level >= h.Level {
			path = path[:len(path)-1]
		}
		h.Title = text.Shorten(h.Title, MaxHeading)
		path = append(path, h)
		titles := make([]string, len(path))
		for i := range path {
			titles[i] = path[i].Title
		}
		sections = append(sections, graph.Section{Path: strings.Join(titles, " > "), Start: h.Start})
	}
	return sections
}

// FirstTitle returns the title, or else the first heading of level 1, or "".
func FirstTitle(headings []Heading) string {
	for _, h := range headings {
		if h.Level <= 1 {
			return h.Title
		}
	}
	return ""
}

// EachLine calls f with the lines of a text, without their ends, and where they begin.
func EachLine(text string, f func(line string, start int)) {
	start := 0
	for line := range strings.Lines(text) {
		f(strings.TrimSuffix(line, "\n"), start)
		start += len(line)
	}
}
