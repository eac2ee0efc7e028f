package office

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/source/decode"
	"github.com/neorag/neorag/internal/source/parse"
	"github.com/neorag/neorag/internal/text"
)

// GraphicText returns the text of a chart or a diagram that an element of an office document shows: its
// titles, and a line for each series of values. It is "" for other elements, and for a part that
// cannot be read, which takes no more than the graphic from the document.
func GraphicText(f *Archive, targets map[string]string, e *xml.StartElement) string {
	id := ""
	switch e.Name.Local {
	case "chart":
		id = Attr(e, "id")
	case "relIds": // of a diagram
		id = Attr(e, "dm")
	}
	name, found := targets[id]
	if !found {
		return ""
	}
	var g graphicReader
	if err := f.ReadPart(name, g.handle); err != nil {
		return ""
	}
	return strings.Join(g.lines, "\n")
}

// A graphicReader collects the paragraphs of a chart or a diagram, and the series of a chart.
type graphicReader struct {
	lines  []string
	line   strings.Builder
	inText bool
	series map[string][]chartPoint // by the element of the open series; nil outside of one
	part   string                  // the open element of the series
	index  string                  // of the open point
}

type chartPoint struct{ index, value string }

func (g *graphicReader) handle(start *xml.StartElement, end, text string) bool {
	switch {
	case start != nil:
		g.start(start)
	case end == "" && g.inText:
		g.line.WriteString(text)
	case end == "t" || end == "v":
		g.inText = false
	case end == "p":
		g.addLine(g.line.String())
	case end == "pt" && g.series != nil:
		g.series[g.part] = append(g.series[g.part], chartPoint{g.index, g.line.String()})
		g.line.Reset()
	case end == "ser" && g.series != nil:
		g.endSeries()
	}
	return true
}

func (g *graphicReader) start(e *xml.StartElement) {
	switch e.Name.Local {
	case "t", "v":
		g.inText = true
	case "ser":
		g.series = map[string][]chartPoint{}
	case "tx", "cat", "val":
		g.part = e.Name.Local
	case "xVal":
		g.part = "cat"
	case "yVal":
		g.part = "val"
	case "pt":
		g.index = Attr(e, "idx")
		g.line.Reset()
	}
}

func (g *graphicReader) addLine(s string) {
	if s = decode.CleanLine(s); s != "" {
		g.lines = append(g.lines, s)
	}
	g.line.Reset()
}

// endSeries adds a line of the values with their categories.
func (g *graphicReader) endSeries() {
	categories := map[string]string{}
	for _, c := range g.series["cat"] {
		categories[c.index] = cmp.Or(categories[c.index], text.Shorten(c.value, parse.MaxHeading))
	}
	var values []string
	for _, v := range g.series["val"] {
		value := v.value
		if category := categories[v.index]; category != "" {
			value = category + " = " + value
		}
		values = append(values, value)
	}
	name := "Values"
	if names := g.series["tx"]; len(names) > 0 {
		name = names[0].value
	}
	if len(values) > 0 {
		g.addLine(fmt.Sprintf("%s: %s", name, strings.Join(values, ", ")))
	}
	g.series = nil
}
